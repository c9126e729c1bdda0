import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeTarget } from '../../../adapters/redis/target.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { type FleetBench, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let ollama: LoopbackModel;
let bench: FleetBench;
const children: TestChild[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
	ollama = await createLoopbackOllama();
});
afterEach(async () => {
	await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
	await bench.close();
	ollama.control.reset();
	await server.flush();
});
afterAll(async () => {
	await ollama.close();
	await server.stop();
});

async function worker(): Promise<TestChild> {
	const url = describeTarget(server.where).replace('unix:', 'unix://');
	const child = startChild('test/support/fleet-worker-process.ts', [url, server.prefix, ollama.url]);
	children.push(child);
	await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), 60_000);
	return child;
}
const state = async () => (await bench.stores.concierge.read()).state;
const events = async (kind: string) => (await bench.stores.feed.read(0, 500)).events.filter((e) => e.kind === kind);

test('FLT-6 FLT-16 OPS-15 a worker is killed in the middle of a wake: the same wake is gone on with, and nothing is said twice', async () => {
	bench = await openFleet(server);
	const api = reporter('api', 'api-fix');
	await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	const need = { text: 'api-fix asks which schema to use', level: 'need', id: 'api-fix' };
	// It speaks in its first round and dies in the second.
	ollama.control.queue(
		{ kind: 'json', value: { say: '', calls: [{ tool: 'hub_notify', args: need }] } },
		{ kind: 'hang' },
	);
	ollama.control.always({ kind: 'json', value: { say: '', calls: [] } });
	const first = await worker();
	await bench.desks.conciergeDesk.on(RIA);
	await eventually('the second round hangs', () => ollama.control.state().hanging === 1, 60_000);
	const wake = (await state()).inFlight?.wake;
	expect(wake).toMatchObject({ why: 'heartbeat', tries: 1 });
	const { cursor } = await state();
	await first.end('SIGKILL');
	expect((await state()).cursor).toBe(cursor);
	const again: string[] = [];
	await worker();
	await eventually(
		'another goes on with it',
		async () => {
			const { inFlight } = await state();
			if (inFlight) again.push(`${inFlight.wake.id} ${inFlight.wake.tries}`);
			return (await state()).lastDigestAt > 0;
		},
		60_000,
	);
	expect(again.every((each) => each.startsWith(wake?.id ?? '-'))).toBe(true);
	expect((await state()).greet).toBe(false);
	// The first round was not asked for again, and what it did was not done again.
	expect(ollama.control.requests()).toHaveLength(3);
	expect(await events('concierge_said')).toHaveLength(1);
	await eventually('its words reached people', () => bench.shown.length > 0);
	expect(bench.shown.map(({ kind }) => kind)).toEqual(['cards']);
}, 180_000);

test('FLT-13 OPS-15 an answer whose process died before it was on its way gets there with the next start', async () => {
	bench = await openFleet(server);
	const api = reporter('api', 'api-fix');
	await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	const [question] = await bench.stores.questions.unsettled(5);
	await bench.desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
	// Every queued job is lost with the process that held it.
	const queued = await bench.redis.handlers.keys('*fleet-deliver*');
	expect(queued.length).toBeGreaterThan(0);
	await bench.redis.handlers.del(...queued);
	await worker();
	const [item] = await eventually(
		'it is there',
		async () => {
			const items = await bench.inbox(sessionId('script', 'laptop', 'api'));
			return items.length > 0 ? items : undefined;
		},
		60_000,
	);
	expect(item).toMatchObject({ kind: 'answer', answer: { values: ['v2'] } });
}, 120_000);
