import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import type { FleetSession, TailLine } from '../../../core/fleet/session.ts';
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
