import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { type FleetSession, TAIL_LINES, type TailLine } from '../../../core/fleet/session.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { feedEvent, sessionOf } from '../../unit/core/fleet/fixture.ts';

let redis: TestRedis;
let stores: FleetStores;
let other: FleetStores;
const bounds = { feed: () => ({ maxEvents: 1_000, maxAgeMs: 60_000 }), maxInbox: () => 3 };

beforeAll(async () => {
	redis = await startTestRedis();
	stores = createFleetStores(await redis.connect(), bounds);
	other = createFleetStores(await redis.connect(), bounds);
});
afterEach(() => redis.flush());
afterAll(() => redis.stop());

const line = (n: number): TailLine => ({ n, at: n, role: 'agent', text: `line ${n} …` });
const session = (name: string, tail: readonly TailLine[] = []): FleetSession => ({
	...sessionOf(name).session!,
	tail: [...tail],
});
const change = (changed: FleetSession, version: number, more: object = {}) => ({
	session: changed,
	version,
	questions: [],
	events: [],
	reportIds: [],
	...more,
});
const load = (where: FleetStores, id: string) => where.sessions.load(id, [], []);

test('FLT-4 FLT-15 what one process adds to a transcript another one reads, and goes on from', async () => {
	const first = session('api', [line(1), line(2)]);
	await stores.sessions.commit(change(first, 0));
	const there = await load(other, first.id);
	expect(there.session).toEqual(first);
	await other.sessions.commit(change({ ...first, tail: [...there.session!.tail, line(3)] }, there.version));
	const here = await load(stores, first.id);
	expect(here.session?.tail).toEqual([line(1), line(2), line(3)]);
	// Older lines that came late stand between the others; the oldest go.
	const [, second, third] = (here.session?.tail ?? []) as [TailLine, TailLine, TailLine];
	const sorted = [second, line(2.5), third];
	await stores.sessions.commit(change({ ...first, tail: sorted }, here.version));
	const again = await load(other, first.id);
	expect(again.session?.tail).toEqual(sorted);
	await other.sessions.commit(change({ ...first, tail: [...again.session!.tail.slice(1), line(4)] }, again.version));
	expect((await load(stores, first.id)).session?.tail).toEqual([line(2.5), line(3), line(4)]);
});

test('FLT-15 a session from the list, which has no transcript, does not lose it when it is written', async () => {
	const first = session('api', [line(1), line(2)]);
	await stores.sessions.commit(change(first, 0));
	const [listed] = await other.sessions.list(5);
	expect(listed).toEqual({ ...first, tail: [] });
	const { version } = await load(stores, first.id);
	await other.sessions.commit(change({ ...listed!, muted: true }, version));
	for (const where of [stores, other]) expect((await load(where, first.id)).session).toEqual({ ...first, muted: true });
});

test('FLT-4 FLT-21 an ordinary report leaves the row as it is and is read as a whole, also where rows stand alone', async () => {
	const client = (await redis.connect()).handlers;
	const first = session('api', [line(1)]);
	await stores.sessions.commit(change(first, 0));
	const [rows = ''] = await client.keys('*v1:sessions');
	const [pulses = ''] = await client.keys('*v1:session-pulses');
	const row = await client.hget(rows, first.id);
	const alive = {
		...first,
		reportedAt: 70,
		updatedAt: 71,
		lastReport: 72,
		lastAt: 73,
		order: { ...first.order, run: 7 },
	};
	const { version } = await load(stores, first.id);
	await stores.sessions.commit(change(alive, version));
	expect(await client.hget(rows, first.id)).toBe(row);
	expect((await load(other, first.id)).session).toEqual(alive);
	expect(await other.sessions.list(5)).toEqual([{ ...alive, tail: [] }]);
	// Each part of a row that changes is written, also one that is gone.
	const failed = { ...alive, runReason: 'no disk left' };
	await stores.sessions.commit(change(failed, (await load(stores, first.id)).version));
	expect((await load(other, first.id)).session).toEqual(failed);
	await stores.sessions.commit(change(alive, (await load(stores, first.id)).version));
	expect((await load(other, first.id)).session).toEqual(alive);
	// Written before there were pulses.
	await client.hdel(pulses, first.id);
	expect(await other.sessions.list(5)).toEqual([{ ...alive, tail: [] }]);
	await stores.sessions.commit(change(first, (await load(stores, first.id)).version));
	expect(await client.exists(rows, pulses)).toBe(2);
	await stores.sessions.remove(first.id);
	expect(await client.exists(rows, pulses)).toBe(0);
});

test('FLT-4 Q02 a session that was removed and came back is never taken for the one that was known', async () => {
	const first = session('api', [line(1)]);
	await stores.sessions.commit(change(first, 0));
	await load(other, first.id);
	await stores.sessions.remove(first.id);
	await stores.sessions.commit(change(session('api', [line(9)]), 0));
	expect((await load(other, first.id)).session?.tail).toEqual([line(9)]);
	await redis.flush();
	expect(await load(other, first.id)).toMatchObject({ session: undefined, version: 0 });
});

test('FLT-4 what is read while another change of this process is refused is still there', async () => {
	const first = session('api', [line(1)]);
	await stores.sessions.commit(change(first, 0));
	const { version } = await load(stores, first.id);
	const lost = change({ ...first, muted: true }, version - 1);
	// Refused, and what was known goes with it, between a question to the store and its answer.
	const [refused, found] = await Promise.all([stores.sessions.commit(lost), load(stores, first.id)]);
	expect(refused).toEqual({ kind: 'conflict' });
	expect(found.session).toEqual(first);
	const [stored, before, after] = await Promise.all([
		stores.sessions.commit(change({ ...first, muted: true }, version)),
		load(stores, first.id),
		load(stores, first.id),
	]);
	expect(stored.kind).toBe('stored');
	for (const { session: read } of [before, after]) expect(read).toEqual({ ...first, muted: true });
});

test('FLT-4 of many changes each goes through or not by itself, in their order', async () => {
	const [a, b, c] = [session('a'), session('b'), session('c')];
	await stores.sessions.commit(change(b, 0));
	const taken = { ...session('d'), name: 'A' };
	const event = (seq: number) => {
		const { seq: _, ...draft } = feedEvent(seq, { text: `event ${seq}` });
		return draft;
	};
	const results = await other.sessions.commitMany([
		change(a, 0, { events: [event(1), event(2)], reportIds: ['e1', 'e2'] }),
		change(b, 0, { events: [event(3)] }),
		change(taken, 0, { events: [event(4)] }),
		change(c, 0, { events: [event(5)], reportIds: ['e5'] }),
	]);
	expect(results).toEqual([
		{ kind: 'stored', lastSeq: 2 },
		{ kind: 'conflict' },
		{ kind: 'name_taken' },
		{ kind: 'stored', lastSeq: 3 },
	]);
	const { events } = await stores.feed.read(0, 10);
	expect(events.map(({ seq, text }) => `${seq} ${text}`)).toEqual(['1 event 1', '2 event 2', '3 event 5']);
	const views = await stores.sessions.loadMany([
		{ id: c.id, reportIds: ['e1', 'e5'], questionIds: [] },
		{ id: a.id, reportIds: ['e2', 'e5', 'e1'], questionIds: [] },
		{ id: 'nobody', reportIds: ['e1'], questionIds: ['q'] },
	]);
	expect(views.map(({ known }) => [...known])).toEqual([['e5'], ['e2', 'e1'], []]);
	expect(views.map((view) => view.session?.name)).toEqual(['c', 'a', undefined]);
});

test('FLT-10 a watch that fired with one change does not fire with the next', async () => {
	const first = session('api');
	await stores.watches.put({ id: 'w1', sessionId: first.id, when: 'any', at: 1 });
	expect(await stores.sessions.commit(change(first, 0, { firedWatchIds: ['w1'] }))).toMatchObject({ kind: 'stored' });
	const { version } = await load(stores, first.id);
	const again = change(first, version, { firedWatchIds: ['w1'] });
	expect(await other.sessions.commit(again)).toEqual({ kind: 'conflict' });
});

test('FLT-4 two of one batch do not get one name, and a name that one gave up is there for the next', async () => {
	const [first, second] = [session('first'), session('second')];
	await stores.sessions.commit(change({ ...first, name: 'api' }, 0));
	const { version } = await load(stores, first.id);
	const results = await stores.sessions.commitMany([
		change({ ...first, name: 'web' }, version),
		change({ ...second, name: 'API' }, 0),
		change({ ...session('third'), name: 'Web' }, 0),
		change({ ...second, name: 'other' }, 0),
	]);
	expect(results.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'name_taken', 'conflict']);
	expect(await stores.sessions.names()).toEqual(
		new Map([
			[first.id, 'web'],
			[second.id, 'api'],
		]),
	);
});

test('FLT-4 FLT-16 a full transcript is trimmed now and then, and every process reads just its newest lines', async () => {
	const client = (await redis.connect()).handlers;
	const [first, small] = [session('api'), session('small')];
	let tail: TailLine[] = [];
	for (let n = 1; n <= TAIL_LINES * 2.5; n += 1) {
		const writer = n % 50 < 45 ? stores : other;
		const { version, session: stored } = await load(writer, first.id);
		expect(stored?.tail ?? []).toEqual(tail);
		tail = [...(stored?.tail ?? []), line(n)].slice(-TAIL_LINES);
		expect(await writer.sessions.commit(change({ ...first, tail }, version))).toMatchObject({ kind: 'stored' });
		const [key = ''] = await client.keys(`*tail:${first.id}`);
		expect(await client.llen(key)).toBeLessThanOrEqual(TAIL_LINES + 20);
	}
	// One that shrinks is not filled up again from what the store had to spare.
	const { version } = await load(stores, first.id);
	await stores.sessions.commit(change({ ...first, tail: tail.slice(-3) }, version));
	expect((await load(other, first.id)).session?.tail).toEqual(tail.slice(-3));
	await stores.sessions.commit(change(small, 0));
	expect((await load(other, small.id)).session).toEqual(small);
});

test('FLT-3 the ids of reports outlive two days from the last one, though not every report puts their end off', async () => {
	const client = (await redis.connect()).handlers;
	let now = Date.now();
	const late = createFleetStores(await redis.connect({ now: () => now }), bounds);
	const first = session('api');
	const twoDays = 2 * 86_400_000;
	for (let n = 0; n < 6; n += 1) {
		const { version, known } = await late.sessions.load(first.id, [`e${n - 1}`, `e${n}`], []);
		expect([...known]).toEqual(n === 0 ? [] : [`e${n - 1}`]);
		await late.sessions.commit(change(first, version, { reportIds: [`e${n}`] }));
		const [key = ''] = await client.keys(`*reports:${first.id}`);
		// What the clock moved on since their end was last put off still leaves two days.
		expect(await client.pttl(key)).toBeGreaterThan(twoDays + 40 * 60_000 * (n % 2));
		now += 40 * 60_000;
	}
	const [key = ''] = await client.keys(`*reports:${first.id}`);
	await client.pexpire(key, twoDays);
	now += 3_600_000;
	const { version } = await late.sessions.load(first.id, [], []);
	await client.zadd(key, Date.now() - twoDays - 5_000, 'ancient');
	await late.sessions.commit(change(first, version, { reportIds: ['last'] }));
	expect(await client.pttl(key)).toBeGreaterThan(twoDays + 3_600_000);
	expect(await client.zrange(key, 0, -1)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'last']);
});

test('FLT-17 any text arrives as it was, beside any other', async () => {
	const first = session('api', [{ ...line(1), text: 'ü 😀 … \n' }]);
	const ids = ['', ' ', '12 ', 'a\nb', '\u0000', 'ö', '😀', '…', '\ud83d', '\ude00'].map((id, at) => `${id}${at}${id}`);
	await stores.sessions.commit(change({ ...first, summary: '„😀“' }, 0, { reportIds: ids.slice(0, 8) }));
	const view = await other.sessions.load(first.id, [...ids.slice(0, 8), 'nothing'], []);
	expect([...view.known]).toEqual(ids.slice(0, 8));
	expect(view.session).toEqual({ ...first, summary: '„😀“' });
});
