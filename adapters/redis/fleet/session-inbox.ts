import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { anySignal } from '../../../core/any-signal.ts';
import { type InboxItem, inboxDraft } from '../../../core/fleet/inbox-item.ts';
import type { SessionInbox } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { ACK_INBOX, PUT_INBOX } from './fleet-scripts.ts';

const IDS_KEPT_MS = 3 * 86_400_000;
/** A call over pub/sub may be lost: the inbox is looked at this often while somebody waits. */
const LOOK_AGAIN_MS = 1_000;

export function createSessionInbox(
	redis: RedisConnection,
	stored: Stored,
	keys: FleetKeys,
	maxWaiting: () => number,
): SessionInbox {
	const topic = redis.keys.topic('fleet-inbox');

	function parse(sessionId: string, lines: readonly string[]): InboxItem[] {
		return lines.flatMap((line) => {
			const space = line.indexOf(' ');
			const draft = stored.parse(inboxDraft, line.slice(space + 1), `${keys.inbox(sessionId)} ${line.slice(0, space)}`);
			return draft ? [{ ...draft, seq: Number(line.slice(0, space)) }] : [];
		});
	}

	const after = async (sessionId: string, seq: number, limit: number): Promise<InboxItem[]> => {
		const lines = await redis.ask((client) => client.lrange(keys.inbox(sessionId), 0, -1));
		return parse(sessionId, lines)
			.filter((item) => item.seq > seq)
			.slice(0, limit);
	};

	return {
		async put(sessionId, draft) {
			const reply = await redis.run(
				PUT_INBOX,
				[keys.inbox(sessionId), keys.inboxIds(sessionId), keys.inboxSeq],
				[sessionId, draft.id, JSON.stringify(draft), maxWaiting(), IDS_KEPT_MS],
			);
			const [kind, seq] = z.tuple([z.enum(['queued', 'duplicate', 'full']), z.number()]).parse(reply);
			if (kind === 'full') return { kind };
			if (kind === 'queued') await redis.ask((client) => client.publish(topic, sessionId));
			return { kind, seq };
		},
		async read(sessionId, seq, limit, waitMs, signal) {
			const deadline = redis.now() + waitMs;
			let call = new AbortController();
			const stopListening = redis.topics.listen(topic, (about) => {
				if (about === sessionId) call.abort();
			});
			try {
				for (;;) {
					const found = await after(sessionId, seq, limit);
					const leftMs = deadline - redis.now();
					if (found.length > 0 || leftMs <= 0 || signal.aborted) return found;
					const wake = anySignal([call.signal, signal]);
					await sleep(Math.min(leftMs, LOOK_AGAIN_MS), undefined, { signal: wake }).catch(() => undefined);
					call = new AbortController();
				}
			} finally {
				await stopListening();
			}
		},
		async ack(sessionId, seq) {
			const dropped = await redis.run(ACK_INBOX, [keys.inbox(sessionId)], [seq]);
			return parse(sessionId, z.array(z.string()).parse(dropped));
		},
		pending: (sessionId) => redis.ask((client) => client.llen(keys.inbox(sessionId))),
	};
}
