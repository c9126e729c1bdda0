import {
	type APIComponentInLabel,
	type APILabelComponent,
	type APIModalInteractionResponseCallbackData,
	ComponentType,
	TextInputStyle,
} from 'discord.js';
import type { EventOf } from '../../core/intake/event.ts';
import { MAX_OPTIONS, type Question, type QuestionSet } from '../../core/intake/question.ts';
import { MAX_QUESTION_SETS } from '../../core/intake/rounds.ts';
import type { Translate } from '../catalogue.ts';
import { clip } from '../views/view.ts';
import { formatIntakeId } from './custom-id.ts';
import { optionLabel } from './views/round-card.ts';

/** Discord's limit for one form. */
const MAX_COMPONENTS = 5;
/** Custom id of the one field that holds everything else. */
export const FREE = 'free';

/** Questions that get a field of their own; the others are answered in the free field. */
function formQuestions(set: QuestionSet): readonly Question[] {
	if (set.questions.length < MAX_COMPONENTS) return set.questions;
	// Choices cannot be made in a text field, while a text can: choices go first, in their order.
	const isChoice = (question: Question) => question.kind !== 'text';
	const chosen = new Set(
		[...set.questions.filter(isChoice), ...set.questions.filter((one) => !isChoice(one))].slice(0, MAX_COMPONENTS - 1),
	);
	return set.questions.filter((question) => chosen.has(question));
}

/** The form of a round: a field a question and a free one. Made of the stored questions alone, so it is ready at once. */
export function roundForm(
	sessionId: string,
	set: QuestionSet,
	number: number,
	t: Translate,
): APIModalInteractionResponseCallbackData {
	const own = formQuestions(set);
	const left = set.questions.flatMap((question, index) => (own.includes(question) ? [] : [String(index + 1)]));
	const free: APILabelComponent = {
		type: ComponentType.Label,
		label: clip(
			left.length === 0 ? t('intake.form.free') : t('intake.form.freeWith', { numbers: left.join(', ') }),
			45,
		),
		description: clip(t('intake.form.freeHint'), 100),
		component: {
			type: ComponentType.TextInput,
			custom_id: FREE,
			style: TextInputStyle.Paragraph,
			required: false,
			max_length: 4_000,
		},
	};
	return {
		custom_id: formatIntakeId('form', sessionId, set.id),
		title: clip(t('intake.form.title', { n: number, max: MAX_QUESTION_SETS }), 45),
		components: [...own.map((question) => labelOf(question, set.questions.indexOf(question) + 1, t)), free],
	};
}

/** A short question is its own label; a long one stands below a short label, and in full on the card. */
function labelOf(question: Question, number: number, t: Translate): APILabelComponent {
	const whole = `${number}. ${question.text}`;
	const component = fieldOf(question, t);
	if (whole.length <= 45) return { type: ComponentType.Label, label: whole, component };
	const dimension = t(`intake.dimension.${question.dimension}`);
	return {
		type: ComponentType.Label,
		label: clip(t('intake.form.question', { n: number, dimension }), 45),
		description: clip(question.text, 100),
		component,
	};
}

function fieldOf(question: Question, t: Translate): APIComponentInLabel {
	const custom_id = question.id;
	const options = question.options.map((option) => ({ value: option.value, label: clip(optionLabel(option, t), 100) }));
	if (question.kind === 'text' || options.length < 2)
		return {
			type: ComponentType.TextInput,
			custom_id,
			style: TextInputStyle.Paragraph,
			required: false,
			max_length: 1_000,
		};
	// Groups hold ten; a menu holds more.
	if (options.length > MAX_OPTIONS)
		return {
			type: ComponentType.StringSelect,
			custom_id,
			placeholder: t('intake.form.choose'),
			options: options.slice(0, 25),
			min_values: 0,
			max_values: question.kind === 'multi' ? Math.min(25, options.length) : 1,
			required: false,
		};
	if (question.kind === 'multi')
		return { type: ComponentType.CheckboxGroup, custom_id, options, min_values: 0, required: false };
	return { type: ComponentType.RadioGroup, custom_id, options, required: false };
}

/** A field of a form as it was sent. */
export type SentField =
	| { readonly customId: string; readonly value?: string | boolean | null | undefined }
	| { readonly customId: string; readonly values?: readonly string[] };

/** What a sent form says, as the session takes it. Empty fields are left out. */
export function formAnswer(fields: Iterable<SentField>): Pick<EventOf<'form'>, 'entries' | 'text'> {
	const entries: EventOf<'form'>['entries'] = [];
	let text = '';
	for (const field of fields) {
		const many = 'values' in field && field.values !== undefined ? [...field.values] : undefined;
		const one = 'value' in field && typeof field.value === 'string' ? field.value.trim() : '';
		if (field.customId === FREE) text = one;
		else if (many !== undefined && many.length > 0)
			entries.push({ questionId: field.customId, values: many, text: '' });
		else if (many === undefined && one !== '') entries.push({ questionId: field.customId, values: [one], text: one });
	}
	return { entries, text };
}

/** Tells chosen values from written words: only the stored question knows which a field was. */
export function settleEntries(
	entries: EventOf<'form'>['entries'],
	set: QuestionSet | undefined,
): EventOf<'form'>['entries'] {
	return entries.map((entry) => {
		const question = set?.questions.find(({ id }) => id === entry.questionId);
		const isChosen = question?.options.some(({ value }) => entry.values.includes(value)) ?? entry.text === '';
		return isChosen ? { ...entry, text: '' } : { ...entry, values: [] };
	});
}
