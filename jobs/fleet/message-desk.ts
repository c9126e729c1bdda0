import type { FeedDraft } from '../../core/fleet/feed-event.ts';
import type { MessageDesk } from '../../core/fleet/question-desk.ts';
import { quoted } from '../../core/fleet/quote.ts';
import { hasEnded } from '../../core/fleet/session.ts';
import type { FeedStore, SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';

export interface MessageDeskDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly inbox: SessionInbox;
	readonly feed: Pick<FeedStore, 'append'>;
	deliver(sessionId: string): Promise<void>;
	readonly clock: Clock;
	readonly log: Log;
}

/** People's words into sessions: kept in the session's inbox first, so that no restart loses them. */
export function createMessageDesk({ sessions, inbox, feed, deliver, clock, log }: MessageDeskDeps): MessageDesk {
	return {
		async send(sessionId, item, by) {
			const { session } = await sessions.load(sessionId, [], []);
			if (session === undefined) return { kind: 'gone', why: 'there is no such session' };
			if (hasEnded(session)) return { kind: 'gone', why: 'the session has ended' };
			const now = clock.now();
			const put = await inbox.put(sessionId, { ...item, at: now, from: { role: 'person', ...by } });
			if (put.kind === 'full') return { kind: 'refused', why: 'too many messages wait for it already' };
			if (put.kind === 'queued') {
				const event: FeedDraft = {
					at: now,
					kind: 'message',
					sessionId,
					sessionName: session.name,
					cause: { role: 'person', ...by },
					text: item.kind === 'message' ? quoted(item.text ?? '', 400) : `${item.kind} requested`,
					data: { inboxId: item.id, mode: item.mode },
				};
				await feed.append([event]);
			}
			await deliver(sessionId).catch((error: Error) =>
				log.warn({ session: sessionId, problem: error.message }, 'not queued; found again later'),
			);
			return { kind: 'queued' };
		},
	};
}
