import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import type { FeedStore, FleetPlaces } from '../../../core/fleet/stores.ts';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import type { Clock, Log } from '../../../core/ports.ts';

export interface FeedFollowerDeps {
	readonly feed: Pick<FeedStore, 'read' | 'readBack' | 'onAppend'>;
	readonly places: Pick<FleetPlaces, 'threadCursor' | 'moveThreadCursor'>;
	readonly claims: Pick<MessageClaims, 'claim' | 'release'>;
	/** Whether nothing can be shown at all at the moment. */
	readonly isAway: () => boolean;
	/** Events that have to be shown once over all processes. */
	readonly isShown: (event: FeedEvent) => boolean;
	/** Shows one. Rejects when it has to come again; then it may have been shown already. */
	readonly show: (event: FeedEvent) => Promise<void>;
	/** Sessions that something happened to; in every process, and again after a restart. */
	readonly touch: (sessionIds: ReadonlySet<string>) => void;
	/** Events are gone that were never read. */
	readonly onMissed: (count: number) => void;
	readonly timings?: { readonly gatherMs: number; readonly retryMs: number; readonly markEveryMs: number };
	readonly clock: Clock;
	readonly log: Log;
}

/** Follows the feed from a durable cursor: what has to be shown is shown once, in order by session, over restarts. */
export interface FeedFollower {
	start(): void;
	/** Looks again at once, also after failures. */
	nudge(): void;
	stop(): Promise<void>;
}

const TIMINGS = { gatherMs: 200, retryMs: 1_000, markEveryMs: 30_000 };
const PAGE = 200;
const LAST_RETRY_MS = 30_000;

export function createFeedFollower(deps: FeedFollowerDeps): FeedFollower {
	const { feed, places, claims, clock, log } = deps;
	const timings = deps.timings ?? TIMINGS;
	/** Shown by this process, above the cursor. */
	const done = new Set<number>();
	let cursor: number | undefined;
	let markedAt = 0;
	let removeListener: (() => Promise<void>) | undefined;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let isAgain = false;
	let failures = 0;
	let isStopped = false;

	const wake = (afterMs: number) => {
		if (isStopped || timer !== undefined) return;
		timer = setTimeout(() => {
			timer = undefined;
			run();
		}, afterMs);
	};

	const run = () => {
		if (isStopped || deps.isAway()) return;
		if (running !== undefined) {
			isAgain = true;
			return;
		}
		running = followAll()
			.then(() => {
				failures = 0;
			})
			.catch((error: unknown) => {
				log.warn({ error }, 'the feed could not be followed into threads; tried again');
				wake(Math.min(LAST_RETRY_MS, timings.retryMs * 2 ** failures));
				failures += 1;
			})
			.finally(() => {
				running = undefined;
				if (isAgain) wake(timings.gatherMs);
				isAgain = false;
			});
	};

	/** Where to go on. Another process may be further; without any mark the feed's end is the beginning. */
	const begin = async (): Promise<number> => {
		const stored = await places.threadCursor();
		if (stored !== undefined) return Math.max(stored, cursor ?? 0);
		const { lastSeq } = await feed.readBack(undefined, 1);
		await places.moveThreadCursor(lastSeq);
		return lastSeq;
	};

	const followAll = async () => {
		for (;;) {
			const from = await begin();
			cursor = from;
			for (const seq of done) if (seq <= from) done.delete(seq);
			const page = await feed.read(from, PAGE);
			if (page.missed > 0) deps.onMissed(page.missed);
			const last = page.events.at(-1);
			if (last === undefined || isStopped) return;
			deps.touch(new Set(page.events.flatMap(({ sessionId }) => sessionId ?? [])));
			const wanted = page.events.filter(deps.isShown);
			const isAllShown = await showAll(wanted);
			if (!isAllShown) return wake(timings.retryMs);
			cursor = last.seq;
			// Reading a stretch twice costs little when nothing in it had to be shown.
			if (wanted.length === 0 && clock.now() - markedAt < timings.markEveryMs) {
				if (page.events.length < PAGE) return;
				continue;
			}
			await places.moveThreadCursor(last.seq);
			markedAt = clock.now();
		}
	};

	/** False: another process holds one of them, so the cursor must not pass it yet. */
	const showAll = async (events: readonly FeedEvent[]): Promise<boolean> => {
		const lines = new Map<string, FeedEvent[]>();
		for (const event of events) lines.set(event.sessionId ?? '', [...(lines.get(event.sessionId ?? '') ?? []), event]);
		const results = await Promise.allSettled([...lines.values()].map(showLine));
		const failed = results.find((result) => result.status === 'rejected');
		if (failed !== undefined) throw failed.reason;
		return results.every((result) => result.status === 'fulfilled' && result.value);
	};

	const showLine = async (events: readonly FeedEvent[]): Promise<boolean> => {
		for (const event of events) {
			if (done.has(event.seq)) continue;
			if (isStopped || !(await claims.claim(`fleet-event-${event.seq}`))) return false;
			try {
				await deps.show(event);
			} catch (error) {
				await claims.release(`fleet-event-${event.seq}`).catch(() => {});
				throw error;
			}
			done.add(event.seq);
		}
		return true;
	};

	return {
		start() {
			removeListener = feed.onAppend(() => wake(timings.gatherMs));
			wake(0);
		},
		nudge() {
			clearTimeout(timer);
			timer = undefined;
			wake(0);
		},
		async stop() {
			isStopped = true;
			clearTimeout(timer);
			await removeListener?.();
			await running;
		},
	};
}
