import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { FRESH_CONCIERGE } from '../../../core/fleet/concierge-state.ts';
import type { FeedDraft } from '../../../core/fleet/feed-event.ts';
import { type Question, questionId } from '../../../core/fleet/question.ts';
import { type FleetSession, sessionId } from '../../../core/fleet/session.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let connection: RedisConnection;
let stores: FleetStores;
let other: FleetStores;

const bounds = { feed: () => ({ maxEvents: 1_000, maxAgeMs: 60_000 }), maxInbox: () => 3 };

beforeAll(async () => {
	redis = await startTestRedis();
	connection = await redis.connect();
	stores = createFleetStores(connection, bounds);
	other = createFleetStores(await redis.connect(), bounds);
});
afterEach(() => redis.flush());
afterAll(() => redis.stop());

const draft = (text: string, whoId = 'j1', at = 1_000): FeedDraft => ({
	at,
	kind: 'message',
	cause: { role: 'session', who: 'api-fix', whoId },
	text,
});

function aSession(name: string, nativeId = name): FleetSession {
	return {
		id: sessionId('pi', 'box', nativeId),
		name,
		source: 'pi',
		host: 'box',
		nativeId,
		state: 'working',
		run: 'working',
		wantedName: name,
		openQuestions: [],
		closings: [],
		cost: { totalUsd: 0, day: '2026-11-30', dayBaseUsd: 0 },
		tail: [],
		startedAt: 1,
		stateAt: 1,
		reportedAt: 1,
		updatedAt: 1,
		lastReport: 0,
		lastAt: 0,
		order: { run: 0, end: 0, name: 0, place: 0, summary: 0, screen: 0, close: 0 },
	};
}

function aQuestion(session: FleetSession, revision: number, more: Partial<Question> = {}): Question {
	return {
		id: questionId(session.id, 'ask-1'),
		sessionId: session.id,
		sessionName: session.name,
		ref: 'ask-1',
		kind: 'choice',
		text: 'which schema?',
		choices: [],
		multi: false,
		freeText: true,
		openedAt: 5,
		order: 1,
		state: 'open',
		delivery: 'none',
		deliveryTries: 0,
		reminders: 0,
		revision,
		...more,
	};
}

const change = (session: FleetSession, version: number, more: object = {}) => ({
	session,
	version,
	questions: [],
	events: [],
	reportIds: [],
	...more,
});

describe('feed', () => {
	test('FLT-2 numbers grow by one over processes, pages read on, and what is gone is told', async () => {
		await stores.feed.append([draft('a'), draft('b')]);
		await other.feed.append([draft('c')]);
		const page = await stores.feed.read(1, 10);
		expect(page.events.map(({ seq, text }) => [seq, text])).toEqual([
			[2, 'b'],
			[3, 'c'],
		]);
		expect(page).toMatchObject({ lastSeq: 3, missed: 0 });
		for (let n = 0; n < 12; n += 1) await stores.feed.append(Array.from({ length: 250 }, (_, i) => draft(`${n}.${i}`)));
		const late = await stores.feed.read(3, 5);
		expect(late.missed).toBeGreaterThan(1_000);
		expect(late.events[0]?.seq).toBe(late.missed + 4);
		expect((await stores.feed.readBack(undefined, 2)).events.map(({ seq }) => seq)).toEqual([3_003, 3_002]);
	});

	test('FLT-2 old events go by age, newer ones stay', async () => {
		await stores.feed.append([draft('old', 'j1', 1_000), draft('new', 'j1', 90_000)]);
		await stores.feed.trim(100_000);
		expect((await stores.feed.read(0, 10)).events.map(({ text }) => text)).toEqual(['new']);
		expect((await stores.feed.read(0, 10)).missed).toBe(1);
		expect((await stores.feed.readBack(undefined, 10)).missed).toBe(1);
		expect((await stores.feed.readBack(undefined, 1)).missed).toBe(0);
	});

	test('FLT-2 when age has emptied the feed, whoever is behind is told, and a new reader begins at its end', async () => {
		await stores.feed.append([draft('a'), draft('b'), draft('c')]);
		await stores.feed.trim(1e15);
		expect(await stores.feed.read(1, 10)).toEqual({ events: [], lastSeq: 3, missed: 2 });
		expect(await stores.feed.read(3, 10)).toEqual({ events: [], lastSeq: 3, missed: 0 });
		expect(await stores.feed.readBack(undefined, 10)).toEqual({ events: [], lastSeq: 3, missed: 3 });
		expect(await stores.feed.facts(1, 'c1')).toEqual({ lastSeq: 3, foreign: 2, firstForeignAt: 0 });
		expect(await stores.feed.facts(3, 'c1')).toEqual({ lastSeq: 3, foreign: 0, firstForeignAt: undefined });
	});

	test('FLT-6 X01 own doings are counted out by id, whatever name they carry', async () => {
		await stores.feed.append([draft('mine', 'c1', 10), draft('theirs', 'j2', 20), draft('mine', 'c1', 30)]);
		expect(await stores.feed.facts(0, 'c1')).toEqual({ lastSeq: 3, foreign: 1, firstForeignAt: 20 });
		expect(await stores.feed.facts(2, 'c1')).toEqual({ lastSeq: 3, foreign: 0, firstForeignAt: undefined });
	});

	test('Q02 a feed that comes back empty never gives a number twice within what is kept', async () => {
		await stores.feed.append([draft('a'), draft('b')]);
		await connection.handlers.del(`{${redis.prefix}:fleet}:v1:feed-seq`);
		const [again] = await stores.feed.append([draft('c')]);
		expect(again?.seq).toBe(3);
	});

	test('FLT-2 a reader in another process is called', async () => {
		let calls = 0;
		const stop = other.feed.onAppend(() => {
			calls += 1;
		});
		await expect
			.poll(async () => {
				await stores.feed.append([draft('x')]);
				return calls;
			})
			.toBeGreaterThan(0);
		await stop();
	});
});

describe('sessions', () => {
	test('FLT-1 FLT-4 one step writes all of it, a second writer is told, a name is held once', async () => {
		const session = aSession('api-fix');
		const question = aQuestion(session, 1);
		const first = change(session, 0, { questions: [question], events: [draft('started')], reportIds: ['e1', 'e2'] });
		expect(await stores.sessions.commit(first)).toEqual({ kind: 'stored', lastSeq: 1 });
		expect(await other.sessions.commit(first)).toEqual({ kind: 'conflict' });
		expect(await other.sessions.commit(change(aSession('API-FIX', 'n2'), 0))).toEqual({ kind: 'name_taken' });
		const view = await other.sessions.load(session.id, ['e1', 'e3'], []);
		expect(view.session).toEqual(session);
		expect(view.version).toBeGreaterThan(0);
		expect(view.questions).toEqual([question]);
		expect([...view.known]).toEqual(['e1']);
		expect(await stores.feed.read(0, 10)).toMatchObject({ lastSeq: 1 });
	});

	test('FLT-1 a renamed session frees its old name; a removed one leaves nothing but its events', async () => {
		const session = aSession('one');
		await stores.sessions.commit(
			change(session, 0, { events: [draft('started')], questions: [aQuestion(session, 1)] }),
		);
		const { version } = await stores.sessions.load(session.id, [], []);
		await stores.sessions.commit(change({ ...session, name: 'two' }, version));
		expect(await stores.sessions.commit(change(aSession('one', 'n2'), 0))).toMatchObject({ kind: 'stored' });
		await stores.inbox.put(session.id, message('m1'));
		await stores.sessions.remove(session.id);
		expect(await stores.sessions.list(10)).toHaveLength(1);
		expect([...(await stores.sessions.names()).values()]).toEqual(['one']);
		expect(await stores.questions.unsettled(10)).toEqual([]);
		expect(await stores.inbox.pending(session.id)).toBe(0);
		expect((await stores.feed.read(0, 10)).events).toHaveLength(1);
	});
});

describe('questions', () => {
	test('FLT-13 of two people who press at once one is taken, with its event in the same step', async () => {
		const session = aSession('api-fix');
		await stores.sessions.commit(change(session, 0, { questions: [aQuestion(session, 1)] }));
		const press = (who: FleetStores, whoId: string) =>
			who.questions.save(
				aQuestion(session, 2, { state: 'answered', delivery: 'pending', answeredBy: { who: whoId, whoId } }),
				[draft(`answered by ${whoId}`, whoId)],
			);
		const taken = await Promise.all([press(stores, 'u1'), press(other, 'u2')]);
		expect(taken.filter(Boolean)).toHaveLength(1);
		expect((await stores.feed.read(0, 10)).events).toHaveLength(1);
		expect(await stores.questions.unsettled(10)).toHaveLength(1);
		await stores.questions.save(aQuestion(session, 3, { state: 'answered', delivery: 'delivered' }), []);
		expect(await stores.questions.unsettled(10)).toEqual([]);
		expect(await stores.questions.recent(10)).toHaveLength(1);
	});
});

const message = (id: string) => ({
	id,
	at: 1,
	kind: 'message' as const,
	from: { role: 'person' as const, who: 'sam', whoId: 'u1' },
	mode: 'queue' as const,
	text: id,
});

describe('inbox', () => {
	test('FLT-3 items are numbered, kept until acknowledged, put once, and bounded', async () => {
		expect(await stores.inbox.put('s1', message('a'))).toEqual({ kind: 'queued', seq: 1 });
		expect(await other.inbox.put('s1', message('a'))).toEqual({ kind: 'duplicate', seq: 1 });
		await stores.inbox.put('s1', message('b'));
		await stores.inbox.put('s1', message('c'));
		expect(await stores.inbox.put('s1', message('d'))).toEqual({ kind: 'full' });
		const never = new AbortController().signal;
		expect((await other.inbox.read('s1', 1, 10, 0, never)).map(({ id }) => id)).toEqual(['b', 'c']);
		expect((await stores.inbox.ack('s1', 2)).map(({ id }) => id)).toEqual(['a', 'b']);
		expect(await stores.inbox.ack('s1', 2)).toEqual([]);
		expect(await stores.inbox.pending('s1')).toBe(1);
		expect(await stores.inbox.put('s1', message('d'))).toEqual({ kind: 'queued', seq: 4 });
	});

	test('FLT-3 a long poll ends with the first item, with its time, or with its caller', async () => {
		const gone = new AbortController();
		const waiting = other.inbox.read('s2', 0, 10, 20_000, new AbortController().signal);
		const left = other.inbox.read('s3', 0, 10, 20_000, gone.signal);
		await stores.inbox.put('s2', message('hello'));
		expect((await waiting).map(({ id }) => id)).toEqual(['hello']);
		gone.abort();
		expect(await left).toEqual([]);
		expect(await other.inbox.read('s3', 0, 10, 30, new AbortController().signal)).toEqual([]);
	});
});

test('FLT-5 the concierge’s state is written over the version that was read, and a damaged one is a fresh one', async () => {
	expect(await stores.concierge.read()).toEqual({ state: FRESH_CONCIERGE, version: 0 });
	const on = { ...FRESH_CONCIERGE, id: 'c1', on: true };
	expect(await Promise.all([stores.concierge.commit(0, on), other.concierge.commit(0, on)])).toContain(false);
	expect(await other.concierge.read()).toEqual({ state: on, version: 1 });
	await connection.handlers.hset(`{${redis.prefix}:fleet}:v1:concierge`, 'state', '{"on":');
	expect(await stores.concierge.read()).toEqual({ state: FRESH_CONCIERGE, version: 1 });
});

test('FLT-13 FLT-15 cards, threads and the status line are found again by another process', async () => {
	const card = {
		id: 'q1',
		kind: 'question' as const,
		sessionId: 's1',
		channelId: 'c',
		messageId: 'm',
		shownRevision: 1,
		postedAt: 5,
		mentioned: true,
	};
	await stores.places.writeCard(card);
	await stores.places.writePlace({ sessionId: 's1', threadId: 't1' });
	await stores.places.writeStatusMessage({ channelId: 'c', messageId: 'm', text: 'quiet' });
	expect(await other.places.card('q1')).toEqual(card);
	expect(await other.places.byThread('t1')).toEqual({ sessionId: 's1', threadId: 't1' });
	expect(await other.places.statusMessage()).toMatchObject({ text: 'quiet' });
	// Its thread was deleted and made anew.
	await stores.places.writePlace({ sessionId: 's1', threadId: 't2' });
	await stores.places.writePlace({ sessionId: 's2', threadId: 't3' });
	await other.places.removePlaces([]);
	await other.places.removePlaces(['s1', 'unknown']);
	expect(await stores.places.place('s1')).toBeUndefined();
	for (const threadId of ['t1', 't2']) expect(await stores.places.byThread(threadId)).toBeUndefined();
	expect(await stores.places.places()).toEqual([{ sessionId: 's2', threadId: 't3' }]);
	expect(await stores.places.byThread('t3')).toMatchObject({ sessionId: 's2' });
	// Back again with another thread: the former ones are not taken for its.
	await stores.places.writePlace({ sessionId: 's1', threadId: 't4' });
	for (const threadId of ['t1', 't2']) expect(await stores.places.byThread(threadId)).toBeUndefined();
	await stores.places.writeCard({ ...card, id: 'q2', postedAt: 5 + 15 * 86_400_000 });
	expect((await other.places.cards(10)).map(({ id }) => id)).toEqual(['q2']);
});
