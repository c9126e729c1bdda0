import { afterEach, expect, test } from 'vitest';
import { createFeedFollower, type FeedFollower } from '../../../../../bot/fleet/threads/feed-follower.ts';
import { type FeedEvent, SYSTEM_CAUSE } from '../../../../../core/fleet/feed-event.ts';
import { eventually } from '../../../../support/fakes/eventually.ts';
import { createMemoryClaims } from '../../../../support/fakes/memory-claims.ts';
import { testLog } from '../../../../support/redis.ts';

/** A feed and what several processes share. */
function shared() {
	const events: FeedEvent[] = [];
	const listeners = new Set<() => void>();
	let cursor: number | undefined;
	let oldest = 1;
	const claims = createMemoryClaims();
	const asked: string[] = [];
	const claim = (id: string) => {
		asked.push(id);
		return claims.claim(id);
	};
	return {
		events,
		cursor: () => cursor,
		claims: { ...claims, claim },
		/** Events that were asked for, also in vain. */
		asked,
		append(kind: FeedEvent['kind'], sessionId: string) {
			const seq = events.length + 1;
			events.push({ seq, at: Date.now(), kind, sessionId, cause: SYSTEM_CAUSE, text: `${seq}` });
			for (const listener of listeners) listener();
		},
		/** Everything up to this number is gone. */
		trim(seq: number) {
			oldest = seq + 1;
		},
		feed: {
			async read(after: number, limit: number) {
				const kept = events.filter(({ seq }) => seq > after && seq >= oldest).slice(0, limit);
				return { events: kept, lastSeq: events.length, missed: Math.max(0, oldest - 1 - after) };
			},
			readBack: async () => ({ events: [], lastSeq: events.length, missed: 0 }),
			onAppend(listener: () => void) {
				listeners.add(listener);
				return async () => void listeners.delete(listener);
			},
		},
		places: {
			threadCursor: async () => cursor,
			async moveThreadCursor(seq: number) {
				if (cursor === undefined || seq > cursor) cursor = seq;
			},
		},
	};
}

const running: FeedFollower[] = [];
afterEach(async () => {
	await Promise.all(running.splice(0).map((one) => one.stop()));
});

function follow(
	on: ReturnType<typeof shared>,
	show: (event: FeedEvent, mayStand: boolean) => Promise<void>,
	more: { missed?: number[] } = {},
) {
	const touched: string[] = [];
	const follower = createFeedFollower({
		...on,
		isAway: () => false,
		isShown: ({ kind }) => kind === 'message',
		show,
		touch: (ids) => touched.push(...ids),
		onMissed: (count) => more.missed?.push(count),
		timings: { gatherMs: 1, retryMs: 5, markEveryMs: 60_000 },
		clock: { now: Date.now },
		log: testLog(),
	});
	running.push(follower);
	follower.start();
	return { follower, touched };
}

const shownIn =
	(list: number[]) =>
	async ({ seq }: FeedEvent) =>
		void list.push(seq);
/** Somebody asked for what the test itself holds. */
const inVain = (on: ReturnType<typeof shared>, id: string) =>
	eventually(() => on.asked.filter((one) => one === id).length > 1);
const begun = (on: ReturnType<typeof shared>) => eventually(() => on.cursor() !== undefined);

test('FLT-15 it begins with the end of the feed, and after that shows every event once and in order', async () => {
	const on = shared();
	on.append('message', 'a');
	const shown: number[] = [];
	const { touched } = follow(on, shownIn(shown));
	await begun(on);
	for (const kind of ['message', 'state', 'message'] as const) on.append(kind, 'a');
	await eventually(() => shown.length === 2);
	expect(shown).toEqual([2, 4]);
	await eventually(() => on.cursor() === 4);
	expect(touched).toContain('a');
});

test('FLT-15 D11 what came between two runs is shown by the next one, what was shown before is not', async () => {
	const on = shared();
	const first: number[] = [];
	const { follower } = follow(on, shownIn(first));
	await begun(on);
	on.append('message', 'a');
	await eventually(() => on.cursor() === 1);
	await follower.stop();
	on.append('message', 'a');
	on.append('message', 'b');
	const second: number[] = [];
	follow(on, shownIn(second));
	await eventually(() => on.cursor() === 3);
	expect([first, second.sort()]).toEqual([[1], [2, 3]]);
});

test('FLT-15 an event that cannot be shown now is tried again, and what follows it in its session waits', async () => {
	const on = shared();
	const shown: number[] = [];
	let isAway = true;
	follow(on, async ({ seq, sessionId }) => {
		if (isAway && sessionId === 'a') throw new Error('away');
		shown.push(seq);
	});
	await begun(on);
	for (const id of ['a', 'b', 'a']) on.append('message', id);
	await eventually(() => shown.includes(2));
	await new Promise((resolve) => setTimeout(resolve, 30));
	expect(shown).toEqual([2]);
	expect(on.cursor()).toBe(0);
	isAway = false;
	await eventually(() => on.cursor() === 3);
	expect(shown).toEqual([2, 1, 3]);
});

test('FLT-15 Q01 two processes show each event once, and one that holds an event holds the cursor', async () => {
	const on = shared();
	const shown: number[] = [];
	const slow = async ({ seq }: FeedEvent) => {
		await new Promise((resolve) => setTimeout(resolve, 3));
		shown.push(seq);
	};
	follow(on, slow);
	await begun(on);
	follow(on, slow);
	for (let count = 0; count < 40; count += 1) on.append('message', `s${count % 7}`);
	await eventually(() => on.cursor() === 40);
	expect([...shown].sort((left, right) => left - right)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));

	await on.claims.claim('fleet-event-41');
	on.append('message', 'a');
	await new Promise((resolve) => setTimeout(resolve, 30));
	expect(on.cursor()).toBe(40);
	await on.claims.release('fleet-event-41');
	await eventually(() => on.cursor() === 41);
});

test('FLT-2 FLT-15 events that were dropped before they were read are told of', async () => {
	const on = shared();
	const missed: number[] = [];
	const shown: number[] = [];
	const { follower } = follow(on, shownIn(shown));
	await begun(on);
	await follower.stop();
	for (let count = 0; count < 5; count += 1) on.append('message', 'a');
	on.trim(3);
	follow(on, shownIn(shown), { missed });
	await eventually(() => on.cursor() === 5);
	expect(missed[0]).toBe(3);
	expect(shown).toEqual([4, 5]);
});

test('FLT-15 a session that says much keeps nobody waiting: what another says meanwhile is shown before the flood ends', async () => {
	const on = shared();
	const shown: string[] = [];
	follow(on, async ({ sessionId, seq }) => {
		await new Promise((resolve) => setTimeout(resolve, 1));
		shown.push(`${sessionId}${seq}`);
	});
	await begun(on);
	for (let count = 0; count < 400; count += 1) on.append('message', 'flood');
	await eventually(() => shown.length >= 20);
	on.append('message', 'other');
	await eventually(() => shown.length === 401);
	expect(shown.indexOf('other401')).toBeLessThan(350);
	expect(shown.filter((one) => one.startsWith('flood'))).toEqual(
		Array.from({ length: 400 }, (_, index) => `flood${index + 1}`),
	);
	await eventually(() => on.cursor() === 401);
});

test('FLT-15 D11 a process that ends in the middle of a flood leaves the cursor before what it had not shown, and the next one goes on there', async () => {
	const on = shared();
	const shown: string[] = [];
	let isHeld = true;
	const { follower } = follow(on, async ({ sessionId, seq }) => {
		if (isHeld && sessionId === 'flood' && seq > 10) throw new Error('busy');
		shown.push(`${sessionId}${seq}`);
	});
	await begun(on);
	for (let count = 0; count < 30; count += 1) on.append('message', 'flood');
	on.append('message', 'other');
	await eventually(() => shown.length === 11 && on.cursor() === 10);
	await follower.stop();
	isHeld = false;
	const again: [string, boolean][] = [];
	follow(on, async ({ sessionId, seq }, mayStand) => {
		again.push([`${sessionId}${seq}`, mayStand]);
	});
	await eventually(() => on.cursor() === 31);
	const words = Array.from({ length: 20 }, (_, index) => `flood${index + 11}`);
	expect(again.map(([text]) => text).filter((text) => text !== 'other31')).toEqual(words);
	// It is asked for once more, so that whoever posts looks whether it stands.
	expect(again.filter(([text]) => text === 'other31')).toHaveLength(1);
});

test('FLT-15 whoever posts is told when somebody may have posted before: tried before, held by another, or read late', async () => {
	const on = shared();
	const asked: [number, boolean][] = [];
	const { follower } = follow(on, async ({ seq }, mayStand) => {
		asked.push([seq, mayStand]);
		if (seq === 1 && asked.length === 1) throw new Error('no answer');
	});
	await begun(on);
	on.append('message', 'a');
	await eventually(() => on.cursor() === 1);
	await on.claims.claim('fleet-event-2');
	on.append('message', 'a');
	await inVain(on, 'fleet-event-2');
	await on.claims.release('fleet-event-2');
	await eventually(() => on.cursor() === 2);
	on.append('message', 'a');
	await eventually(() => on.cursor() === 3);
	await follower.stop();
	on.append('message', 'a');
	const last = on.events.at(-1);
	if (last !== undefined) on.events[on.events.length - 1] = { ...last, at: Date.now() - 60_000 };
	follow(on, async ({ seq }, mayStand) => void asked.push([seq, mayStand]));
	await eventually(() => on.cursor() === 4);
	expect(asked).toEqual([
		[1, false],
		[1, true],
		[2, true],
		[3, false],
		[4, true],
	]);
});

test('FLT-15 Q01 what another process showed meanwhile is not shown again, even when nobody holds it any more', async () => {
	const on = shared();
	const shown: number[] = [];
	follow(on, shownIn(shown));
	await begun(on);
	await on.claims.claim('fleet-event-1');
	on.append('message', 'a');
	await inVain(on, 'fleet-event-1');
	await on.places.moveThreadCursor(1);
	await on.claims.release('fleet-event-1');
	on.append('message', 'a');
	await eventually(() => on.cursor() === 2);
	expect(shown).toEqual([2]);
});
