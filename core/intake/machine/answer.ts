import { isLastRound } from '../rounds.ts';
import type { MessagePart, Turn } from '../turn.ts';
import { allWords } from '../vocabulary.ts';
import { startCall } from './call.ts';
import { markAnswered, markSkipped } from './dimension-change.ts';
import { change, type Draft, move } from './draft.ts';
import { addTurn } from './turns.ts';

/** The wish: it opens round 1 and always leads to questions. */
export function acceptIntent(draft: Draft, part: MessagePart): void {
	change(draft, { originalIntent: part.text });
	addTurn(draft, { role: 'user', kind: 'intent', parts: [part], choices: [] });
	move(draft, 'INTENT_RECEIVED', 'intent');
	const roundBefore = draft.session.roundCount;
	change(draft, { roundCount: 1, regenerated: false });
	startCall(draft, { purpose: 'ask', roundBefore });
}

/** One answer to the open set, made of everything that waits and of a form's choices. */
export function acceptAnswer(draft: Draft, choices: Turn['choices'], ending?: 'finish_now'): void {
	const { session, settings } = draft;
	const parts = session.pending?.parts ?? [];
	change(draft, { pending: undefined });
	const turn = addTurn(draft, { role: 'user', kind: 'answer', parts: [...parts], choices });
	const unknown = new Set(allWords(settings).flatMap((words) => words.unknown.map((word) => word.toLowerCase())));
	const set = session.questionSets.at(-1);
	if (set !== undefined) {
		change(draft, { dimensions: markAnswered(session.dimensions, set, turn, unknown) });
		closeSet(draft, 'answered');
	}
	move(draft, 'RESPONSE_RECEIVED', 'answer');
	nextRound(draft, ending);
}

/** The person passes this round; what it asked is put off, and the round counts like any other. */
export function skipSet(draft: Draft, ending?: 'finish_now'): void {
	const { session } = draft;
	const set = session.questionSets.at(-1);
	if (set !== undefined) change(draft, { dimensions: markSkipped(session.dimensions, set) });
	closeSet(draft, 'skipped');
	addTurn(draft, { role: 'user', kind: 'skip', parts: [], choices: [], content: '(no answer: decide later)' });
	move(draft, 'RESPONSE_RECEIVED', 'skip');
	nextRound(draft, ending);
}

function closeSet(draft: Draft, state: 'answered' | 'skipped'): void {
	const { questionSets } = draft.session;
	change(draft, { questionSets: questionSets.map((set) => (set.state === 'open' ? { ...set, state } : set)) });
}

/** Counts the round and looks whether it was the last one, whatever the model may think of it. */
function nextRound(draft: Draft, ending: 'finish_now' | undefined): void {
	const roundBefore = draft.session.roundCount;
	change(draft, { roundCount: roundBefore + 1, regenerated: false });
	const isLast = isLastRound(draft.session.roundCount);
	if (!isLast && ending === undefined) {
		startCall(draft, { purpose: 'ask', roundBefore });
		return;
	}
	const cause = isLast ? 'round_limit' : 'finish_now';
	beginFinalizing(draft, cause, roundBefore);
}

/** From here on nothing is asked any more. */
export function beginFinalizing(draft: Draft, cause: 'round_limit' | 'finish_now', roundBefore: number): void {
	change(draft, { ending: { trigger: 'forced', cause, fields: {} } });
	move(draft, 'FINALIZING', cause);
	startCall(draft, { purpose: 'finalize', roundBefore });
}
