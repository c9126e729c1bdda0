import { expect, test } from 'vitest';
import { createCallLimits } from '../../../adapters/redis/stores/call-limits.ts';
import { limitSettings } from '../../../config/limits.ts';
import type { OutboxItem } from '../../../core/fleet/outbox.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { createGuardedModel } from '../../../jobs/guarded-model.ts';
import { fastFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { ask, scriptedOllama, words } from '../../support/fleet-scene.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { eventually, testLog } from '../../support/redis.ts';

const stage = fleetStage();

const state = async () => (await stage.bench.stores.concierge.read()).state;
const replies = () =>
	stage.bench.shown.filter((item): item is Extract<OutboxItem, { kind: 'reply' }> => item.kind === 'reply');
const replied = (count = 1) => eventually('the answer', () => (replies().length >= count ? replies() : undefined));
const told = () =>
	eventually('it was told', async () => {
		const { lastDigestAt, inFlight } = await state();
		return lastDigestAt > 0 && inFlight === undefined;
	});

async function waiting() {
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	return api;
}

test('FLT-14 FLT-20 without a model the fleet is told by code, and nothing is asked of any model', async () => {
	await stage.open();
	await waiting();
	stage.bench.work();
	await stage.bench.desks.conciergeDesk.on(RIA);
	expect(await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'))).toBe('queued');
	const [reply] = await replied();
	expect(reply?.text).toContain('api-fix: waiting');
	expect(reply?.text).toContain('Which schema should I use?');
	await eventually('it is over', async () => (await state()).inFlight === undefined);
	await eventually('nothing else holds it', async () => ((await state()).hold?.reason ?? 'no_model') === 'no_model');
	expect(stage.ollama.control.requests()).toEqual([]);
}, 60_000);

test('FLT-14 FLT-19 a question whose model fails is answered once, with the reason and the plain list', async () => {
	await stage.open();
	await waiting();
	stage.ollama.control.always(words(''));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	stage.ollama.control.always({ kind: 'error', status: 404, body: { error: 'model "scripted" not found' } });
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
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
	await stage.open();
	await waiting();
	stage.ollama.control.always(words('All is well.'));
	const guarded = createGuardedModel({
		model: scriptedOllama(stage.ollama.url),
		price: () => undefined,
		killSwitch: { isPaused: async () => false, signal: () => new AbortController().signal },
		limits: createCallLimits(await stage.redis.connect()),
		settings: () => limitSettings.parse({ perPersonPerHour: 1 }),
		clock: { now: Date.now },
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	});
	stage.bench.work({ model: guarded });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	await replied(1);
	await stage.bench.desks.conciergeDesk.ask(ask('q2', 'and now?'));
	const [first, second] = await replied(2);
	expect(first?.text).toContain('All is well.');
	expect(second?.text).toMatch(/perPersonPerHour.+not kept; ask again after <t:\d+:t>/);
	expect(second?.text).toContain('api-fix: waiting');
	expect((await state()).failures).toBe(0);
}, 60_000);

test('FLT-5 FLT-14 switched off, whoever still waits is told so; on again it is the same one with its memory', async () => {
	await stage.open();
	await waiting();
	await stage.bench.desks.conciergeDesk.on(RIA);
	const { id } = await state();
	// No worker runs: the question waits.
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	expect(await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'))).toBe('duplicate');
	expect(await stage.bench.desks.conciergeDesk.off(RIA)).toBe(true);
	const [reply] = await replied();
	expect(reply?.text).toContain('switched off');
	await stage.bench.stores.memory.write({ summary: 'Ria likes v2.', turns: [] });
	stage.ollama.control.always(words(''));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	expect((await state()).id).toBe(id);
	expect(JSON.stringify(stage.ollama.control.requests()[0]?.body)).toContain('Ria likes v2.');
	await stage.bench.desks.conciergeDesk.remove(RIA);
	expect(await state()).toMatchObject({ on: false, id: '' });
	expect(await stage.bench.stores.memory.read()).toEqual({ summary: '', turns: [] });
}, 60_000);

test('FLT-5 switched off amid a digest it acts no more and is asked no more', async () => {
	await stage.open({ settings: fastFleet() });
	await waiting();
	const notice = { tool: 'hub_notify', args: { level: 'info', text: 'said too late' } };
	stage.ollama.control.queue({ kind: 'json', value: { say: '', calls: [notice] }, delayMs: 1_500 });
	stage.ollama.control.always(words(''));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await eventually('its turn runs', () => stage.ollama.control.state().pending === 1);
	expect(await stage.bench.desks.conciergeDesk.off(RIA)).toBe(true);
	await eventually('the turn is over', async () => (await state()).inFlight === undefined);
	expect(stage.ollama.control.requests()).toHaveLength(1);
	const { events } = await stage.bench.stores.feed.read(0, 1_000);
	expect(events.filter(({ kind }) => kind === 'concierge_said')).toEqual([]);
	expect((await state()).lastSaid).toBeUndefined();
	// On again it is told of the fleet as it then stands.
	await stage.bench.desks.conciergeDesk.on(RIA);
	await eventually('it is told', () => stage.ollama.control.requests().length === 2);
	await eventually('it is through', async () => !(await state()).greet);
}, 60_000);

test('FLT-5 one that is removed amid a turn leaves nothing to the next one', async () => {
	await stage.open({ settings: fastFleet() });
	await waiting();
	stage.ollama.control.always(words(''));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	stage.ollama.control.queue({ ...words('Only api-fix.'), delayMs: 2_000 });
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what is blocked?'));
	await eventually('its turn runs', () => stage.ollama.control.state().pending === 1);
	const askedBy = { ...RIA, text: 'tell api-fix when docs are done' };
	const sessionOf = (await stage.bench.stores.sessions.list(1))[0]?.id ?? '';
	await stage.bench.stores.watches.put({ id: 'w1', sessionId: sessionOf, when: 'any', at: Date.now(), askedBy });
	await stage.bench.desks.conciergeDesk.remove(RIA);
	expect(await stage.bench.stores.watches.list()).toEqual([]);
	await replied();
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	const { turns, summary } = await stage.bench.stores.memory.read();
	expect(summary).toBe('');
	expect(turns.map(({ why }) => why)).toEqual(['heartbeat']);
}, 60_000);

test('FLT-10 a watch that a person asked for fires once, and what they asked for is then relayed', async () => {
	await stage.open({ settings: fastFleet() });
	const api = reporter('api', 'api-fix');
	const web = reporter('web', 'web-ui');
	await stage.bench.report([api.say('started'), api.say('working'), web.say('started'), web.say('working')]);
	stage.ollama.control.always(words('ok'));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await told();
	const call = (tool: string, args: object) => ({ kind: 'json' as const, value: { say: '', calls: [{ tool, args }] } });
	stage.ollama.control.queue(call('hub_watch', { id: 'api-fix', when: 'finished' }), words('I will.'));
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'when api-fix is done, tell web-ui'));
	await replied();
	expect(await stage.bench.stores.watches.list()).toHaveLength(1);
	await eventually('its turn is over', async () => (await state()).inFlight === undefined);
	stage.ollama.control.queue(call('hub_send', { to: 'web-ui', text: 'api-fix is done.' }));
	await stage.bench.report([api.say('finished', { text: 'all green' })]);
	const [item] = await stage.bench.inbox(sessionId('script', 'laptop', 'web'), '?wait=10000');
	expect(item?.text).toContain('api-fix is done.');
	expect(item?.text).toContain('Ria');
	expect(await stage.bench.stores.watches.list()).toEqual([]);
}, 60_000);

test('FLT-14 OPS-15 a question whose turn died twice is given up, and whoever asked is told once', async () => {
	await stage.open();
	await waiting();
	await stage.bench.desks.conciergeDesk.on(RIA);
	const { state: before, version } = await stage.bench.stores.concierge.read();
	const wake = { id: 'w1', why: 'question' as const, ask: ask('q1', 'what is blocked?'), tries: 2 };
	await stage.bench.stores.concierge.commit(version, {
		...before,
		inFlight: { wake, startedAt: 1, deadlineAt: 2, worker: 'gone' },
	});
	stage.bench.work();
	const [reply] = await replied();
	expect(reply?.text).toContain('could not be answered');
	expect(reply?.text).toContain('api-fix: waiting');
	await eventually('it is put down', async () => (await state()).lastError?.code === 'died');
	expect((await state()).inFlight).toBeUndefined();
	expect(replies()).toHaveLength(1);
}, 60_000);
