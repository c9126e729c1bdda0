import type { IntakeSession } from '../session.ts';
import type { MessagePart, Turn } from '../turn.ts';
import { change, type Draft } from './draft.ts';

/** What a person's turn says as one text: messages in order, then what was chosen. */
export function turnContent(parts: readonly MessagePart[], choices: Turn['choices']): string {
	const chosen = choices.flatMap(({ labels, text }) => [labels.join('; '), text]).filter((line) => line.trim() !== '');
	return [...parts.map(({ text }) => text), ...chosen].join('\n');
}

export function addTurn(
	draft: Draft,
	turn: Omit<Turn, 'id' | 'at' | 'round' | 'content'> & { content?: string },
): Turn {
	const { session, now } = draft;
	const added: Turn = {
		...turn,
		content: turn.content ?? turnContent(turn.parts, turn.choices),
		id: `t${session.history.length + 1}`,
		at: now,
		round: session.roundCount,
	};
	change(draft, { history: [...session.history, added] });
	return added;
}

/** Text that came while the model could not be reached belongs to the answer it is waiting for. */
export function appendToLastAnswer(draft: Draft): void {
	const { history, pending } = draft.session;
	if (pending === undefined || pending.parts.length === 0) return;
	const at = history.findLastIndex(({ role, kind }) => role === 'user' && kind !== 'intent');
	const isLast = at >= 0 && at === history.length - 1;
	if (!isLast) {
		flushLate(draft);
		return;
	}
	const turn = history[at] as Turn;
	const parts = [...turn.parts, ...pending.parts];
	const kind = turn.kind === 'skip' ? ('answer' as const) : turn.kind;
	const joined: Turn = { ...turn, kind, parts, content: turnContent(parts, turn.choices) };
	change(draft, { history: history.with(at, joined), pending: undefined });
}

/** Puts waiting text into the history as what it is: said too late to be an answer. */
export function flushLate(draft: Draft): boolean {
	const { pending } = draft.session;
	if (pending === undefined || pending.parts.length === 0) return false;
	change(draft, { pending: undefined });
	addTurn(draft, { role: 'user', kind: 'late', parts: [...pending.parts], choices: [] });
	return true;
}

/** Every message id that is part of the history. */
export function isInHistory({ history }: IntakeSession, messageId: string): boolean {
	return history.some(({ parts }) => parts.some((part) => part.messageId === messageId));
}
