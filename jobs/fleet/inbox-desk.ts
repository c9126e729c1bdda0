import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { InboxDesk } from '../../core/fleet/report-desk.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { DeliveryResult } from '../../core/fleet/session-control.ts';
import type { SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import { mayHostSee } from '../../core/fleet/trust.ts';
import { pause } from '../pause.ts';

export interface InboxDeskDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly inbox: SessionInbox;
	settle(session: FleetSession, item: InboxItem, result: DeliveryResult): Promise<void>;
	/** Whether an admin has paused everything: then hosts find nothing, since their agents would begin to work. */
	isPaused(): Promise<boolean>;
}

const PAGE = 100;
const PAUSED_WAIT_MS = 1_000;
const NEVER = new AbortController().signal;

/** What hosts fetch for their sessions. Sessions of others do not exist for them. */
export function createInboxDesk({ sessions, inbox, settle, isPaused }: InboxDeskDeps): InboxDesk {
	/** Waits as an empty inbox would; what is there comes with the next question after the pause. */
	async function nothing(waitMs: number, signal: AbortSignal): Promise<InboxItem[]> {
		await pause(Math.min(waitMs, PAUSED_WAIT_MS), signal).catch(() => undefined);
		return [];
	}

	async function own(host: string, sessionId: string): Promise<FleetSession | undefined> {
		const { session } = await sessions.load(sessionId, [], []);
		return session !== undefined && mayHostSee(host, session) ? session : undefined;
	}

	return {
		async read(host, sessionId, after, waitMs, signal) {
			if ((await own(host, sessionId)) === undefined) return undefined;
			if (await isPaused()) return nothing(waitMs, signal);
			const items = await inbox.read(sessionId, after, PAGE, waitMs, signal);
			return items.length > 0 && (await isPaused()) ? nothing(0, signal) : items;
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
