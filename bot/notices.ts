import type { Client } from 'discord.js';
import type { Clock, Log } from '../core/ports.ts';
import { toPayload } from './views/view.ts';

export interface NoticeDeps {
	readonly client: () => Client | undefined;
	readonly channelId: () => string | undefined;
	readonly clock: Clock;
	readonly log: Log;
}

/** Things an operator must know. Said in the log and the admin channel, once per key in an hour. */
export interface Notices {
	warn(key: string, text: string): void;
	/** Those of the last hour, for health and panels. */
	current(): readonly string[];
}

const AGAIN_AFTER_MS = 60 * 60_000;

export function createNotices({ client, channelId, clock, log }: NoticeDeps): Notices {
	const said = new Map<string, { at: number; text: string }>();
	const fresh = () => [...said.values()].filter(({ at }) => clock.now() - at < AGAIN_AFTER_MS);

	const post = async (text: string) => {
		const id = channelId();
		const session = client();
		if (id === undefined || session === undefined) return;
		const channel = await session.channels.fetch(id);
		if (channel?.isSendable()) await channel.send(toPayload({ content: `⚠️ ${text}` }));
	};

	return {
		warn(key, text) {
			const last = said.get(key);
			if (last !== undefined && clock.now() - last.at < AGAIN_AFTER_MS) return;
			said.set(key, { at: clock.now(), text });
			log.warn({ key }, text);
			post(text).catch((error: unknown) => log.warn({ error, key }, 'the admin channel could not be told'));
		},
		current: () => fresh().map(({ text }) => text),
	};
}
