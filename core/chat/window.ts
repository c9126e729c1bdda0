import type { NumberedMessage } from './message.ts';

export interface WindowLimits {
	readonly maxTurns: number;
	readonly maxAgeMs: number;
	/** The newest lines of people that stay whatever their age. */
	readonly minHumans: number;
	/** Lines of programs at most: that many of our own, and that many of other bots. */
	readonly maxBotLines: number;
}

export interface WindowInput {
	/** Oldest first. */
	readonly messages: readonly NumberedMessage[];
	/** Epoch ms. */
	readonly now: number;
	readonly limits: WindowLimits;
	/** Nothing before this epoch ms is shown. */
	readonly contextResetAt?: number;
	/** Nothing after this line is shown: a decision that is run again sees what it saw. */
	readonly upToSeq?: number;
	/** Lines that must be in it although they are not among the newest, e.g. those that wait for an answer. */
	readonly keepIds?: readonly string[];
	/** `source` of our own lines. */
	readonly ownSource?: string;
}

/** Lines that wait for an answer and are kept beyond the newest ones. */
const MAX_KEPT = 5;

/**
 * The talk that the model sees, oldest first: at most `maxTurns` lines not older than `maxAgeMs`, but always the last
 * `minHumans` of people and the last one or two of our own. Lines of programs are capped before people's lines are
 * counted, so no flood of theirs pushes a person out.
 */
export function chatWindow(input: WindowInput): NumberedMessage[] {
	const { now, limits, contextResetAt = 0, upToSeq = Number.POSITIVE_INFINITY, ownSource = 'overseer' } = input;
	const shown = input.messages.filter(({ at, seq }) => at >= contextResetAt && seq <= upToSeq);
	const isRecent = ({ at }: NumberedMessage) => now - at <= limits.maxAgeMs;

	const own = shown.filter(({ bot, source }) => bot && source === ownSource).slice(-limits.maxBotLines);
	const ownAlways = new Set(own.slice(-2));
	const others = shown
		.filter(({ bot, source }) => bot && source !== ownSource)
		.slice(-limits.maxBotLines)
		.filter(isRecent);
	const bots = [...own.filter((line) => ownAlways.has(line) || isRecent(line)), ...others];

	const people = shown.filter(({ bot }) => !bot);
	const kept = new Set((input.keepIds ?? []).slice(-MAX_KEPT));
	const always = people.filter(({ id }, at) => at >= people.length - limits.minHumans || kept.has(id));
	const room = Math.max(0, limits.maxTurns - bots.length - always.length);
	const alwaysIds = new Set(always.map(({ id }) => id));
	const optional = people.filter((line) => !alwaysIds.has(line.id) && isRecent(line));
	const filled = room === 0 ? [] : optional.slice(-room);
	return [...bots, ...always, ...filled].sort((a, b) => a.seq - b.seq);
}

/** Lines that stay even when the budget is too small for more. */
export function isEssential(
	window: readonly NumberedMessage[],
	limits: WindowLimits,
	keepIds: readonly string[] = [],
): (line: NumberedMessage) => boolean {
	const people = window.filter(({ bot }) => !bot).slice(-limits.minHumans);
	const bots = window.filter(({ bot }) => bot).slice(-2);
	const ids = new Set([...people, ...bots].map(({ id }) => id).concat(keepIds.slice(-MAX_KEPT)));
	return ({ id }) => ids.has(id);
}
