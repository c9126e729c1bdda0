import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { eventually } from '../support/fakes/eventually.ts';
import { type FleetBench, openFleet, RIA } from '../support/fleet.ts';
import { createPiRig, type PiRig } from '../support/pi-rig.ts';
import { createPiHome, installPi } from '../support/real-pi.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const installed = await installPi(inject('dataDir'));
const WAIT_MS = 45_000;

describe.skipIf('skipped' in installed)('a real pi in the whole fleet', () => {
	let home: Awaited<ReturnType<typeof createPiHome>>;
	let redis: TestRedis;
	let bench: FleetBench;
	let rig: PiRig;
	let workers: { stop(): Promise<void> } | undefined;

	beforeAll(async () => {
		home = await createPiHome('command' in installed ? installed.command : 'pi');
		redis = await startTestRedis();
		bench = await openFleet(redis);
		rig = createPiRig(home, {
			sink: async (origin, reports) => void (await bench.desks.reports.take(origin, reports)),
		});
		workers = bench.work({ controls: [rig.control] });
	});
	afterAll(async () => {
		await workers?.stop();
		await rig?.control.close();
		await bench?.close();
		await redis?.stop();
		await home?.close();
	});

	test('FLT-3 FLT-13 an answer given at the desk reaches pi through store, queue and worker, with no model between', async () => {
		const choices = [{ label: 'v1' }, { label: 'v2' }];
		home.model.control.queue(
			{ kind: 'calls', calls: [{ name: 'ask_person', arguments: { question: 'Which schema?', choices } }] },
			{ kind: 'text', text: 'v2 it is.' },
		);
		const wish = { name: 'api-fix', directory: home.work, ownerId: RIA.whoId, task: 'Migrate.' };
		const started = await rig.control.start(wish, AbortSignal.timeout(120_000));
		expect(started).toMatchObject({ kind: 'started', name: 'api-fix' });
		const question = await eventually(async () => {
			const [open] = await bench.stores.questions.unsettled(10);
			if (open === undefined) throw new Error('no question yet');
			return open;
		}, WAIT_MS);
		await bench.desks.questionDesk.answer(question.id, { values: ['v2'] }, RIA);
		await eventually(async () => {
			const [session] = await bench.stores.sessions.list(10);
			expect(session).toMatchObject({ state: 'finished', summary: 'v2 it is.', ownerId: RIA.whoId });
		}, WAIT_MS);
		const settled = await bench.stores.questions.read(question.id);
		expect(settled).toMatchObject({
			state: 'answered',
			delivery: 'delivered',
			answeredBy: RIA,
			answer: { values: ['v2'] },
		});
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('The person answered: v2');
	});
});
