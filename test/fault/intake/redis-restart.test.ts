import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
	answer,
	begin,
	type IntakeBench,
	openIntake,
	scriptedModel,
	sessionOf,
	usualAnswer,
} from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let bench: IntakeBench;
beforeAll(async () => {
	server = await startTestRedis({ own: true });
	await (await server.connect()).handlers.config('SET', 'appendfsync', 'always');
	bench = await openIntake(server, {
		commandTimeoutMs: 1_000,
		model: scriptedModel(async (request) => {
			await sleep(300);
			return usualAnswer(request);
		}),
	});
});
afterAll(async () => {
	await bench.close();
	await server.stop();
});

const waitFor = (id: string, state: string, sets?: number) =>
	eventually(
		`${id} is ${state} ${sets ?? ''}`,
		async () => {
			const session = await sessionOf(bench, id).catch(() => undefined);
			return session?.state === state && (sets === undefined || session.questionSets.length === sets)
				? session
				: undefined;
		},
		60_000,
	);

describe('Redis restarts under the intakes', () => {
	test('INT-14 INT-27 OPS-15 Q02 killed while models are asked: every reply and answer counts once, the intakes go on', async () => {
		bench.work();
		const ids = await Promise.all(Array.from({ length: 8 }, () => begin(bench)));
		await server.restart();
		const refused = await bench.desk.submit(ids[0] ?? '', answer('said while it was away'), { waitMs: 0 });
		for (const id of ids) await waitFor(id, 'QUESTIONING', 1);
		// Whatever was said of that answer is true: not stored, or stored and used.
		const isKept = refused.kind !== 'unavailable' || refused.kept;
		// Said before the questions came it answers none of them: it waits for the answer that it belongs to.
		const isEarly = (await sessionOf(bench, ids[0] ?? '')).pending !== undefined;
		const isAnswer = isKept && !isEarly;
		if (isAnswer) await waitFor(ids[0] ?? '', 'QUESTIONING', 2);
		await Promise.all(
			ids.map(async (id, index) => {
				if (index === 0 && isAnswer) return;
				await bench.desk.submit(id, answer('first'), { waitMs: 0 });
			}),
		);
		await sleep(100);
		await server.restart();
		for (const id of ids) await waitFor(id, 'QUESTIONING', 2);
		await Promise.all(
			ids.map(async (id) => {
				await eventually('it is taken in', async () => {
					const said = await bench.desk.submit(id, answer('second', `last-${id}`), { waitMs: 0 });
					return said.kind !== 'unavailable';
				});
			}),
		);
		for (const id of ids) {
			const session = await waitFor(id, 'COMPLETE');
			expect(session.roundCount).toBe(3);
			expect(session.history.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
		}
		expect(await bench.stores.inbox.list({ limit: 50 })).toHaveLength(8);
	}, 120_000);

	test('INT-19 Q02 Redis comes back empty: the intake is said to be lost, and a new one works', async () => {
		const id = await begin(bench);
		await waitFor(id, 'QUESTIONING', 1);
		await server.restart({ empty: true });
		await eventually(
			'it answers',
			async () => (await bench.stores.work.load(id).catch(() => undefined))?.kind === 'missing',
		);
		expect(await bench.desk.submit(id, answer(), { waitMs: 0 })).toEqual({ kind: 'unknown' });
		await waitFor(await begin(bench), 'QUESTIONING', 1);
	}, 90_000);
});
