import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Question } from '../../../core/fleet/question.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { SOURCE, startDemoSessions } from '../../../demo/sessions/demo-sessions.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { type FleetBench, LAPTOP, openFleet, RIA } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
let running: { stop(): Promise<void> };

const idOf = (name: string) => sessionId(SOURCE, 'laptop', `demo-${name}`);
const session = async (name: string) => (await bench.stores.sessions.load(idOf(name), [], [])).session;
const inState = (name: string, state: string) =>
	eventually(`${name} is ${state}`, async () => {
		const found = await session(name);
		return found?.state === state ? found : undefined;
	});
const events = async (kind: string, name: string) =>
	(await bench.stores.feed.read(0, 1_000)).events.filter((one) => one.kind === kind && one.sessionName === name);
const open = (name: string, words: RegExp): Promise<Question> =>
	eventually(`${name} asks`, async () => {
		const all = await bench.stores.questions.bySession(idOf(name));
		return all.find(({ state, text }) => state === 'open' && words.test(text));
	});
const send = (name: string, text: string, mode: 'queue' | 'interrupt' = 'queue') =>
	bench.desks.messageDesk.send(idOf(name), { id: randomUUID(), kind: 'message', mode, text }, RIA);

function start(stepMs = 40) {
	running = startDemoSessions({
		url: bench.http.url,
		token: LAPTOP,
		stepMs,
		clock: { now: () => Date.now() },
		log: createMemoryLog(),
		newId: randomUUID,
		pollMs: 400,
		retryMs: 100,
	});
}

beforeAll(async () => {
	redis = await startTestRedis();
});
beforeEach(async () => {
	bench = await openFleet(redis);
	bench.work();
	start();
});
afterEach(async () => {
	await running.stop();
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

test('FLT-3 OPS-1 four scripted agents come in over HTTP: one asks, one fails, one finishes at a price, one keeps working', async () => {
	const [asks, fails, ends] = await Promise.all([
		inState('api-fix', 'waiting'),
		inState('test-run', 'failed'),
		inState('deps-audit', 'finished'),
		inState('docs', 'working'),
	]);
	expect(asks.tail.some(({ text }) => text.includes('I found the cause'))).toBe(true);
	expect(fails.runReason).toContain('2 of 148 tests failed');
	expect(ends.summary).toContain('61 packages');
	expect(ends.cost.totalUsd).toBeCloseTo(0.04);
	await eventually('docs tells people of its finding', async () => (await events('message', 'docs')).length > 0);
}, 60_000);

test('FLT-13 an answer reaches the agent that asked, which goes on, asks leave, and finishes with what was said', async () => {
	const schema = await open('api-fix', /Which schema/);
	expect(await bench.desks.questionDesk.answer(schema.id, { values: ['v2'] }, RIA)).toMatchObject({ kind: 'taken' });
	const leave = await open('api-fix', /run the migration/);
	expect(leave).toMatchObject({ kind: 'permission', freeText: false });
	expect(await bench.stores.questions.read(schema.id)).toMatchObject({ state: 'answered', delivery: 'delivered' });
	await bench.desks.questionDesk.answer(leave.id, { values: ['deny'] }, RIA);
	const done = await inState('api-fix', 'finished');
	expect(done.summary).toContain('(Migrate to v2)');
	expect(done.summary).toContain('Nothing was run on staging');
}, 60_000);

test('FLT-15 messages: one that failed runs again, one that works answers, one that waits refuses to be broken into', async () => {
	await inState('test-run', 'failed');
	await send('test-run', 'please try once more');
	expect((await inState('test-run', 'finished')).summary).toContain('148 of 148');
	await send('docs', 'call it sign-in, not login', 'interrupt');
	await eventually('docs repeats it', async () =>
		(await events('message', 'docs')).some(
			({ cause, text }) => cause.role === 'session' && text.includes('sign-in, not login'),
		),
	);
	await open('api-fix', /Which schema/);
	await send('api-fix', 'hurry up', 'interrupt');
	const refused = await eventually('it was refused', () =>
		bench.shown.find((item) => item.kind === 'delivery' && item.sessionId === idOf('api-fix')),
	);
	expect(refused).toMatchObject({ result: { kind: 'failed', why: 'it waits for an answer to its question' } });
}, 60_000);

test('FLT-15 an abort ends the run and a stop the session, and both are seen to have arrived', async () => {
	await inState('docs', 'working');
	await bench.desks.messageDesk.send(idOf('docs'), { id: 'a1', kind: 'abort', mode: 'interrupt' }, RIA);
	await inState('docs', 'idle');
	await bench.desks.messageDesk.send(idOf('docs'), { id: 's1', kind: 'stop', mode: 'interrupt' }, RIA);
	expect((await inState('docs', 'stopped')).endReason).toBe('stopped by Ria');
	await eventually('both were delivered', () => {
		const told = bench.shown.filter((item) => item.kind === 'delivery' && item.result.kind === 'delivered');
		return told.length === 2;
	});
}, 60_000);

test('FLT-4 what happens while the house is away is reported when it is back; a new start finds the same sessions', async () => {
	const schema = await open('api-fix', /Which schema/);
	await running.stop();
	expect((await session('api-fix'))?.endReason).toBe('the rehearsal house closes');
	expect(await bench.stores.questions.read(schema.id)).toMatchObject({ state: 'lost' });
	start();
	const again = await open('api-fix', /Which schema/);
	expect(again.id).not.toBe(schema.id);
	expect(await bench.stores.sessions.list(50)).toHaveLength(4);
	expect((await session('api-fix'))?.endedAt).toBeUndefined();
}, 60_000);
