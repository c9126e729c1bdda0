import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClaudeBridge, createClaudeBridge } from '../../../adapters/fleet/claude/claude-bridge.ts';
import { createFleetClient } from '../../../adapters/fleet/reporters/fleet-client.ts';
import { createReporter, type Reporter } from '../../../adapters/fleet/reporters/reporter.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { recorded } from '../../replay/fleet/replay.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { type FleetBench, LAPTOP, openFleet, RIA } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const hooks = recorded('claude-code') as Record<string, unknown>[];
const ID = sessionId('claude-code', 'laptop', String(hooks[0]?.['session_id']));
let redis: TestRedis;
let bench: FleetBench;
let bridge: ClaudeBridge;
let reporter: Reporter;

async function bridgeTo(url: string): Promise<void> {
	let lastId = 0;
	const newId = () => `id-${process.pid}-${++lastId}`;
	const log = createMemoryLog();
	bridge = await createClaudeBridge({ token: LAPTOP, port: 0, log, newId, aliveMs: 300, reporter: () => reporter });
	reporter = createReporter({
		client: createFleetClient({ url, token: LAPTOP, source: 'claude-code' }),
		source: 'claude-code',
		clock: { now: () => Date.now() },
		log,
		newId,
		pollMs: 500,
		retryMs: 100,
		onItem: (nativeId, item) => bridge.onItem(nativeId, item),
	});
}

const send = (hook: unknown, token = LAPTOP) =>
	fetch(bridge.url, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}` },
		body: typeof hook === 'string' ? hook : JSON.stringify(hook),
		signal: AbortSignal.timeout(20_000),
	});

beforeAll(async () => {
	redis = await startTestRedis();
});
beforeEach(async () => {
	bench = await openFleet(redis);
	await bridgeTo(bench.http.url);
});
afterEach(async () => {
	await bridge.close();
	await reporter.close();
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

test('FLT-3 FLT-13 a permission waits at its hook until a person answers, and the session goes on', async () => {
	for (const hook of hooks.slice(0, 3)) expect(await (await send(hook)).json()).toEqual({});
	const held = send(hooks[3]);
	const open = await eventually(async () => {
		const [question] = await bench.stores.questions.unsettled(10);
		if (question === undefined) throw new Error('no question yet');
		return question;
	});
	expect(open).toMatchObject({ kind: 'permission', context: 'mkdir db', sessionId: ID });
	// However long nobody answers, it is known to be there.
	const reportedAt = async () => (await bench.stores.sessions.load(ID, [], [])).session?.reportedAt ?? 0;
	const before = await reportedAt();
	await eventually(async () => (await reportedAt()) > before);
	const from = { role: 'person', ...RIA } as const;
	const item = { id: 'i1', at: Date.now(), kind: 'answer', from, mode: 'queue', ref: open.ref } as const;
	await bench.stores.inbox.put(ID, { ...item, answer: { values: ['allow'] } });
	expect(await (await held).json()).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
	await eventually(async () => (await bench.stores.inbox.pending(ID)) === 0);
	for (const hook of [...hooks.slice(4, 8), ...hooks.slice(9, 11), hooks.at(-1)]) await send(hook);
	await eventually(async () => {
		const [session] = await bench.stores.sessions.list(10);
		expect(session).toMatchObject({ state: 'finished', summary: 'Both tables are on v2.', openQuestions: [] });
		expect(session?.endedAt).toBeDefined();
	});
	expect((await bench.stores.questions.read(open.id))?.state).toBe('answered');
});

test('FLT-3 an answer at the terminal frees the hook; words from outside are refused with a reason', async () => {
	for (const hook of hooks.slice(0, 3)) await send(hook);
	const held = send(hooks[3]);
	await eventually(async () => (await bench.stores.questions.unsettled(10)).length === 1);
	await send(hooks[4]);
	expect(await (await held).json()).toEqual({});
	await eventually(async () => (await bench.stores.questions.unsettled(10)).length === 0);
	const from = { role: 'person', ...RIA } as const;
	await bench.stores.inbox.put(ID, { id: 'i2', at: Date.now(), kind: 'message', from, mode: 'queue', text: 'hi' });
	await eventually(async () => (await bench.stores.inbox.pending(ID)) === 0);
});

test('FLT-3 hooks are answered at once while the house is away, and come later; strangers and rubbish change nothing', async () => {
	await bridge.close();
	await reporter.close();
	await bridgeTo('http://127.0.0.1:9');
	const started = Date.now();
	for (const hook of hooks.slice(0, 3)) expect(await (await send(hook)).json()).toEqual({});
	expect(Date.now() - started).toBeLessThan(9_000);
	expect(await reporter.drained(200)).toBe(false);
	expect((await send(hooks[0], 'guessed')).status).toBe(401);
	expect(await (await send('no json')).json()).toEqual({});
	expect(await (await send({ hook_event_name: 'Stop' })).json()).toEqual({});
});
