import type { EventOf } from '../event.ts';
import type { ExcludedFact, Fact } from '../fact.ts';
import { factBlock } from '../prolog/term.ts';
import type { IntakeSession } from '../session.ts';
import type { Turn } from '../turn.ts';
import { startCall } from './call.ts';
import { review } from './compile.ts';
import { audit, change, type Draft, move, notice } from './draft.ts';
import { isTextFit } from './text-fit.ts';
import { addTurn, isInHistory, turnContent } from './turns.ts';

/** A message was edited by its author. Waiting text is replaced; used text stays, and that is said once. */
export function takeMessageEdit(draft: Draft, event: EventOf<'message_edited'>): void {
	const { pending, toldEdits, history } = draft.session;
	const waiting = pending?.parts.find(({ messageId }) => messageId === event.id);
	if (pending !== undefined && waiting !== undefined) {
		if (waiting.text === event.text || !isTextFit(draft, event.text)) return;
		const parts = pending.parts.map((part) => (part === waiting ? { ...part, text: event.text } : part));
		change(draft, { pending: { ...pending, parts } });
		return;
	}
	if (!isInHistory(draft.session, event.id) || toldEdits.includes(event.id)) return;
	const used = history.flatMap(({ parts }) => parts).find(({ messageId }) => messageId === event.id);
	if (used?.text === event.text) return;
	change(draft, { toldEdits: [...toldEdits, event.id] });
	notice(draft, 'edit_too_late');
}

export function takeMessageDeletion(draft: Draft, messageId: string): void {
	const { pending } = draft.session;
	if (!pending?.parts.some((part) => part.messageId === messageId)) return;
	const parts = pending.parts.filter((part) => part.messageId !== messageId);
	change(draft, { pending: parts.length === 0 ? undefined : { ...pending, parts } });
}

/** An earlier answer is given anew on purpose. Facts that rested on it go; in the review the result is compiled again. */
export function editAnswer(draft: Draft, event: EventOf<'edit_answer'>): void {
	const { state, history } = draft.session;
	const at = history.findIndex(({ id }) => id === event.turnId);
	const turn = history[at];
	const isOpen = state === 'QUESTIONING' || state === 'REVIEW' || state === 'RESPONSE_RECEIVED';
	// The intent is what it was; our own words are ours.
	if (!isOpen || turn === undefined || turn.role !== 'user' || turn.kind === 'intent') {
		notice(draft, 'no_more_edits');
		return;
	}
	if (!isTextFit(draft, event.text)) return;
	const messageId = turn.parts[0]?.messageId ?? event.id;
	const parts = [{ messageId, authorId: event.author.id, text: event.text, at: draft.now }];
	const kind = turn.kind === 'skip' ? ('answer' as const) : turn.kind;
	const edited: Turn = { ...turn, kind, parts, choices: [], content: turnContent(parts, []), editedAt: draft.now };
	change(draft, { history: history.with(at, edited) });
	const dropped = dropFactsOf(draft, turn.id);
	audit(draft, { what: 'answer_edited', turnId: turn.id, droppedFacts: dropped, at: draft.now });
	notice(draft, 'answer_edited');
	if (state === 'REVIEW') recompile(draft);
	else if (draft.session.call !== undefined) {
		// What is being thought about is not true any more.
		const { purpose, roundBefore, spare } = draft.session.call;
		startCall(draft, { purpose, roundBefore, spare });
	}
}

function dropFactsOf(draft: Draft, turnId: string): string[] {
	const rests = ({ evidence }: Fact) => evidence.some((one) => one.turnId === turnId);
	const gone = draft.session.facts.filter(rests);
	const facts = draft.session.facts.filter((fact) => !rests(fact));
	const excluded: ExcludedFact[] = gone.map(({ text }) => ({ text, reason: 'answer_edited' }));
	change(draft, {
		facts,
		excluded: [...draft.session.excluded, ...excluded],
		prologFacts: factBlock(facts),
	});
	return gone.map(({ text }) => text);
}

/** Text in the review, or after a refusal: it is added to what was said, and the result is compiled again. No round. */
export function amend(draft: Draft): void {
	const parts = draft.session.pending?.parts ?? [];
	if (parts.length === 0) return;
	change(draft, { pending: undefined });
	addTurn(draft, { role: 'user', kind: 'amendment', parts: [...parts], choices: [] });
	recompile(draft);
}

function recompile(draft: Draft): void {
	const { recompiled, ending, roundCount } = draft.session;
	if (recompiled >= draft.settings.maxRecompiles || ending === undefined) {
		notice(draft, 'no_more_edits');
		review(draft, 'edited');
		return;
	}
	const { PROJECT_NAME } = ending.fields;
	const fields: IntakeSession['ending'] = { ...ending, fields: PROJECT_NAME === undefined ? {} : { PROJECT_NAME } };
	change(draft, { recompiled: recompiled + 1, ending: fields, autoLockAt: undefined, verdict: undefined });
	move(draft, 'FINALIZING', 'edited');
	startCall(draft, { purpose: 'finalize', roundBefore: roundCount });
}
