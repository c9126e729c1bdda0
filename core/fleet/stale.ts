import type { FleetSettings } from '../../config/fleet.ts';
import { shortTime } from './age.ts';
import type { FeedDraft } from './feed-event.ts';
import { SYSTEM_CAUSE } from './feed-event.ts';
import { type FleetSession, hasEnded, isBusy } from './session.ts';

/**
 * Marks a session that has not reported for too long. It is not thereby finished: the next report takes the mark away. The
 * feed hears only of those that were busy. Undefined when nothing changes.
 */
export function markStale(
	session: FleetSession,
	settings: Pick<FleetSettings, 'staleAfterMs'>,
	now: number,
): { readonly session: FleetSession; readonly events: readonly FeedDraft[] } | undefined {
	if (hasEnded(session) || session.staleSince !== undefined) return undefined;
	if (now - session.reportedAt < settings.staleAfterMs) return undefined;
	const event: FeedDraft = {
		at: now,
		kind: 'stale',
		sessionId: session.id,
		sessionName: session.name,
		cause: SYSTEM_CAUSE,
		text: `was ${session.state}, has not reported for ${shortTime(now - session.reportedAt)}`,
	};
	return {
		session: { ...session, staleSince: now, updatedAt: now },
		events: isBusy(session) ? [event] : [],
	};
}

/** An ended session leaves the list after a while. Its events stay in the feed. */
export function isForgotten(session: FleetSession, settings: Pick<FleetSettings, 'keepEndedMs'>, now: number): boolean {
	return session.endedAt !== undefined && now - session.endedAt >= settings.keepEndedMs;
}
