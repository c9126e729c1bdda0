import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionId } from '../../../core/fleet/session.ts';
import { type FleetBench, type Kept, openFleet, reporter, SCHEMA_QUESTION, SERVER } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
beforeAll(async () => {
	redis = await startTestRedis();
});
beforeEach(async () => {
	bench = await openFleet(redis);
});
afterEach(async () => {
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

const API = sessionId('script', 'laptop', 'api');
const feedKinds = async () => (await bench.stores.feed.read(0, 100)).events.map(({ kind }) => kind);

describe('POST /fleet/events', () => {
	test('FLT-3 a report is kept once, whatever how often it comes, and says where to go on', async () => {
		const api = reporter('api', 'api-fix');
		const events = [api.say('started'), api.say('working'), api.say('finished', { text: 'all green' })];
		const first = await bench.report(events);
		expect(first).toMatchObject({
			known: [],
			refused: [],
			sessions: [{ sessionId: API, nativeId: 'api', name: 'api-fix', lastReport: 3 }],
		});
		const kinds = await feedKinds();
		expect(kinds).toContain('finished');
		const again = await bench.report([...events, api.say('cost', { totalUsd: 0.5 })]);
		expect(again).toMatchObject({ known: ['api-1', 'api-2', 'api-3'], sessions: [{ lastReport: 4 }] });
		expect((await feedKinds()).slice(0, kinds.length)).toEqual(kinds);
		const [session] = await bench.stores.sessions.list(10);
		expect(session).toMatchObject({ name: 'api-fix', state: 'finished', host: 'laptop', source: 'script' });
		expect(session?.cost.totalUsd).toBe(0.5);
	});

	test('FLT-3 a bad event is named with its place and reason, and the good ones of the batch are kept', async () => {
		const api = reporter('api');
		const response = await bench.post('/fleet/events', {
			source: 'script',
			events: [api.say('started'), { ...api.say('working'), kind: 'dancing' }, 7],
		});
		expect(response.status).toBe(200);
		const answer = (await response.json()) as Kept;
		expect(answer.kept).toEqual(['api-1']);
		expect(answer.refused).toMatchObject([{ index: 1, eventId: 'api-2' }, { index: 2 }]);
		expect(answer.refused[0]?.problems.join()).toContain('kind');
		const none = await bench.post('/fleet/events', { source: 'script', events: [{}] });
		expect(none.status).toBe(422);
		expect((await bench.post('/fleet/events', { source: 'script' })).status).toBe(422);
	});

	test('FLT-17 without the token of a host nothing is taken, and nobody speaks for the sessions of the house', async () => {
		const events = [reporter('api').say('started')];
		expect((await bench.post('/fleet/events', { source: 'script', events }, 'guessed-token-000000')).status).toBe(401);
		expect((await bench.post('/fleet/events', { source: 'pi', events })).status).toBe(422);
		expect(await bench.stores.sessions.list(10)).toEqual([]);
	});

	test('FLT-17 the host comes from the token: a body cannot claim another, and tokens see only their own sessions', async () => {
		const event = { ...reporter('api').say('started'), host: 'server' };
		await bench.report([event]);
		const [session] = await bench.stores.sessions.list(10);
		expect(session?.host).toBe('laptop');
		expect((await bench.get(`/fleet/sessions/${API}/inbox`)).status).toBe(200);
		expect((await bench.get(`/fleet/sessions/${API}/inbox`, SERVER)).status).toBe(404);
		expect((await bench.post(`/fleet/sessions/${API}/ack`, { seq: 1 }, SERVER)).status).toBe(404);
		// The same native id there is another session, and takes another name.
		await bench.report([reporter('api').say('started')], SERVER);
		const names = (await bench.stores.sessions.list(10)).map(({ name }) => name);
		expect(new Set(names).size).toBe(2);
	});

	test('FLT-17 a host puts reports in and takes its inboxes out, and no way leads to the feed or the fleet', async () => {
		await bench.report([reporter('api').say('started')]);
		const { paths } = (await (await fetch(`${bench.http.url}/openapi.json`)).json()) as {
			paths: Record<string, object>;
		};
		const ways = Object.entries(paths).flatMap(([path, methods]) =>
			path.startsWith('/fleet') ? Object.keys(methods).map((method) => `${method} ${path}`) : [],
		);
		expect(ways.sort()).toEqual([
			'get /fleet/sessions/{id}/inbox',
			'post /fleet/events',
			'post /fleet/sessions/{id}/ack',
			'post /fleet/sessions/{id}/refuse',
		]);
		for (const path of [
			'/fleet',
			'/fleet/events',
			'/fleet/feed',
			'/fleet/sessions',
			`/fleet/sessions/${API}`,
			'/fleet/concierge',
		])
			expect((await bench.get(path)).status, path).toBe(404);
	});

	test('FLT-8 FLT-17 a report sets nothing but its session: not the settings, the concierge, the owner or another session', async () => {
		const before = JSON.stringify([
			bench.settings,
			await bench.stores.concierge.read(),
			await bench.stores.watches.list(),
		]);
		const wish = { on: true, model: 'anthropic/dear', dailyBudgetUsd: 0, wakesPerHour: 9_999, answer: 'always' };
		const report = reporter('api').say('started', { concierge: wish, settings: { fleet: { concierge: wish } } });
		const more = { ownerId: '100000000000000001', muted: false, source: 'pi', id: 'sffffffffffffff' };
		await bench.report([{ ...report, ...more, session: { ...report.session, ...more }, fleet: { concierge: wish } }]);
		const whole = await bench.post('/fleet/events', { source: 'script', events: [report], concierge: wish });
		expect(whole.status).toBe(200);
		const [session, ...others] = await bench.stores.sessions.list(10);
		expect(others).toEqual([]);
		expect(session).toMatchObject({ id: API, source: 'script', host: 'laptop' });
		expect(session?.ownerId).toBeUndefined();
		expect(JSON.stringify(session)).not.toContain('9999');
		const after = JSON.stringify([
			bench.settings,
			await bench.stores.concierge.read(),
			await bench.stores.watches.list(),
		]);
		expect(after).toBe(before);
	});

	test('FLT-1 FLT-4 many reporters at once end in sessions with a name each, and nothing is lost', async () => {
		const all = Array.from({ length: 12 }, (_, index) => reporter(`s${index}`, 'worker'));
		await Promise.all(all.map((each) => bench.report([each.say('started'), each.say('working')])));
		const sessions = await bench.stores.sessions.list(50);
		expect(sessions).toHaveLength(12);
		expect(new Set(sessions.map(({ name }) => name.toLowerCase())).size).toBe(12);
		const one = reporter('busy');
		const events = Array.from({ length: 10 }, (_, index) => one.say('text', { text: `line ${index}` }));
		await Promise.all(events.map((event) => bench.report([event])));
		const { session: busy } = await bench.stores.sessions.load(sessionId('script', 'laptop', 'busy'), [], []);
		expect(busy?.tail.map(({ text }) => text)).toEqual(events.map((_, index) => `line ${index}`));
	}, 60_000);
});

describe('inbox', () => {
	test('FLT-3 a waiting reporter gets a message as soon as it is there, again until it acknowledges it', async () => {
		await bench.report([reporter('api').say('started')]);
		const waiting = bench.inbox(API, '?wait=10000');
		const by = { who: 'Ria', whoId: '100000000000000001' };
		const item = { id: 'm1', kind: 'message', mode: 'queue', text: 'use the fixtures' } as const;
		expect(await bench.desks.messageDesk.send(API, item, by)).toEqual({ kind: 'queued' });
		expect(await bench.desks.messageDesk.send(API, item, by)).toEqual({ kind: 'queued' });
		const items = await waiting;
		expect(items).toMatchObject([{ seq: 1, kind: 'message', text: 'use the fixtures', from: { whoId: by.whoId } }]);
		expect(await bench.inbox(API)).toHaveLength(1);
		expect(await (await bench.post(`/fleet/sessions/${API}/ack`, { seq: 1 })).json()).toEqual({ acknowledged: 1 });
		expect(await bench.inbox(API)).toEqual([]);
		expect((await bench.post(`/fleet/sessions/${API}/ack`, { seq: 0 })).status).toBe(422);
	}, 30_000);

	test('FLT-13 an agent that does not take an answer says why, and acknowledging it afterwards hides nothing', async () => {
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(10);
		const pressed = await bench.desks.questionDesk.answer(
			question?.id ?? '',
			{ values: ['v2'] },
			{ who: 'Ria', whoId: '100000000000000001' },
		);
		expect(pressed.kind).toBe('taken');
		const worker = bench.work();
		const [item] = await bench.inbox(API, '?wait=10000');
		const refusal = { itemId: item?.id, why: 'the dialog is gone' };
		expect((await bench.post(`/fleet/sessions/${API}/refuse`, refusal)).status).toBe(200);
		await bench.post(`/fleet/sessions/${API}/ack`, { seq: item?.seq });
		const after = await bench.stores.questions.read(question?.id ?? '');
		expect(after).toMatchObject({ state: 'answered', delivery: 'failed', deliveryError: 'the dialog is gone' });
		// A person tries again: another item on the same way.
		const sam = { who: 'Sam', whoId: '100000000000000002' };
		expect((await bench.desks.questionDesk.retry(question?.id ?? '', sam)).kind).toBe('taken');
		const { events } = await bench.stores.feed.readBack(undefined, 1);
		expect(events).toMatchObject([
			{ kind: 'answered', cause: { role: 'person', ...sam }, text: '"v2 (migrate)", sent once more' },
		]);
		const second = await bench.inbox(API, `?after=${item?.seq}&wait=10000`);
		expect(second).toMatchObject([{ kind: 'answer', ref: 'ask-1', answer: { values: ['v2'] } }]);
		await worker.stop();
	}, 60_000);
});

test('FLT-3 the interface is described', async () => {
	const { paths } = (await (await fetch(`${bench.http.url}/openapi.json`)).json()) as { paths: object };
	expect(Object.keys(paths)).toEqual(
		expect.arrayContaining(['/fleet/events', '/fleet/sessions/{id}/inbox', '/fleet/sessions/{id}/ack']),
	);
});
