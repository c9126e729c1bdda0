import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import type { FeedStore, FleetPlaces } from '../../../core/fleet/stores.ts';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import { createFairLines } from '../../fair-lines.ts';

export interface FeedFollowerDeps {
	readonly feed: Pick<FeedStore, 'read' | 'readBack' | 'onAppend'>;
	readonly places: Pick<FleetPlaces, 'threadCursor' | 'moveThreadCursor'>;
	readonly claims: Pick<MessageClaims, 'claim' | 'release'>;
	/** Whether nothing can be shown at all at the moment. */
	readonly isAway: () => boolean;
	/** Events that have to be shown once over all processes. */
	readonly isShown: (event: FeedEvent) => boolean;
	/**
	 * Shows one. `mayStand`: somebody may have shown it before who could not note that. Rejects when it has to come again; then
	 * it may have been shown already.
	 */
	readonly show: (event: FeedEvent, mayStand: boolean) => Promise<void>;
	/** Sessions that something happened to; in every process, and again after a restart. */
	readonly touch: (sessionIds: ReadonlySet<string>) => void;
	/** Events are gone that were never read. */
	readonly onMissed: (count: number) => void;
	readonly timings?: { readonly gatherMs: number; readonly retryMs: number; readonly markEveryMs: number };
	readonly clock: Clock;
	readonly log: Log;
}

/**
 * Follows the feed from a durable cursor: what has to be shown is shown once, in order by session, over restarts. Sessions
 * take turns, so that one which says much does not keep the words of others waiting. The cursor stays before the first event
 * that is not shown yet.
 */
export interface FeedFollower {
	start(): void;
	/** Looks again at once, also after failures. */
	nudge(): void;
	stop(): Promise<void>;
}

interface Waiting {
	readonly event: FeedEvent;
	readonly isLate: boolean;
}

const TIMINGS = { gatherMs: 200, retryMs: 1_000, markEveryMs: 30_000 };
const PAGE = 200;
const LAST_RETRY_MS = 30_000;
/** Sessions whose words are posted at the same time. */
const PARALLEL = 8;
/** Events that are read and wait to be shown; with that many no more are read. */
const WAITING_MAX = 2_000;
/** An event that is read so late may have been shown by a process that ended before it could note that. */
const LATE_MS = 20_000;

export function createFeedFollower(deps: FeedFollowerDeps): FeedFollower {
	const { feed, places, claims, clock, log } = deps;
	const timings = deps.timings ?? TIMINGS;
	/** Numbers of events that are read and not shown yet, ascending. */
	const waiting = new Set<number>();
	/** Shown by this process, above the durable cursor. */
	const ahead = new Set<number>();
	/** Everything up to here is read; undefined before the first look. */
	let readTo: number | undefined;
	let cursor = 0;
	let markedAt = 0;
	let isWorthMarking = false;
	let removeListener: (() => Promise<void>) | undefined;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let marking: Promise<void> | undefined;
	let isAgain = false;
	let isFull = false;
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
		running = readOn()
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

	const readOn = async () => {
		for (;;) {
			const from = await begin();
			isFull = waiting.size >= WAITING_MAX;
			if (isFull || isStopped) return;
			const page = await feed.read(from, PAGE);
			if (page.missed > 0) deps.onMissed(page.missed);
			const last = page.events.at(-1);
			if (last === undefined || isStopped) return;
			deps.touch(new Set(page.events.flatMap(({ sessionId }) => sessionId ?? [])));
			readTo = last.seq;
			for (const event of page.events.filter(deps.isShown)) {
				waiting.add(event.seq);
				lines.add(event.sessionId ?? '', { event, isLate: clock.now() - event.at > LATE_MS });
			}
			await mark();
			if (page.events.length < PAGE) return;
		}
	};

	/** Where to go on. Another process may be further; without any mark the feed's end is the beginning. */
	const begin = async (): Promise<number> => {
		const stored = await places.threadCursor();
		if (stored !== undefined) {
			pass(stored);
			return Math.max(stored, readTo ?? 0);
		}
		const { lastSeq } = await feed.readBack(undefined, 1);
		await places.moveThreadCursor(lastSeq);
		lines.clear();
		waiting.clear();
		ahead.clear();
		cursor = lastSeq;
		readTo = lastSeq;
		return lastSeq;
	};

	/** Everything up to this number is shown. */
	const pass = (seq: number) => {
		cursor = Math.max(cursor, seq);
		readTo = Math.max(readTo ?? 0, seq);
		for (const one of waiting) if (one <= seq) waiting.delete(one);
		for (const one of ahead) if (one <= seq) ahead.delete(one);
	};

	/** Moves the durable cursor as far as everything is shown. Rejects when the store is away. */
	const mark = async (): Promise<void> => {
		const [first] = waiting;
		const to = first === undefined ? (readTo ?? 0) : first - 1;
		if (to <= cursor) return;
		// Reading a stretch twice costs little when nothing in it had to be shown.
		if (!isWorthMarking && clock.now() - markedAt < timings.markEveryMs) return;
		await places.moveThreadCursor(to);
		isWorthMarking = false;
		markedAt = clock.now();
		pass(to);
	};

	/** What is shown meanwhile is marked along with it. */
	const markSoon = () => {
		isWorthMarking = true;
		marking ??= mark()
			.then(() => {
				marking = undefined;
				const [first] = waiting;
				if ((first === undefined ? (readTo ?? 0) : first - 1) > cursor) markSoon();
			})
			.catch((error: unknown) => {
				marking = undefined;
				log.warn({ error }, 'how far the feed is shown could not be noted; tried again');
				wake(timings.retryMs);
			});
	};

	/** False: another process holds it, so that it must not be passed yet. */
	const showOne = async ({ event, isLate }: Waiting, tries: number): Promise<boolean> => {
		const { seq } = event;
		if (tries > 0) await begin();
		if (!waiting.has(seq)) return true;
		if (!(await claims.claim(`fleet-event-${seq}`))) return false;
		try {
			await deps.show(event, isLate || tries > 0);
		} catch (error) {
			await claims.release(`fleet-event-${seq}`).catch(() => {});
			throw error;
		}
		waiting.delete(seq);
		ahead.add(seq);
		markSoon();
		if (isFull && waiting.size < WAITING_MAX / 2) wake(0);
		return true;
	};

	const lines = createFairLines<Waiting>({
		...{ work: showOne, isAway: deps.isAway, parallel: PARALLEL, lastRetryMs: LAST_RETRY_MS },
		retryMs: timings.retryMs,
		onFailure: (sessionId, error) =>
			log.warn({ error, sessionId }, 'what a session said could not be shown; tried again'),
	});

	return {
		start() {
			removeListener = feed.onAppend(() => wake(timings.gatherMs));
			wake(0);
		},
		nudge() {
			clearTimeout(timer);
			timer = undefined;
			lines.retry();
			wake(0);
		},
		async stop() {
			isStopped = true;
			clearTimeout(timer);
			await removeListener?.();
			await running;
			await lines.stop();
			while (marking !== undefined) await marking;
			// Whoever goes on looks whether these stand already, and must not wait until nobody holds them any more.
			await Promise.all([...ahead].map((seq) => claims.release(`fleet-event-${seq}`).catch(() => {})));
		},
	};
}
