import { localDay } from '../local-day.ts';
import { applyReports } from './apply-reports.ts';
import { type FeedDraft, SYSTEM_CAUSE } from './feed-event.ts';
import { hasEnded, isBusy } from './session.ts';
import type { SessionChange, SessionView } from './stores.ts';

export interface HostGoneInput {
	readonly view: SessionView;
	/** Names in use, lower case, by session id. */
	readonly names: ReadonlyMap<string, string>;
	readonly timeZone: string;
	readonly now: number;
}

/**
 * What becomes of a session whose machine nobody holds any more. Its process went with the one that ran it, and so did what it
 * asked; the session itself is only stale, as its file can be taken up again there. Undefined when nothing changes.
 */
export function markHostGone({ view, names, timeZone, now }: HostGoneInput): SessionChange | undefined {
	const { session } = view;
	if (session === undefined || hasEnded(session) || session.staleSince !== undefined) return undefined;
	const report = {
		v: 1 as const,
		eventId: `host-gone:${view.version}`,
		at: now,
		session: { nativeId: session.nativeId },
		kind: 'question_closed' as const,
		data: { how: 'lost' as const },
	};
	const { source, host } = session;
	const change = applyReports({
		view,
		reports: [report],
		origin: { source, host },
		names,
		day: localDay(now, timeZone),
		now,
	});
	if (change === undefined) return undefined;
	const event: FeedDraft = {
		at: now,
		kind: 'stale',
		sessionId: session.id,
		sessionName: session.name,
		cause: SYSTEM_CAUSE,
		text: `was ${session.state}, and nobody on its machine looks after it any more`,
	};
	const { reportedAt, lastAt } = session;
	return {
		...change,
		session: { ...change.session, reportedAt, lastAt, staleSince: now },
		events: [...change.events, ...(isBusy(session) ? [event] : [])],
	};
}
