import type { Client, Collection, Message, Snowflake } from 'discord.js';
import { snowflakeAt, snowflakeTime } from '../snowflake.ts';

export interface CatchUpLimits {
	readonly maxAgeMs: number;
	readonly maxMessages: number;
}

/** Messages before the mark that are read again: another process may have stopped between claiming and publishing. */
const OVERLAP_MS = 30_000;

/**
 * Everything older than this id is left alone. `first` is the first message that the store noted: one that came back empty
 * does not know what was handled before, and nothing may be handled twice.
 */
export function catchUpFloor(mark: string, now: number, { maxAgeMs }: CatchUpLimits, first?: string): bigint {
	let floor = BigInt(first ?? 0);
	for (const bound of [snowflakeAt(snowflakeTime(mark) - OVERLAP_MS), snowflakeAt(now - maxAgeMs)])
		if (bound > floor) floor = bound;
	return floor;
}

export interface MissedMessages {
	/** Oldest first. */
	readonly messages: readonly Message[];
	/** More was missed than may be caught up with. */
	readonly isCut: boolean;
}

/** Reads a channel backwards from now to `floor`; `isWanted` messages count against the limit. */
export async function readMissed(
	client: Client,
	channelId: string,
	floor: bigint,
	limits: CatchUpLimits,
	isWanted: (message: Message) => boolean,
): Promise<MissedMessages> {
	const channel = await client.channels.fetch(channelId);
	if (channel === null || !channel.isTextBased()) return { messages: [], isCut: false };
	const messages: Message[] = [];
	let before: Snowflake | undefined;
	const pages = Math.ceil(limits.maxMessages / 100) + 2;
	for (let page = 0; page < pages; page += 1) {
		const batch: Collection<Snowflake, Message> = await channel.messages.fetch({
			limit: 100,
			cache: false,
			...(before === undefined ? {} : { before }),
		});
		const newestFirst = [...batch.values()].sort((a, b) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1));
		for (const message of newestFirst) {
			if (BigInt(message.id) < floor) return { messages: messages.reverse(), isCut: false };
			if (!isWanted(message)) continue;
			if (messages.length === limits.maxMessages) return { messages: messages.reverse(), isCut: true };
			messages.push(message);
		}
		before = newestFirst.at(-1)?.id;
		if (newestFirst.length < 100) return { messages: messages.reverse(), isCut: false };
	}
	return { messages: messages.reverse(), isCut: true };
}
