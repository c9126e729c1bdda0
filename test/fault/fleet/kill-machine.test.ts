import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeTarget } from '../../../adapters/redis/target.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { type AgentPlace, createAgentPlace } from '../../support/agent-place.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { type FleetBench, openFleet, RIA } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
let place: AgentPlace;
const children: TestChild[] = [];
beforeAll(async () => {
	redis = await startTestRedis({ own: true });
});
beforeEach(async () => {
	place = await createAgentPlace();
	bench = await openFleet(redis);
});
afterEach(async () => {
	await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
	await bench.close();
	await redis.flush();
	await eventually('no agent is left', async () => (await place.running()).length === 0);
	await place.close();
});
afterAll(() => redis.stop());

const WAIT_MS = 60_000;

/** A worker that runs the sessions of `box`, or would. */
async function worker(): Promise<TestChild> {
	const url = describeTarget(redis.where).replace('unix:', 'unix://');
	const args = [url, redis.prefix, 'http://127.0.0.1:1', 'box', place.root];
	const child = startChild('test/support/fleet-worker-process.ts', args);
	children.push(child);
	await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), WAIT_MS);
	return child;
}
async function session(id: string): Promise<FleetSession> {
	const { session: found } = await bench.stores.sessions.load(id, [], []);
	if (found === undefined) throw new Error(`no session ${id}`);
	return found;
}
const send = (id: string, itemId: string, text: string) =>
	bench.desks.messageDesk.send(id, { id: itemId, kind: 'message', mode: 'queue', text }, RIA);

/** A session that did one thing, so that it has a file, and asks now. */
async function asking() {
	await eventually('a machine is there', async () => (await bench.desks.startDesk.hosts()).length === 1, WAIT_MS);
	const wish = { name: 'api-fix', directory: place.work, ownerId: RIA.whoId, task: 'look around' };
	const started = await bench.desks.startDesk.start('r1', wish, AbortSignal.timeout(WAIT_MS));
	if (started.kind !== 'started') throw new Error(`not started: ${JSON.stringify(started)}`);
	const id = started.sessionId;
	await eventually('it did something', async () => (await session(id)).state === 'finished', WAIT_MS);
	await send(id, 'm1', 'ask me');
	const question = await eventually(
		'it asks',
		async () => (await bench.stores.questions.bySession(id)).find(({ state }) => state === 'open'),
		WAIT_MS,
	);
	return { id, question };
}

test('FLT-3 FLT-13 OPS-15 the worker of a machine is killed in a question: another takes the machine, the session goes on by its file', async () => {
	const first = await worker();
	const { id, question } = await asking();
	await worker();
	await first.end('SIGKILL');
	// Nobody runs it at this moment; what is sent waits for it.
	await send(id, 'm2', 'go on');
	await eventually('it goes on', async () => (await session(id)).summary === 'did: go on', WAIT_MS);
	expect(await place.running()).toHaveLength(1);
	expect(await bench.stores.questions.read(question.id)).toMatchObject({ state: 'lost', delivery: 'none' });
	// A press on what was asked is late, and says so.
	const pressed = await bench.desks.questionDesk.answer(question.id, { values: ['v2 (migrate)'] }, RIA);
	expect(pressed.kind).toBe('late');
	const lines = await bench.desks.transcript(id, 20, AbortSignal.timeout(WAIT_MS));
	expect(lines?.filter((line) => line === 'user: go on')).toHaveLength(1);
	expect(lines).toContain('user: look around');
}, 180_000);

test('FLT-4 FLT-13 OPS-15 nobody takes the machine: its sessions are stale and their questions lost, until its next process', async () => {
	const first = await worker();
	const { id, question } = await asking();
	// Another worker, without a machine, looks after the fleet.
	bench.work();
	await first.end('SIGKILL');
	await eventually('it is marked', async () => (await session(id)).staleSince !== undefined, WAIT_MS);
	expect(await session(id)).toMatchObject({ state: 'working', openQuestions: [] });
	expect((await session(id)).endedAt).toBeUndefined();
	expect(await bench.stores.questions.read(question.id)).toMatchObject({ state: 'lost' });
	const { events } = await bench.stores.feed.read(0, 500);
	expect(events.filter(({ kind }) => kind === 'stale')).toHaveLength(1);
	expect(await bench.desks.startDesk.hosts()).toEqual([]);
	await worker();
	await eventually('it is back', async () => (await session(id)).staleSince === undefined, WAIT_MS);
	await send(id, 'm2', 'go on');
	await eventually('it goes on', async () => (await session(id)).summary === 'did: go on', WAIT_MS);
}, 180_000);

test('FLT-3 OPS-15 a worker that freezes loses its machine, and ends its agents when it wakes', async () => {
	const first = await worker();
	const { id } = await asking();
	await worker();
	first.process.kill('SIGSTOP');
	await send(id, 'm2', 'go on');
	await eventually('another does it', async () => (await session(id)).summary === 'did: go on', WAIT_MS);
	expect((await place.running()).length).toBe(2);
	first.process.kill('SIGCONT');
	await eventually('one agent is left', async () => (await place.running()).length === 1, WAIT_MS);
	await send(id, 'm3', 'and on');
	await eventually('the right one', async () => (await session(id)).summary === 'did: and on', WAIT_MS);
	expect((await session(id)).endedAt).toBeUndefined();
}, 180_000);
