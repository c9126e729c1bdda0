import type { TailLine } from '../../../core/fleet/session.ts';

export interface TailChange {
	/** Newest lines of the stored tail that stay; -1 = it is left as it is. */
	readonly stay: number;
	/** Lines that come behind them, oldest first. */
	readonly lines: readonly TailLine[];
}

/**
 * What turns the stored tail into the new one. An ordinary report adds a line, and only that is written; lines that moved or
 * were numbered anew replace all. `base` is undefined where the stored tail is not known; an empty new tail is no tail that
 * was emptied, since no tail ever is, but one that nobody read.
 */
export function tailChange(base: readonly TailLine[] | undefined, next: readonly TailLine[]): TailChange {
	if (next.length === 0 || next === base) return { stay: -1, lines: [] };
	const last = base?.at(-1);
	if (base === undefined || last === undefined) return { stay: 0, lines: next };
	const stay = next.lastIndexOf(last) + 1;
	const skipped = base.length - stay;
	const isSame = stay > 0 && skipped >= 0 && next.slice(0, stay).every((line, index) => line === base[skipped + index]);
	return isSame ? { stay, lines: next.slice(stay) } : { stay: 0, lines: next };
}
