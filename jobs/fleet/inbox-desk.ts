import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { InboxDesk } from '../../core/fleet/report-desk.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { DeliveryResult } from '../../core/fleet/session-control.ts';
import type { SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import { mayHostSee } from '../../core/fleet/trust.ts';

export interface InboxDeskDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly inbox: SessionInbox;
	settle(session: FleetSession, item: InboxItem, result: DeliveryResult): Promise<void>;
}

const PAGE = 100;
const NEVER = new AbortController().signal;

/** What hosts fetch for their sessions. Sessions of others do not exist for them. */
export function createInboxDesk({ sessions, inbox, settle }: InboxDeskDeps): InboxDesk {
	async function own(host: string, sessionId: string): Promise<FleetSession | undefined> {
		const { session } = await sessions.load(sessionId, [], []);
		return session !== undefined && mayHostSee(host, session) ? session : undefined;
	}

	return {
		async read(host, sessionId, after, waitMs, signal) {
			if ((await own(host, sessionId)) === undefined) return undefined;
			return inbox.read(sessionId, after, PAGE, waitMs, signal);
		},
		async ack(host, sessionId, seq) {
			const session = await own(host, sessionId);
			if (session === undefined) return undefined;
			// Written down first: a process that dies here is asked again, and nothing is lost.
			const waiting = await inbox.read(sessionId, 0, Number.MAX_SAFE_INTEGER, 0, NEVER);
			for (const item of waiting) if (item.seq <= seq) await settle(session, item, { kind: 'delivered' });
			return (await inbox.ack(sessionId, seq)).length;
		},
		async refuse(host, sessionId, itemId, result) {
			const session = await own(host, sessionId);
			if (session === undefined) return undefined;
			const waiting = await inbox.read(sessionId, 0, Number.MAX_SAFE_INTEGER, 0, NEVER);
			const item = waiting.find(({ id }) => id === itemId);
			if (item === undefined) return false;
			await settle(session, item, result);
			return true;
		},
	};
}
