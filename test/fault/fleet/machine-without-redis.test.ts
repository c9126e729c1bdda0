import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentPlace, agentHost, createAgentPlace } from '../../support/agent-place.ts';
import { type FleetBench, openFleet, RIA } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
let place: AgentPlace;
beforeEach(async () => {
	redis = await startTestRedis({ own: true });
	place = await createAgentPlace();
	bench = await openFleet(redis);
	bench.work({ host: agentHost('box', place.root, bench.desks, testLog()) });
});
afterEach(async () => {
	await bench.close();
	await redis.stop();
	await eventually('no agent is left', async () => (await place.running()).length === 0);
	await place.close();
});

const WAIT_MS = 60_000;
const quiet = <T>(work: Promise<T>) => work.catch(() => undefined);

/** A session that has a file and asks. */
async function asking() {
	await eventually('the machine is there', async () => (await bench.desks.startDesk.hosts()).length === 1, WAIT_MS);
	const wish = { name: 'api-fix', directory: place.work, ownerId: RIA.whoId, task: 'ask me' };
	const started = await bench.desks.startDesk.start('r1', wish, AbortSignal.timeout(WAIT_MS));
	if (started.kind !== 'started') throw new Error(`not started: ${JSON.stringify(started)}`);
	const id = started.sessionId;
	return { id, question: await openQuestion(id) };
}
const openQuestion = (id: string) =>
	eventually(
		'it asks',
		async () => (await quiet(bench.stores.questions.bySession(id)))?.find(({ state }) => state === 'open'),
		WAIT_MS,
	);
const session = async (id: string) => (await quiet(bench.stores.sessions.load(id, [], [])))?.session;

test('FLT-3 FLT-13 OPS-15 Redis is killed and comes back with its data: the agent and its question are still there, and are answered', async () => {
	const { id, question } = await asking();
	const [pid] = await place.running();
	await redis.killHard();
	// Longer than the machine is held.
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	await redis.restart();
	await eventually(
		'the machine is there again',
		async () => ((await quiet(bench.desks.startDesk.hosts())) ?? []).length === 1,
		WAIT_MS,
	);
	expect(await place.running()).toEqual([pid]);
	expect((await openQuestion(id)).id).toBe(question.id);
	await bench.desks.questionDesk.answer(question.id, { values: ['v2 (migrate)'] }, RIA);
	await eventually('it went on', async () => (await session(id))?.summary === 'took v2 (migrate)', WAIT_MS);
}, 180_000);

test('FLT-13 FLT-4 OPS-15 Redis comes back empty: the session is in the list again and asks under the same id', async () => {
	const { id, question } = await asking();
	const [pid] = await place.running();
	await redis.restart({ empty: true });
	await eventually('it is known again', async () => (await session(id)) !== undefined, WAIT_MS);
	const again = await openQuestion(id);
	expect(again).toMatchObject({ id: question.id, text: question.text, choices: question.choices });
	expect(await place.running()).toEqual([pid]);
	expect(await session(id)).toMatchObject({ name: 'api-fix', host: 'box', directory: place.work });
	await bench.desks.questionDesk.answer(again.id, { values: ['v1 (keep)'] }, RIA);
	await eventually('it went on', async () => (await session(id))?.summary === 'took v1 (keep)', WAIT_MS);
}, 180_000);
