import { cutText, oneLine } from '../chat/sanitise.ts';
import { ago, shortTime } from './age.ts';
import type { Question } from './question.ts';
import { answerText } from './settle-question.ts';

/** Discord's bounds for what a card is made of. */
const BUTTONS_MAX = 5;
const BUTTON_LABEL_MAX = 80;
const OPTIONS_MAX = 25;
const OPTION_TEXT_MAX = 100;
const BODY_MAX = 1_200;
const CONTEXT_MAX = 1_000;

/** What a control stands for; `index` into the question's choices. The edge makes its own ids from it. */
export type CardAction =
	| { readonly act: 'choose'; readonly questionId: string; readonly index: number }
	| { readonly act: 'select' | 'reply' | 'thread' | 'mute' | 'retry'; readonly questionId: string };

export interface CardButton {
	readonly label: string;
	readonly style: 'primary' | 'secondary' | 'success' | 'danger';
	readonly action: CardAction;
}

export interface CardOption {
	readonly index: number;
	readonly label: string;
	readonly description?: string;
}

/** A question as a card, without anything of Discord's in it. */
export interface QuestionView {
	readonly title: string;
	readonly body: string;
	readonly context?: string;
	/** How it stands: open since, sending, delivered, failed, closed, lost. */
	readonly footer: string;
	readonly tone: 'open' | 'sending' | 'done' | 'failed' | 'gone';
	/** The choices as buttons, where they are few and short. */
	readonly choices: readonly CardButton[];
	/** Or as a menu. `more`: choices that fit in none; they are told in the body and taken as words. */
	readonly select?: { readonly options: readonly CardOption[]; readonly max: number; readonly more: number };
	/** Reply…, Open thread, Mute, Retry. */
	readonly controls: readonly CardButton[];
}

export function questionView(question: Question, now: number, muted = false): QuestionView {
	const open = question.state === 'open';
	const { choices, select } = open ? choiceControls(question) : { choices: [], select: undefined };
	return {
		title: `${question.sessionName} ${question.kind === 'permission' ? 'asks for permission' : 'asks'}`,
		body: bodyText(question, select?.more ?? 0),
		...(question.context === undefined ? {} : { context: cutText(question.context, CONTEXT_MAX) }),
		footer: footerText(question, now),
		tone: toneOf(question),
		choices,
		...(select === undefined ? {} : { select }),
		controls: controlsOf(question, muted),
	};
}

function choiceControls(question: Question): Pick<QuestionView, 'choices' | 'select'> {
	const labels = distinctLabels(question);
	const short = labels.every((label) => Array.from(label).length <= BUTTON_LABEL_MAX);
	const described = question.choices.some(({ description }) => description !== undefined);
	if (!question.multi && short && !described && labels.length <= BUTTONS_MAX) {
		const buttons = labels.map((label, index): CardButton => {
			const action: CardAction = { act: 'choose', questionId: question.id, index };
			return { label, style: styleOf(question, index), action };
		});
		return { choices: buttons };
	}
	const options = labels.slice(0, OPTIONS_MAX).map((label, index): CardOption => {
		const description = question.choices[index]?.description;
		const told = description === undefined ? {} : { description: oneLine(description, OPTION_TEXT_MAX) };
		return { index, label: cutText(label, OPTION_TEXT_MAX), ...told };
	});
	const max = question.multi ? options.length : 1;
	return { choices: [], select: { options, max, more: Math.max(0, labels.length - OPTIONS_MAX) } };
}

/** Labels that would look the same once cut, or are empty, get their number in front. */
function distinctLabels(question: Question): string[] {
	const labels = question.choices.map(({ label }) => oneLine(label, 400));
	const shown = labels.map((label) => cutText(label, BUTTON_LABEL_MAX).toLowerCase());
	return labels.map((label, index) => {
		const same = shown.filter((other) => other === shown[index]).length > 1;
		return same || label === '' ? `${index + 1}. ${label}`.trim() : label;
	});
}

function styleOf(question: Question, index: number): CardButton['style'] {
	if (question.kind !== 'permission') return 'primary';
	const word = `${question.choices[index]?.value} ${question.choices[index]?.label}`.toLowerCase();
	if (/\b(?:deny|reject|no|decline|cancel|block)\b/.test(word)) return 'danger';
	return /\b(?:allow|accept|approve|yes|once)\b/.test(word) ? 'success' : 'secondary';
}

function controlsOf(question: Question, muted: boolean): CardButton[] {
	const button = (
		label: string,
		act: 'reply' | 'thread' | 'mute' | 'retry',
		style: CardButton['style'] = 'secondary',
	) => ({
		label,
		style,
		action: { act, questionId: question.id },
	});
	const thread = button('Open thread', 'thread');
	if (question.state === 'open')
		return [
			...(question.freeText || question.choices.length > OPTIONS_MAX ? [button('Reply…', 'reply')] : []),
			thread,
			button(muted ? 'Unmute' : 'Mute', 'mute'),
		];
	return question.delivery === 'failed' ? [button('Retry', 'retry', 'primary'), thread] : [thread];
}

function bodyText(question: Question, more: number): string {
	const text = cutText(question.text, BODY_MAX);
	if (more === 0) return text;
	const rest = question.choices.slice(OPTIONS_MAX).map(({ label }) => `- ${oneLine(label, 60)}`);
	return cutText(`${text}\n\nFurther choices, taken by replying with their words:\n${rest.join('\n')}`, BODY_MAX + 600);
}

function toneOf(question: Question): QuestionView['tone'] {
	if (question.state === 'open') return 'open';
	if (question.state !== 'answered') return 'gone';
	if (question.delivery === 'pending') return 'sending';
	return question.delivery === 'failed' ? 'failed' : 'done';
}

function footerText(question: Question, now: number): string {
	if (question.state === 'open') {
		const reminded = question.reminders > 0 ? `, reminded ${question.reminders} of 3` : '';
		return `open for ${shortTime(now - question.openedAt)}${reminded}`;
	}
	const when = ago(question.settledAt ?? question.openedAt, now);
	if (question.state === 'closed') return `closed ${when}: the session moved on without an answer`;
	if (question.state === 'lost') return `lost ${when}: the session's process ended before anybody answered`;
	if (question.answeredBy === undefined) return `answered in the session itself ${when}`;
	const what = `${question.answeredBy.who} answered ${when}: ${answerText(question)}`;
	if (question.delivery === 'pending') return `${what} · sending…`;
	if (question.delivery === 'failed') return `${what} · not delivered: ${question.deliveryError ?? 'no reason given'}`;
	return `${what} · delivered`;
}
