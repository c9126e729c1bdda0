import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InboxSink } from '../../../core/intake/inbox.ts';
import type { ModelRequest } from '../../../core/model/model-port.ts';
import { type HeldModel, heldModel } from '../../support/held-model.ts';
import { answer, begin, type IntakeBench, openIntake, sessionOf, usualAnswer } from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';
import { cutLines, STORE_FAULTS, type StoreFault, troubleLog } from '../../support/store-faults.ts';

/*
 * Redis fails under a worker that lives on. A turn in hand goes on as soon as Redis answers; nothing waits for a claim to run
 * out, which takes above two minutes.
 */
const AWAY_MS = 3_000;
const SOON_MS = 15_000;

let server: TestRedis;
let bench: IntakeBench;
let model: HeldModel;
const problems: string[] = [];
const packets: string[] = [];
const sink: InboxSink = {
	name: 'webhook:test',
	async deliver(packet) {
		packets.push(packet.id);
		return { ok: true };
	},
};
beforeAll(async () => {
	server = await startTestRedis({ own: true });
});
afterEach(async () => {
	await bench.close();
	await server.flush();
});
afterAll(() => server.stop());

async function open(): Promise<void> {
	problems.length = 0;
	packets.length = 0;
	model = heldModel();
	bench = await openIntake(server, {
		commandTimeoutMs: 1_000,
		model,
		sinks: [{ sink, attempts: 10, backoffMs: 200 }],
		log: troubleLog(problems),
	});
	bench.work();
}

const lastAsked = () => model.requests.at(-1) as ModelRequest;
const thinksAnd = async (act: (reply: string) => unknown) => {
	await model.waiting();
	await act(usualAnswer(lastAsked()));
};
const replies = () => thinksAnd((reply) => model.answer(reply));

const soon = <T>(what: string, check: () => T | Promise<T>) =>
	eventually(
		what,
		async () =>
			await Promise.resolve()
				.then(check)
				.catch(() => undefined),
		SOON_MS,
	).catch((error: Error) => {
		throw new Error([error.message, ...problems].join('\n'));
	});
const waitFor = (id: string, state: string, sets?: number) =>
	soon(`it is ${state} ${sets ?? ''}`, async () => {
		const session = await sessionOf(bench, id);
		return session.state === state && (sets === undefined || session.questionSets.length === sets)
			? session
			: undefined;
	});
const shown = async (id: string, kind: string) =>
	(await bench.stores.surface.items(id, 'cxp')).filter(({ item }) => item?.kind === kind);

async function during(fault: StoreFault, act: () => unknown): Promise<void> {
	const end = await fault.begin(server);
	try {
		await act();
		await sleep(AWAY_MS);
	} finally {
		await end();
	}
}

describe.each(STORE_FAULTS)('Redis $name for seconds', (fault) => {
	test('INT-14 INT-24 OPS-15 while the model thinks: its reply counts once, the person is asked once, the trail has one call', async () => {
		await open();
		const id = await begin(bench);
		await thinksAnd((reply) => during(fault, () => model.answer(reply)));
		const session = await waitFor(id, 'QUESTIONING', 1);
		expect(session).toMatchObject({ roundCount: 1, callCount: 1 });
		expect(session.lastError).toBeUndefined();
		expect(await shown(id, 'ask')).toHaveLength(1);
		expect(await shown(id, 'unavailable')).toHaveLength(0);
		// What the model said while nothing could be kept was not asked again.
		expect(model.requests).toHaveLength(1);
		expect(await bench.stores.audit.query({ sessionId: id, what: 'model_call', limit: 10 })).toHaveLength(1);
		expect(await bench.stores.audit.calls(id)).toHaveLength(1);
	}, 60_000);

	test('INT-14 INT-22 OPS-15 while the last reply is on its way: completed once, and its packet delivered', async () => {
		await open();
		const id = await begin(bench);
		await replies();
		await waitFor(id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer('first'), { waitMs: 0 });
		await replies();
		await waitFor(id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('second'), { waitMs: 0 });
		await thinksAnd(async (reply) => {
			model.answer(reply);
			await during(fault, () => undefined);
		});
		const session = await waitFor(id, 'COMPLETE');
		expect(session.roundCount).toBe(3);
		await soon('it is delivered', async () => {
			const entry = await bench.stores.inbox.entry(session.packet?.id ?? '');
			return entry?.deliveries.every(({ state }) => state === 'delivered');
		});
		expect(new Set(packets)).toEqual(new Set([session.packet?.id]));
		expect(model.requests).toHaveLength(3);
		expect(await bench.stores.audit.query({ sessionId: id, what: 'finalized', limit: 10 })).toHaveLength(1);
	}, 90_000);
});

const ROUNDS = Math.min(20, Number(process.env['FAULT_POINTS'] ?? 20));
test('INT-14 INT-27 OPS-15 the lines to Redis are cut at random moments of a turn: no reply and no set of questions is lost or doubled', async () => {
	await open();
	for (let round = 1; round <= ROUNDS; round += 1) {
		const id = await begin(bench);
		const before = model.requests.length;
		await replies();
		await sleep(Math.random() * 40);
		await cutLines(server);
		const session = await waitFor(id, 'QUESTIONING', 1);
		expect(session).toMatchObject({ roundCount: 1, callCount: 1 });
		await soon('its questions are there', async () => (await shown(id, 'ask')).length > 0);
		expect(await shown(id, 'ask')).toHaveLength(1);
		expect(model.requests.length - before).toBe(1);
	}
}, 120_000);
