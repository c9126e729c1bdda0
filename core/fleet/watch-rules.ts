import type { FeedDraft } from './feed-event.ts';
import { SYSTEM_CAUSE } from './feed-event.ts';
import { quoted } from './quote.ts';
import type { FleetSession } from './session.ts';
import type { Watch, WatchWhen } from './watch.ts';

/** Which events a watch fires on. */
const FIRES: Readonly<Record<WatchWhen, (event: FeedDraft, session: FleetSession) => boolean>> = {
	idle: (event, session) =>
		(event.kind === 'finished' || event.kind === 'failed' || event.kind === 'state') &&
		['idle', 'finished', 'failed'].includes(session.state),
	finished: (event) => event.kind === 'finished',
	failed: (event) => event.kind === 'failed',
	question: (event) => event.kind === 'question',
	ended: (event) => event.kind === 'stopped',
	any: () => true,
};

/** Watches on a session that fire with what just happened to it; each fires once. One on a session that ends fires too. */
export function firedWatches(
	watches: readonly Watch[],
	session: FleetSession,
	events: readonly FeedDraft[],
	now: number,
): { readonly ids: readonly string[]; readonly events: readonly FeedDraft[] } {
	const fired = watches.filter(
		(watch) =>
			watch.sessionId === session.id &&
			events.some((event) => event.kind === 'stopped' || FIRES[watch.when](event, session)),
	);
	return { ids: fired.map(({ id }) => id), events: fired.map((watch) => firedEvent(watch, session, now)) };
}

function firedEvent(watch: Watch, session: FleetSession, now: number): FeedDraft {
	const asked = watch.askedBy === undefined ? '' : `, asked by a person: ${quoted(watch.askedBy.text, 200)}`;
	return {
		at: now,
		kind: 'watch_fired',
		sessionId: session.id,
		sessionName: session.name,
		cause: SYSTEM_CAUSE,
		text: `watch for ${watch.when} fired, now ${session.state}${asked}`,
		data: { watch },
	};
}
