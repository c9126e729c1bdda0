import { promptText } from '../chat/sanitise.ts';
import { type FeedEvent, type FeedKind, isCausedBy } from './feed-event.ts';
import { bare } from './quote.ts';
import { wakeReasonText } from './wake-reason.ts';
import { ENGLISH } from './wording/english.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

export interface LogFilter {
	readonly kinds?: readonly FeedKind[];
	/** Id of a session. */
	readonly sessionId?: string;
	/** Only what this id caused; with the concierge's own id it is `/concierge log`. */
	readonly causedBy?: string;
}

function matchesLog(event: FeedEvent, { kinds, sessionId, causedBy }: LogFilter): boolean {
	if (kinds !== undefined && kinds.length > 0 && !kinds.includes(event.kind)) return false;
	if (sessionId !== undefined && event.sessionId !== sessionId) return false;
	return causedBy === undefined || isCausedBy(event, causedBy);
}

export interface LogPage {
	/** Newest first. */
	readonly events: readonly FeedEvent[];
	/** Read the next, older page with `before` this number; undefined on the last one. */
	readonly older: number | undefined;
}

/**
 * One page out of events read backwards from the feed. `scannedAll`: the feed holds nothing older than these. Take more from
 * the feed (`before` the last one's number) while it is short and not at its end.
 */
export function logPage(
	newestFirst: readonly FeedEvent[],
	filter: LogFilter,
	size: number,
	scannedAll: boolean,
): LogPage {
	const found = newestFirst.filter((event) => matchesLog(event, filter));
	const events = found.slice(0, size);
	if (found.length > size) return { events, older: events.at(-1)?.seq };
	return { events, older: scannedAll ? undefined : newestFirst.at(-1)?.seq };
}

/** One event for people: number, age, what, about whom, caused by whom. */
export function logLine(event: FeedEvent, now: number, words: FleetWording = ENGLISH): string {
	const about = event.sessionName === undefined ? '' : ` ${bare(event.sessionName, 60)}`;
	const cause = causeText(event, words);
	const text = event.text === '' ? '' : `: ${promptText(event.text, 200)}`;
	return `#${event.seq} ${words.ago(event.at, now)} · ${event.kind.replaceAll('_', ' ')}${about}${text}${cause === '' ? '' : ` · ${cause}`}`;
}

/** Who or what is behind an event; empty where its words say that already. */
function causeText(event: FeedEvent, words: FleetWording): string {
	const { role, who, whoId } = event.cause;
	if (role === 'session' && whoId === event.sessionId) return '';
	if (role !== 'concierge') return words.causedBy(bare(who, 40), role);
	const isNamed = event.kind === 'concierge_sent' || event.data?.['level'] === 'answer';
	return wakeReasonText(event, words) ?? (isNamed ? '' : words.byConcierge);
}
