import { TAIL_LINES, type TailLine } from '../../../core/fleet/session.ts';

/** Lines that a stored tail may have more than a session: trimming it costs as much as adding to it, so it is done now and then. */
const SPARE_LINES = 20;

/** A tail as it is stored. */
export interface StoredTail {
	/** What a session has of it: its newest lines. */
	readonly tail: readonly TailLine[];
	/** Lines in the store at most. */
	readonly stored: number;
}

export interface TailChange {
	/** Newest lines of the stored tail that stay; -1 = it is left as it is. */
	readonly stay: number;
	/** Lines that come behind them, oldest first. */
	readonly lines: readonly TailLine[];
	/** Lines in the store at most, afterwards. */
	readonly stored: number;
}

/**
 * What turns the stored tail into the new one. An ordinary report adds a line, and only that is written; lines that moved or
 * were numbered anew replace all. `base` is undefined where the stored tail is not known; an empty new tail is no tail that
 * was emptied, since no tail ever is, but one that nobody read.
 */
export function tailChange(base: StoredTail | undefined, next: readonly TailLine[]): TailChange {
	const { tail = [], stored = Number.POSITIVE_INFINITY } = base ?? {};
	if (next.length === 0 || next === base?.tail) return { stay: -1, lines: [], stored };
	const last = tail.at(-1);
	const stay = last === undefined ? 0 : next.lastIndexOf(last) + 1;
	const skipped = tail.length - stay;
	if (stay === 0 || skipped < 0 || !isEnd(tail, skipped, next, stay))
		return { stay: 0, lines: next, stored: next.length };
	const lines = next.slice(stay);
	const isFull = next.length === TAIL_LINES && stored + lines.length <= TAIL_LINES + SPARE_LINES;
	if (skipped === 0 || isFull) return { stay: -1, lines, stored: stored + lines.length };
	return { stay, lines, stored: next.length };
}

function isEnd(tail: readonly TailLine[], skipped: number, next: readonly TailLine[], stay: number): boolean {
	for (let at = 0; at < stay; at += 1) if (next[at] !== tail[skipped + at]) return false;
	return true;
}
