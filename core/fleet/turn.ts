import type { ConciergeSettings } from '../../config/fleet.ts';
import { oneLine } from '../chat/sanitise.ts';
import type { MemoryStep } from './concierge-memory.ts';
import type { WakeWhy } from './concierge-state.ts';
import type { WakeFailure } from './failed-wake.ts';
import { type HubResult, isActing, type ProposedHubCall } from './hub-call.ts';
import type { HubReply } from './hub-reply.ts';

/** A turn of the concierge in progress. */
export interface Turn {
	readonly why: WakeWhy;
	/** Rounds that are over, each with its results. */
	readonly steps: readonly MemoryStep[];
	/** Answers that hit the length limit, that could not be read, that were empty. */
	readonly cuts: number;
	readonly broken: number;
	readonly empty: number;
}

export const freshTurn = (why: WakeWhy): Turn => ({ why, steps: [], cuts: 0, broken: 0, empty: 0 });

/** Line of `prompts/fleet/notes.md` that a further try ends with. */
export type TurnNote = 'cut' | 'broken' | 'empty' | 'rounds_spent';

export type TurnStep =
	/** Run these calls, then `withResults`, then ask again. */
	| { readonly kind: 'run'; readonly say: string; readonly calls: readonly ProposedHubCall[] }
	/** Ask once more, with this note at the end. */
	| { readonly kind: 'again'; readonly turn: Turn; readonly note: TurnNote; readonly maxOutputTokens: number }
	/** It is through. `answer`: the words for the person who asked. */
	| { readonly kind: 'done'; readonly say: string; readonly answer: string | undefined; readonly note?: string }
	| { readonly kind: 'failed'; readonly failure: WakeFailure };

/** Extra tries for one kind of trouble within a turn. */
const SECOND_TRIES = 1;

/** What follows from an answer of the model. Every way ends: rounds and second tries are bounded. */
export function decideTurn(turn: Turn, reply: HubReply, settings: ConciergeSettings): TurnStep {
	const { maxOutputTokens } = settings;
	const failed = (code: string, text: string): TurnStep => ({
		kind: 'failed',
		failure: { code, text, isPoison: true },
	});
	switch (reply.kind) {
		case 'refusal':
			return failed('refusal', 'the model declined to answer');
		case 'cut':
			if (turn.cuts < SECOND_TRIES) {
				const again = { ...turn, cuts: turn.cuts + 1 };
				return { kind: 'again', turn: again, note: 'cut', maxOutputTokens: maxOutputTokens * 2 };
			}
			if (turn.why === 'question' && reply.say !== '') return done(turn, reply.say, 'truncated');
			return failed('truncated', 'the answer was cut at its length limit twice');
		case 'empty':
			if (turn.empty < SECOND_TRIES) {
				return { kind: 'again', turn: { ...turn, empty: turn.empty + 1 }, note: 'empty', maxOutputTokens };
			}
			return failed('empty', 'the model answered nothing');
		case 'broken':
			if (turn.broken < SECOND_TRIES) {
				return { kind: 'again', turn: { ...turn, broken: turn.broken + 1 }, note: 'broken', maxOutputTokens };
			}
			return failed('invalid', 'the answer could not be read');
		case 'turn':
			break;
	}
	const roundsLeft = settings.maxRounds - turn.steps.length;
	if (reply.calls.length > 0 && roundsLeft > 0) return { kind: 'run', say: reply.say, calls: reply.calls };
	if (turn.why !== 'question') return done(turn, reply.say, reply.calls.length > 0 ? 'rounds_spent' : undefined);
	if (reply.say !== '') return done(turn, reply.say, undefined);
	if (turn.empty < SECOND_TRIES) {
		const note = reply.calls.length > 0 ? 'rounds_spent' : 'empty';
		return { kind: 'again', turn: { ...turn, empty: turn.empty + 1 }, note, maxOutputTokens };
	}
	return failed('empty', 'the model gave no words for the person who asked');
}

function done(turn: Turn, say: string, note: string | undefined): TurnStep {
	return {
		kind: 'done',
		say,
		answer: turn.why === 'question' ? say : undefined,
		...(note === undefined ? {} : { note }),
	};
}

/** The turn after a round. Results stand in the order of the calls. */
export function withResults(
	turn: Turn,
	say: string,
	calls: readonly ProposedHubCall[],
	results: readonly HubResult[],
): Turn {
	const step: MemoryStep = { ...(say === '' ? {} : { said: say }), calls: [...calls], results: [...results] };
	return { ...turn, steps: [...turn.steps, step] };
}

const BAD_CALL: ReadonlySet<string> = new Set(['invalid_args', 'unknown_tool']);

/** The turn ended on a call that could not be read, which the model did not set right: shown, since what it meant is lost. */
export function badCall(turn: Turn): { readonly code: string; readonly text: string } | undefined {
	const bad = turn.steps.at(-1)?.results.find(({ code }) => BAD_CALL.has(code));
	return bad && { code: bad.code, text: `${oneLine(bad.tool, 40)}: ${bad.text}` };
}

/**
 * Whether the turn has had effects that people or sessions saw. A failure after that still counts as delivered: the model
 * was told, and to tell it again would do everything twice.
 */
export function hasActed(turn: Turn): boolean {
	return turn.steps.some(({ results }) => results.some(({ tool, ok }) => ok && isActing(tool)));
}
