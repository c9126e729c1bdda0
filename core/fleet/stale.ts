import type { FleetSettings } from '../../config/fleet.ts';
import { shortTime } from './age.ts';
import type { FeedDraft } from './feed-event.ts';
import { SYSTEM_CAUSE } from './feed-event.ts';
import { quoted } from './quote.ts';
import { type RunningCall, runningCall } from './running-call.ts';
import { type FleetSession, hasEnded, isBusy } from './session.ts';

type StaleSettings = Pick<FleetSettings, 'staleAfterMs' | 'staleRunningAfterMs'>;

export interface SilenceNoted {
	readonly session: FleetSession;
	readonly events: readonly FeedDraft[];
}

/**
 * Notes that a session has not reported for too long; undefined when nothing changes. One that is known to run a long command
 * is only said to do that, once, until even such a command takes too long. A marked one is not thereby finished: the next
 * report takes the mark away. The feed hears only of those that were busy.
 */
export function markStale(session: FleetSession, settings: StaleSettings, now: number): SilenceNoted | undefined {
	if (hasEnded(session) || session.staleSince !== undefined) return undefined;
	const silentMs = now - session.reportedAt;
	if (silentMs < settings.staleAfterMs) return undefined;
	const call = runningCall(session);
	if (call !== undefined && silentMs < Math.max(settings.staleAfterMs, settings.staleRunningAfterMs))
		return session.running?.isTold === true ? undefined : noteLongCall(session, call, now);
	const doing = call === undefined ? '' : `, running ${quoted(call.what, 120)}`;
	const text = `was ${session.state}${doing}, has not reported for ${shortTime(silentMs)}`;
	return {
		session: { ...session, staleSince: now, updatedAt: now },
		events: isBusy(session) ? [eventOf(session, 'stale', text, now)] : [],
	};
}

function noteLongCall(session: FleetSession, { what, since }: RunningCall, now: number): SilenceNoted {
	const running = { order: 0, ...session.running, isTold: true };
	const text = `still runs ${quoted(what, 120)}, begun ${shortTime(now - since)} ago`;
	return { session: { ...session, running, updatedAt: now }, events: [eventOf(session, 'state', text, now)] };
}

function eventOf(session: FleetSession, kind: 'stale' | 'state', text: string, at: number): FeedDraft {
	return { at, kind, sessionId: session.id, sessionName: session.name, cause: SYSTEM_CAUSE, text };
}

/** An ended session leaves the list after a while. Its events stay in the feed. */
export function isForgotten(session: FleetSession, settings: Pick<FleetSettings, 'keepEndedMs'>, now: number): boolean {
	return session.endedAt !== undefined && now - session.endedAt >= settings.keepEndedMs;
}
