import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { describeTarget } from '../../../adapters/redis/target.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { answer, begin, type IntakeBench, openIntake, sessionOf } from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let bench: IntakeBench;
const children: TestChild[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
});
afterEach(async () => {
	await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
	await bench.close();
	await server.flush();
});
afterAll(() => server.stop());

async function worker(modelMs: number, sinkMs: number): Promise<TestChild> {
	const url = describeTarget(server.where).replace('unix:', 'unix://');
	const child = startChild('test/support/intake-worker-process.ts', [url, server.prefix, `${modelMs}`, `${sinkMs}`]);
	children.push(child);
	await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), 60_000);
	return child;
}
const tally = (name: string) => bench.redis.handlers.lrange(`tally-${name}`, 0, -1);
const waitFor = (id: string, state: string, sets?: number) =>
	eventually(
		`${id} is ${state} ${sets ?? ''}`,
		async () => {
			const session = await sessionOf(bench, id);
			return session.state === state && (sets === undefined || session.questionSets.length === sets)
				? session
				: undefined;
		},
		60_000,
	);
const asks = async (id: string) =>
	(await bench.stores.surface.items(id, 'cxp')).filter(({ item }) => item?.kind === 'ask').length;

describe('a worker of intakes is killed', () => {
	test('INT-15 INT-20 OPS-15 in the middle of a model call: another takes over, one round, one set of questions', async () => {
		bench = await openIntake(server);
		const first = await worker(20_000, 0);
		const id = await begin(bench);
		await eventually('the model is asked', async () => (await tally('calls')).length === 1);
		await first.end('SIGKILL');
		await worker(50, 0);
		const session = await waitFor(id, 'QUESTIONING', 1);
		expect(session.roundCount).toBe(1);
		expect(session.callCount).toBe(1);
		expect(await tally('calls')).toHaveLength(2);
		expect(await asks(id)).toBe(1);
	}, 120_000);

	test('INT-22 OPS-15 after a sink took the packet and before anybody knew: it is brought again under the same id', async () => {
		bench = await openIntake(server);
		const first = await worker(20, 30_000);
		const id = await begin(bench);
		await waitFor(id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer());
		await waitFor(id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('more'));
		const { packet } = await waitFor(id, 'COMPLETE');
		await eventually('the sink has it', async () => (await tally('packets')).length === 1);
		await first.end('SIGKILL');
		await worker(20, 0);
		await eventually(
			'every sink has it',
			async () => {
				const entry = await bench.stores.inbox.entry(packet?.id ?? '');
				return entry?.deliveries.every(({ state }) => state === 'delivered');
			},
			110_000,
		);
		expect(new Set(await tally('packets'))).toEqual(new Set([`${id} ${packet?.id}`]));
		expect((await bench.stores.surface.items(id, 'cxp')).filter(({ item }) => item?.kind === 'reading')).toHaveLength(
			1,
		);
	}, 180_000);

	test('INT-15 INT-20 INT-27 OPS-15 Q01 at random moments, with two workers at once: no round and no packet lost or doubled', async () => {
		bench = await openIntake(server);
		const alive = [await worker(150, 20), await worker(150, 20)];
		const ids = await Promise.all(Array.from({ length: 12 }, () => begin(bench)));
		let over = false;
		const killing = (async () => {
			while (!over) {
				await sleep(300 + Math.random() * 900);
				const [victim] = alive.splice(Math.floor(Math.random() * alive.length), 1);
				await victim?.end('SIGKILL');
				alive.push(await worker(150, 20));
			}
		})();
		await Promise.all(
			ids.map(async (id) => {
				await waitFor(id, 'QUESTIONING', 1);
				await bench.desk.submit(id, answer('first answer'), { waitMs: 0 });
				await waitFor(id, 'QUESTIONING', 2);
				await bench.desk.submit(id, answer('second answer'), { waitMs: 0 });
				await waitFor(id, 'COMPLETE');
			}),
		);
		over = true;
		await killing;
		for (const id of ids) {
			const session = await sessionOf(bench, id);
			expect(session).toMatchObject({ roundCount: 3, state: 'COMPLETE' });
			expect(session.history.filter(({ kind }) => kind === 'answer').map(({ content }) => content)).toEqual([
				'first answer',
				'second answer',
			]);
			expect(await asks(id)).toBe(2);
		}
		await eventually(
			'every packet is delivered',
			async () => {
				const entries = await bench.stores.inbox.list({ limit: 100 });
				return (
					entries.length === 12 &&
					entries.every(({ deliveries }) => deliveries.every(({ state }) => state === 'delivered'))
				);
			},
			120_000,
		);
		const packets = await tally('packets');
		expect(new Set(packets).size).toBe(12);
		expect(new Set(packets.map((line) => line.split(' ')[0])).size).toBe(12);
		const rows = await bench.stores.audit.query({ what: 'finalized', limit: 100 });
		expect(rows).toHaveLength(12);
	}, 240_000);
});
