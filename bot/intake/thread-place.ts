import type { AnyThreadChannel, Client } from 'discord.js';
import type { IntakeSession } from '../../core/intake/session.ts';
import { toDiscordFailure } from '../discord-failure.ts';

/** What a session's thread is like now. */
export type ThreadPlace =
	| { readonly kind: 'open'; readonly thread: AnyThreadChannel }
	| { readonly kind: 'locked'; readonly thread: AnyThreadChannel }
	| { readonly kind: 'forbidden' }
	| { readonly kind: 'deleted' };

/** Looks a thread up. Rejects when Discord cannot be asked. */
export async function findThread(client: Client, threadId: string): Promise<ThreadPlace> {
	try {
		const channel = await client.channels.fetch(threadId);
		if (channel === null || !channel.isThread()) return { kind: 'deleted' };
		if (channel.locked === true) return { kind: 'locked', thread: channel };
		return channel.viewable && channel.isSendable() ? { kind: 'open', thread: channel } : { kind: 'forbidden' };
	} catch (error) {
		const place = placeFailure(error);
		if (place === undefined) throw error;
		// A locked thread can still be looked up, so that a refusal here is one of rights.
		return { kind: place === 'deleted' ? 'deleted' : 'forbidden' };
	}
}

/** What a refused request says about the place; undefined when it says nothing about it. */
export function placeFailure(error: unknown): 'locked' | 'forbidden' | 'deleted' | undefined {
	const { isPermanent, code, reason } = toDiscordFailure(error);
	if (!isPermanent) return undefined;
	if (code === 10_003 || code === 10_004) return 'deleted';
	if (reason === 'locked') return 'locked';
	return reason === 'forbidden' ? 'forbidden' : undefined;
}

/** Where a session lives on Discord; undefined when it lives elsewhere. */
export function discordPlace(session: IntakeSession) {
	return session.place.kind === 'discord' ? session.place : undefined;
}
