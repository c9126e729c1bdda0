import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOllamaModel } from '../../../adapters/model/ollama.ts';
import { createCallLimits } from '../../../adapters/redis/stores/call-limits.ts';
import { limitSettings } from '../../../config/limits.ts';
import type { OutboxItem } from '../../../core/fleet/outbox.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import type { Model } from '../../../core/model/model-port.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { createGuardedModel } from '../../../jobs/guarded-model.ts';
import { type FleetBench, fastFleet, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let redis: TestRedis;
let ollama: LoopbackModel;
let model: Model;
let bench: FleetBench;
beforeAll(async () => {
	redis = await startTestRedis();
	ollama = await createLoopbackOllama();
	model = createOllamaModel({
		baseUrl: ollama.url,
		model: 'scripted',
		numCtx: 16_384,
		maxOutputTokens: 2_000,
		think: false,
		keepAlive: -1,
		temperature: 0,
	});
});
afterEach(async () => {
	await bench.close();
	ollama.control.reset();
	await redis.flush();
});
afterAll(async () => {
	await ollama.close();
	await redis.stop();
});

const ask = (id: string, text: string) => ({ id, at: Date.now(), ...RIA, text, replyTo: { channelId: '1' } });
const words = (say: string) => ({ kind: 'json' as const, value: { say, calls: [] } });
const state = async () => (await bench.stores.concierge.read()).state;
const replies = () =>
	bench.shown.filter((item): item is Extract<OutboxItem, { kind: 'reply' }> => item.kind === 'reply');
const replied = (count = 1) => eventually('the answer', () => (replies().length >= count ? replies() : undefined));
const told = () =>
	eventually('it was told', async () => {
		const { lastDigestAt, inFlight } = await state();
		return lastDigestAt > 0 && inFlight === undefined;
	});

async function waiting() {
	const api = reporter('api', 'api-fix');
	await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	return api;
}

test('FLT-14 FLT-20 without a model the fleet is told by code, and nothing is asked of any model', async () => {
	bench = await openFleet(redis);
	await waiting();
	bench.work();
	await bench.desks.conciergeDesk.on(RIA);
	expect(await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'))).toBe('queued');
	const [reply] = await replied();
	expect(reply?.text).toContain('api-fix: waiting');
	expect(reply?.text).toContain('Which schema should I use?');
	await eventually('it is over', async () => (await state()).inFlight === undefined);
	await eventually('nothing else holds it', async () => ((await state()).hold?.reason ?? 'no_model') === 'no_model');
	expect(ollama.control.requests()).toEqual([]);
}, 60_000);

test('FLT-14 FLT-19 a question whose model fails is answered once, with the reason and the plain list', async () => {
	bench = await openFleet(redis);
	await waiting();
	ollama.control.always(words(''));
	bench.work({ model });
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	ollama.control.always({ kind: 'error', status: 404, body: { error: 'model "scripted" not found' } });
	await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	const [reply] = await replied();
	expect(reply?.text).toMatch(/model failed \(missing_model\)/);
	expect(reply?.text).toContain('api-fix: waiting');
	await eventually('it is over', async () => (await state()).inFlight === undefined);
	expect((await state()).lastError?.code).toBe('missing_model');
	// A question is no sign against digests.
	expect((await state()).failures).toBe(0);
	expect(replies()).toHaveLength(1);
}, 60_000);

test('OPS-18 FLT-14 a question past its limit is told so, and digests are not held up by it', async () => {
	bench = await openFleet(redis);
	await waiting();
	ollama.control.always(words('All is well.'));
	const guarded = createGuardedModel({
		model,
		price: () => undefined,
		killSwitch: { isPaused: async () => false, signal: () => new AbortController().signal },
		limits: createCallLimits(await redis.connect()),
		settings: () => limitSettings.parse({ perPersonPerHour: 1 }),
		clock: { now: Date.now },
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	});
	bench.work({ model: guarded });
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	await replied(1);
	await bench.desks.conciergeDesk.ask(ask('q2', 'and now?'));
	const [first, second] = await replied(2);
	expect(first?.text).toContain('All is well.');
	expect(second?.text).toMatch(/perPersonPerHour.+not kept; ask again after <t:\d+:t>/);
	expect(second?.text).toContain('api-fix: waiting');
	expect((await state()).failures).toBe(0);
}, 60_000);

test('FLT-5 FLT-14 switched off, whoever still waits is told so; on again it is the same one with its memory', async () => {
	bench = await openFleet(redis);
	await waiting();
	await bench.desks.conciergeDesk.on(RIA);
	const { id } = await state();
	// No worker runs: the question waits.
	await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	expect(await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'))).toBe('duplicate');
	expect(await bench.desks.conciergeDesk.off(RIA)).toBe(true);
	const [reply] = await replied();
	expect(reply?.text).toContain('switched off');
	await bench.stores.memory.write({ summary: 'Ria likes v2.', turns: [] });
	ollama.control.always(words(''));
	bench.work({ model });
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	expect((await state()).id).toBe(id);
	expect(JSON.stringify(ollama.control.requests()[0]?.body)).toContain('Ria likes v2.');
	await bench.desks.conciergeDesk.remove(RIA);
	expect(await state()).toMatchObject({ on: false, id: '' });
	expect(await bench.stores.memory.read()).toEqual({ summary: '', turns: [] });
}, 60_000);

test('FLT-5 switched off amid a digest it acts no more and is asked no more', async () => {
	bench = await openFleet(redis, { settings: fastFleet() });
	await waiting();
	const notice = { tool: 'hub_notify', args: { level: 'info', text: 'said too late' } };
	ollama.control.queue({ kind: 'json', value: { say: '', calls: [notice] }, delayMs: 1_500 });
	ollama.control.always(words(''));
	bench.work({ model });
	await bench.desks.conciergeDesk.on(RIA);
	await eventually('its turn runs', () => ollama.control.state().pending === 1);
	expect(await bench.desks.conciergeDesk.off(RIA)).toBe(true);
	await eventually('the turn is over', async () => (await state()).inFlight === undefined);
	expect(ollama.control.requests()).toHaveLength(1);
	const { events } = await bench.stores.feed.read(0, 1_000);
	expect(events.filter(({ kind }) => kind === 'concierge_said')).toEqual([]);
	expect((await state()).lastSaid).toBeUndefined();
	// On again it is told of the fleet as it then stands.
	await bench.desks.conciergeDesk.on(RIA);
	await eventually('it is told', () => ollama.control.requests().length === 2);
	await eventually('it is through', async () => !(await state()).greet);
}, 60_000);

test('FLT-5 one that is removed amid a turn leaves nothing to the next one', async () => {
	bench = await openFleet(redis, { settings: fastFleet() });
	await waiting();
	ollama.control.always(words(''));
	bench.work({ model });
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	ollama.control.queue({ ...words('Only api-fix.'), delayMs: 2_000 });
	await bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	await eventually('its turn runs', () => ollama.control.state().pending === 1);
	const askedBy = { ...RIA, text: 'tell api-fix when docs are done' };
	const sessionOf = (await bench.stores.sessions.list(1))[0]?.id ?? '';
	await bench.stores.watches.put({ id: 'w1', sessionId: sessionOf, when: 'any', at: Date.now(), askedBy });
	await bench.desks.conciergeDesk.remove(RIA);
	expect(await bench.stores.watches.list()).toEqual([]);
	await replied();
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	const { turns, summary } = await bench.stores.memory.read();
	expect(summary).toBe('');
	expect(turns.map(({ why }) => why)).toEqual(['heartbeat']);
}, 60_000);

test('FLT-10 a watch that a person asked for fires once, and what they asked for is then relayed', async () => {
	bench = await openFleet(redis, { settings: fastFleet() });
	const api = reporter('api', 'api-fix');
	const web = reporter('web', 'web-ui');
	await bench.report([api.say('started'), api.say('working'), web.say('started'), web.say('working')]);
	ollama.control.always(words('ok'));
	bench.work({ model });
	await bench.desks.conciergeDesk.on(RIA);
	await told();
	const call = (tool: string, args: object) => ({ kind: 'json' as const, value: { say: '', calls: [{ tool, args }] } });
	ollama.control.queue(call('hub_watch', { id: 'api-fix', when: 'finished' }), words('I will.'));
	await bench.desks.conciergeDesk.ask(ask('q1', 'when api-fix is done, tell web-ui'));
	await replied();
	expect(await bench.stores.watches.list()).toHaveLength(1);
	await eventually('its turn is over', async () => (await state()).inFlight === undefined);
	ollama.control.queue(call('hub_send', { to: 'web-ui', text: 'api-fix is done.' }));
	await bench.report([api.say('finished', { text: 'all green' })]);
	const [item] = await bench.inbox(sessionId('script', 'laptop', 'web'), '?wait=10000');
	expect(item?.text).toContain('api-fix is done.');
	expect(item?.text).toContain('Ria');
	expect(await bench.stores.watches.list()).toEqual([]);
}, 60_000);

test('FLT-14 OPS-15 a question whose turn died twice is given up, and whoever asked is told once', async () => {
	bench = await openFleet(redis);
	await waiting();
	await bench.desks.conciergeDesk.on(RIA);
	const { state: before, version } = await bench.stores.concierge.read();
	const wake = { id: 'w1', why: 'question' as const, ask: ask('q1', 'what is blocked?'), tries: 2 };
	await bench.stores.concierge.commit(version, {
		...before,
		inFlight: { wake, startedAt: 1, deadlineAt: 2, worker: 'gone' },
	});
	bench.work();
	const [reply] = await replied();
	expect(reply?.text).toContain('could not be answered');
	expect(reply?.text).toContain('api-fix: waiting');
	await eventually('it is put down', async () => (await state()).lastError?.code === 'died');
	expect((await state()).inFlight).toBeUndefined();
	expect(replies()).toHaveLength(1);
}, 60_000);
