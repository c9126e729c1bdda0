import type { Redis } from 'ioredis';
import type { Log } from '../../core/ports.ts';

type Listener = (payload: string) => void;

/** Pub/sub for this process over one connection that opens with the first listener. Every delivery is at most once. */
export interface Topics {
	/**
	 * Hears a topic; returns the remover. `afterGap` is called when the connection was lost and is back: whatever was
	 * published meanwhile was missed.
	 */
	listen(topic: string, listener: Listener, afterGap?: () => void): () => Promise<void>;
	close(): void;
}

interface Entry {
	readonly listener: Listener;
	readonly afterGap?: () => void;
}

export function createTopics(open: () => Redis, log: Log): Topics {
	const entries = new Map<string, Set<Entry>>();
	let client: Redis | undefined;
	let wasReady = false;

	function connect(): Redis {
		if (client) return client;
		const opened = open();
		client = opened;
		client.on('message', (topic: string, payload: string) => {
			for (const entry of entries.get(topic) ?? []) guard(() => entry.listener(payload));
		});
		client.on('ready', () => {
			if (wasReady && entries.size > 0) void renew(opened);
			wasReady = true;
		});
		return client;
	}

	/** Only once the subscriptions stand again is a gap over. */
	async function renew(subscriber: Redis): Promise<void> {
		await subscriber.subscribe(...entries.keys()).catch(() => undefined);
		for (const set of entries.values()) for (const entry of set) guard(() => entry.afterGap?.());
	}

	function guard(call: () => void): void {
		try {
			call();
		} catch (error) {
			log.error({ error: String(error) }, 'a listener of a Redis topic failed');
		}
	}

	return {
		listen(topic, listener, afterGap) {
			const entry: Entry = { listener, afterGap };
			const set = entries.get(topic) ?? new Set();
			entries.set(topic, set);
			set.add(entry);
			const subscriber = connect();
			// Waits in the client's queue while Redis is away and is renewed by it after each reconnect.
			if (set.size === 1)
				subscriber.subscribe(topic).catch((error) => log.warn({ topic, error: String(error) }, 'subscribing failed'));
			return async () => {
				if (!set.delete(entry) || set.size > 0) return;
				entries.delete(topic);
				if (subscriber.status === 'ready') await subscriber.unsubscribe(topic).catch(() => undefined);
			};
		},
		close() {
			entries.clear();
			client?.disconnect();
		},
	};
}
