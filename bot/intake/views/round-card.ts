import type { APIButtonComponent } from 'discord.js';
import { ButtonStyle, ComponentType } from 'discord.js';
import { LATER, OTHER, type Question, type QuestionSet } from '../../../core/intake/question.ts';
import { MAX_QUESTION_SETS } from '../../../core/intake/rounds.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Turn } from '../../../core/intake/turn.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, inline, type View } from '../../views/view.ts';
import { formatIntakeId, type IntakeAction } from '../custom-id.ts';
import { editableTurns, isEditable } from '../editable-turns.ts';
import { pendingText } from './pending-text.ts';

/** Room for all questions together; the embed's own words need the rest of Discord's 6 000. */
const QUESTIONS_MAX = 4_800;

/** The card of one round: its questions, how to answer, and later what was answered. */
export function roundCard(
	session: IntakeSession,
	set: QuestionSet,
	t: Translate,
	options: { readonly readsEverything: boolean },
): View {
	const number = session.questionSets.indexOf(set) + 1;
	const isOpen = set.state === 'open' && session.state === 'QUESTIONING';
	const perQuestion = Math.floor(QUESTIONS_MAX / Math.max(1, set.questions.length));
	const answer = answerTo(session, set);
	return {
		embeds: [
			{
				title: t('intake.round.title', { n: number, max: MAX_QUESTION_SETS }),
				color: isOpen ? 0xf0b232 : 0x80848e,
				description: headText(session, set, t, options.readsEverything),
				fields: set.questions.map((question, index) => ({
					name: `${index + 1} · ${t(`intake.dimension.${question.dimension}`)}`,
					value: clip(questionText(question, answer, t), Math.min(1_024, perQuestion)),
				})),
				footer: { text: t('intake.round.footer', { id: session.id, round: set.id }) },
			},
			...(answer === undefined || answer.content.trim() === ''
				? []
				: [{ title: t('intake.round.yourAnswer'), color: 0x57c7a3, description: inline(answer.content, 700) }]),
		],
		components: rowOf(isOpen ? openButtons(session, set, t) : closedButtons(session, set, t)),
	};
}

/** The person's turn that answered a set. */
function answerTo(session: IntakeSession, set: QuestionSet): Turn | undefined {
	const number = session.questionSets.indexOf(set);
	const asked = session.history.filter(({ kind }) => kind === 'questions')[number];
	const at = asked === undefined ? -1 : session.history.indexOf(asked);
	if (at < 0) return undefined;
	const after = session.history.slice(at + 1);
	const end = after.findIndex(({ kind }) => kind === 'questions');
	return (end < 0 ? after : after.slice(0, end)).find(({ kind }) => kind === 'answer');
}

/** An option's label; the two fixed ones in the reader's language. */
export function optionLabel({ value, label }: Question['options'][number], t: Translate): string {
	if (value === OTHER) return t('intake.round.other');
	return value === LATER ? t('intake.round.later') : label;
}

function questionText(question: Question, answer: Turn | undefined, t: Translate): string {
	const lines = [inline(question.text, 300)];
	const chosen = answer?.choices.find(({ questionId }) => questionId === question.id);
	if (chosen !== undefined) {
		const said = [...chosen.labels, chosen.text].filter((part) => part !== '').join(', ');
		lines.push(`✅ ${inline(said, 400) || '–'}`);
	} else if (question.options.length > 0) {
		lines.push(`-# ${question.options.map((option) => inline(optionLabel(option, t), 100)).join(' · ')}`);
	}
	return lines.join('\n');
}

function headText(session: IntakeSession, set: QuestionSet, t: Translate, readsEverything: boolean): string {
	if (set.state === 'answered') {
		const how = isEditable(session) ? t('intake.round.canEdit') : '';
		return t('intake.round.answered', { how }).trim();
	}
	if (set.state === 'skipped') return t('intake.round.skipped');
	if (session.state === 'CANCELLED' || session.state === 'COMPLETE') return t('intake.round.closed');
	const how = t(readsEverything ? 'intake.round.how' : 'intake.round.howReplies');
	return [how, ...pendingText(session, t)].join('\n\n');
}

function openButtons(session: IntakeSession, set: QuestionSet, t: Translate): APIButtonComponent[] {
	const make = buttonMaker(session.id, set.id, t);
	return [
		make('answer', ButtonStyle.Primary),
		...((session.pending?.parts.length ?? 0) > 0 ? [make('send', ButtonStyle.Success)] : []),
		make('skip', ButtonStyle.Secondary),
		...(session.roundCount >= 2 ? [make('finish', ButtonStyle.Secondary)] : []),
		...(editableTurns(session).length > 0 ? [make('edit', ButtonStyle.Secondary)] : []),
	];
}

function closedButtons(session: IntakeSession, set: QuestionSet, t: Translate): APIButtonComponent[] {
	if (set.state === 'open' || !isEditable(session) || editableTurns(session).length === 0) return [];
	return [buttonMaker(session.id, set.id, t)('edit', ButtonStyle.Secondary)];
}

type LabelledAction = Extract<IntakeAction, 'answer' | 'send' | 'skip' | 'finish' | 'edit' | 'lock' | 'discard'>;
type PlainStyle = ButtonStyle.Primary | ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;

/** Makes the buttons of one card. */
export function buttonMaker(sessionId: string, detail: string, t: Translate) {
	return (action: LabelledAction, style: PlainStyle, label?: string): APIButtonComponent => ({
		type: ComponentType.Button,
		style,
		label: label ?? t(`intake.button.${action}`),
		custom_id: formatIntakeId(action, sessionId, detail),
	});
}

/** Buttons as the one row of a card; no row when there are none. */
export function rowOf(buttons: readonly APIButtonComponent[]): NonNullable<View['components']> {
	return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: [...buttons] }];
}
