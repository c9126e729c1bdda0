import type { EventOf } from '../event.ts';
import type { MessagePart, Turn } from '../turn.ts';
import { acceptAnswer, acceptIntent, beginFinalizing, skipSet } from './answer.ts';
import { compile } from './compile.ts';
import { change, type Draft, fail, move, notice } from './draft.ts';
import { amend } from './edit.ts';
import { isTextFit } from './text-fit.ts';

function partOf(event: EventOf<'intent' | 'message' | 'form'>, now: number): MessagePart {
	return { messageId: event.id, authorId: event.author.id, text: event.text, at: now };
}

export function takeIntent(draft: Draft, event: EventOf<'intent'>): void {
	// The first wish stands for the whole session.
	if (draft.session.state !== 'IDLE') notice(draft, 'intent_kept');
	else if (isTextFit(draft, event.text)) acceptIntent(draft, partOf(event, draft.now));
}

/** Free text waits for more of it, unless it is whole; while we are at work it waits for the next questions. */
export function takeMessage(draft: Draft, event: EventOf<'message'>): void {
	const { session, settings, now } = draft;
	if (session.state === 'IDLE') {
		fail(draft, 'E04');
		return;
	}
	if (session.state === 'HANDOVER') {
		// The packet is locked; text kept now would be in nobody's hands.
		notice(draft, 'no_more_edits');
		return;
	}
	if (!isTextFit(draft, event.text)) return;
	const isTurn = session.state === 'QUESTIONING' || session.state === 'REVIEW';
	const parts = [...(session.pending?.parts ?? []), partOf(event, now)];
	change(draft, { pending: isTurn ? { parts, quietUntil: now + settings.quietMs } : { parts } });
	if (isTurn && event.whole) sendPending(draft);
	else if (!isTurn && session.pending === undefined) notice(draft, 'held_over');
}

/** What waits becomes an answer, or an addition to the result. */
export function sendPending(draft: Draft): boolean {
	const { state, pending } = draft.session;
	if (pending === undefined || pending.parts.length === 0) return false;
	if (state === 'QUESTIONING') acceptAnswer(draft, []);
	else if (state === 'REVIEW') amend(draft);
	else return false;
	return true;
}

export function takeForm(draft: Draft, event: EventOf<'form'>): void {
	const { session } = draft;
	const set = session.questionSets.at(-1);
	if (session.state !== 'QUESTIONING' || set === undefined || set.id !== event.setId || set.state !== 'open') {
		notice(draft, 'stale_form');
		return;
	}
	const choices: Turn['choices'] = event.entries.flatMap(({ questionId, values, text }) => {
		const question = set.questions.find(({ id }) => id === questionId);
		if (question === undefined) return [];
		const labels = question.options.filter(({ value }) => values.includes(value)).map(({ label }) => label);
		const words = text.slice(0, draft.settings.maxTextChars);
		return labels.length === 0 && words.trim() === '' ? [] : [{ questionId, labels, text: words }];
	});
	const hasText = event.text.trim() !== '';
	if (hasText && !isTextFit(draft, event.text)) return;
	if (!hasText && choices.length === 0 && session.pending === undefined) {
		fail(draft, 'E05');
		return;
	}
	if (hasText) change(draft, { pending: { parts: [...(session.pending?.parts ?? []), partOf(event, draft.now)] } });
	acceptAnswer(draft, choices);
}

export function takeSkip(draft: Draft): void {
	if (draft.session.state !== 'QUESTIONING') notice(draft, 'nothing_to_do');
	// What was written already is an answer, not a skip.
	else if (!sendPending(draft)) skipSet(draft);
}

/** Compile with what there is. Never before one set of questions was answered or skipped. */
export function takeFinish(draft: Draft): void {
	const { session } = draft;
	const hasAnswered = session.questionSets.some(({ state }) => state !== 'open');
	const isWriting = session.state === 'QUESTIONING' && session.pending !== undefined;
	if (!hasAnswered && !isWriting) {
		notice(draft, 'finish_too_early');
	} else if (isWriting) {
		acceptAnswer(draft, [], 'finish_now');
	} else if (session.state === 'QUESTIONING') {
		skipSet(draft, 'finish_now');
	} else if (session.state === 'RESPONSE_RECEIVED') {
		beginFinalizing(draft, 'finish_now', session.call?.roundBefore ?? session.roundCount);
	} else if (session.suspension?.reason === 'assistant_unavailable') {
		compileAlone(draft);
	} else notice(draft, 'nothing_to_do');
}

/** The person does not want to wait for the model: code compiles, and makes nothing up. */
function compileAlone(draft: Draft): void {
	const { suspension, ending, roundCount } = draft.session;
	change(draft, {
		suspension: undefined,
		call: undefined,
		roundCount: suspension?.roundAfter ?? roundCount,
		ending: ending ?? { trigger: 'forced', cause: 'finish_now', fields: {} },
	});
	move(draft, 'FINALIZING', 'finish_now');
	compile(draft);
}
