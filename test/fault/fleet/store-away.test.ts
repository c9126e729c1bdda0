import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCallLimits } from '../../../adapters/redis/stores/call-limits.ts';
import { limitSettings } from '../../../config/limits.ts';
import type { InboxDraft } from '../../../core/fleet/inbox-item.ts';
import type { DeliveryResult, SessionControl } from '../../../core/fleet/session-control.ts';
import { createGuardedModel } from '../../../jobs/guarded-model.ts';
import { type FleetBench, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { ask } from '../../support/fleet-scene.ts';
import { type HeldModel, heldModel } from '../../support/held-model.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';
import { cutLines, STORE_FAULTS, type StoreFault, troubleLog } from '../../support/store-faults.ts';

/*
 * Redis fails under a worker that lives on. Everything in hand then is done in the end, once, as soon as Redis answers: no
 * turn waits for its deadline, which is above a minute here, and no lease has to run out.
 */
const AWAY_MS = 3_000;
const SOON_MS = 15_000;

let server: TestRedis;
let bench: FleetBench;
let model: HeldModel;
const problems: string[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
});
afterEach(async () => {
	await bench.close();
	await server.flush();
});
afterAll(() => server.stop());

const say = (text: string, ...calls: { tool: string; args: object }[]) => JSON.stringify({ say: text, calls });
const state = async () => (await bench.stores.concierge.read()).state;
const events = async (kind: string) => (await bench.stores.feed.read(0, 500)).events.filter((e) => e.kind === kind);
/** Each once: when the store fails after something was shown it is shown again, and posted once under its id. */
const shown = (kind: string) =>
	[...new Map(bench.shown.map((item) => [item.id, item])).values()].filter((item) => item.kind === kind);

async function open(controls: readonly SessionControl[] = []): Promise<void> {
	problems.length = 0;
	const log = troubleLog(problems);
	bench = await openFleet({ connect: (more) => server.connect({ ...more, commandTimeoutMs: 1_000 }) }, { log });
	model = heldModel();
	bench.work({ model: guarded(), controls });
	model.answer(say(''));
	await bench.desks.conciergeDesk.on(RIA);
	await idle();
}

/** The model behind the door that keeps the limits, which asks the store as well. */
const guarded = () =>
	createGuardedModel({
		model,
		price: () => undefined,
		killSwitch: {
			isPaused: async () => (await bench.redis.ask((client) => client.exists('paused'))) === 1,
			signal: () => new AbortController().signal,
		},
		limits: createCallLimits(bench.redis),
		settings: () => limitSettings.parse({ perPersonPerHour: 1_000, perChannelPerHour: 1_000, perDayUsd: 0 }),
		clock: { now: Date.now },
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	});

/** What happens soon, while Redis may still be coming back. Tells what the log said when it does not. */
const soon = <T>(what: string, check: () => T | Promise<T>) =>
	eventually(
		what,
		async () =>
			await Promise.resolve()
				.then(check)
				.catch(() => undefined),
		SOON_MS,
	).catch(async (error: Error) => {
		throw new Error([error.message, JSON.stringify(await state()), ...problems].join('\n'));
	});

const idle = () =>
	soon('the concierge has nothing to do', async () => {
		const now = await state();
		if (now.inFlight || now.again || now.greet || now.asks.length > 0) return false;
		return (await bench.stores.feed.facts(now.cursor, now.id)).foreign === 0;
	});

async function during(fault: StoreFault, act: () => void): Promise<void> {
	const end = await fault.begin(server);
	try {
		act();
		await sleep(AWAY_MS);
	} finally {
		await end();
	}
}

/** Asks the concierge to pass something on; what it does then is up to the test. */
async function askToRelay(): Promise<string> {
	model.always(say(''));
	const { sessions } = await bench.report([reporter('api', 'api-fix').say('started')]);
	await idle();
	model.always(undefined);
	expect(await bench.desks.conciergeDesk.ask(ask('q1', 'tell api-fix to take v2'))).toBe('queued');
	await model.waiting();
	return sessions[0]?.sessionId ?? '';
}

async function isRelayedOnce(sessionId: string): Promise<void> {
	await soon('the answer', () => shown('reply').length > 0);
	model.always(say(''));
	await idle();
	expect(shown('reply')).toMatchObject([{ text: 'I told api-fix.' }]);
	expect(await events('concierge_sent')).toHaveLength(1);
	expect(await events('concierge_said')).toHaveLength(1);
	expect(await bench.inbox(sessionId)).toHaveLength(1);
}

describe.each(STORE_FAULTS)('Redis $name for seconds', (fault) => {
	test('FLT-6 FLT-19 OPS-15 while the model thinks over a digest: acted on once, and the cursor gets there', async () => {
		await open();
		const api = reporter('api', 'api-fix');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		await model.waiting();
		const { cursor } = await state();
		await during(fault, () => model.answer(say('', NEED)));
		model.always(say(''));
		await idle();
		const after = await state();
		expect(after.cursor).toBeGreaterThan(cursor);
		// The store's failure is none of the model's.
		expect(after).toMatchObject({ failures: 0, retryAt: 0 });
		expect(after.lastError).toBeUndefined();
		expect(await events('concierge_said')).toHaveLength(1);
		await soon('people have it', () => shown('cards').length > 0);
		expect(shown('cards')).toHaveLength(1);
		// The greeting, the digest and its end: what the model said while nothing could be kept was not asked again.
		expect(model.requests).toHaveLength(3);
	}, 60_000);

	test("FLT-10 FLT-14 OPS-15 while the model thinks over a person's question: relayed once, answered once", async () => {
		await open();
		const sessionId = await askToRelay();
		await during(fault, () => model.answer(say('', RELAY)));
		model.answer(say('I told api-fix.'));
		await isRelayedOnce(sessionId);
		expect((await state()).lastError).toBeUndefined();
	}, 60_000);

	test('FLT-13 FLT-15 OPS-15 while an answer is brought into its session: brought once, and known to be there', async () => {
		const brought: InboxDraft[] = [];
		let arrive: (result: DeliveryResult) => void = () => undefined;
		const way = sessionWay((item) => {
			brought.push(item);
			return new Promise((resolve) => {
				arrive = resolve;
			});
		});
		await open([way]);
		model.always(say(''));
		const api = reporter('api', 'api-fix');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(5);
		await bench.desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
		await eventually('it is on its way', () => brought.length === 1);
		await during(fault, () => arrive({ kind: 'delivered' }));
		const now = () => bench.stores.questions.read(question?.id ?? '');
		await soon('it is known how it fared', async () => ((await now())?.delivery ?? 'pending') !== 'pending');
		expect(await now()).toMatchObject({ delivery: 'delivered' });
		await idle();
		expect(brought).toMatchObject([{ kind: 'answer', answer: { values: ['v2'] } }]);
	}, 60_000);
});

test('FLT-6 FLT-10 OPS-15 a worker that thinks on is taken for dead: another goes on with its turn, and it is done once', async () => {
	await open();
	bench.work({ model: guarded() });
	const sessionId = await askToRelay();
	let looks = 0;
	await eventually('the other one asks too', async () => {
		const { worker, wake } = (await state()).inFlight ?? {};
		if (wake?.tries === 1) await bench.redis.handlers.del(bench.redis.keys.lease(`worker-${worker}`));
		await bench.desks.enqueue(`look-${looks++}`);
		return model.thinking() === 2;
	});
	// The one that was taken for dead leaves it to the other.
	model.answer(say('', RELAY));
	model.answer(say('', { tool: 'hub_send', args: { to: 'api-fix', text: 'please take v2' } }));
	await model.waiting();
	model.always(say('I told api-fix.'));
	await isRelayedOnce(sessionId);
}, 60_000);

const ROUNDS = Math.min(20, Number(process.env['FAULT_POINTS'] ?? 20));
test('FLT-10 FLT-14 OPS-15 the lines to Redis are cut at random moments of a turn: each question relayed once, answered once', async () => {
	await open();
	model.always(say(''));
	const { sessions } = await bench.report([reporter('api', 'api-fix').say('started')]);
	await idle();
	model.always(undefined);
	for (let round = 1; round <= ROUNDS; round += 1) {
		expect(await bench.desks.conciergeDesk.ask(ask(`q${round}`, 'tell api-fix to take v2'))).toBe('queued');
		await model.waiting();
		model.answer(say('', RELAY));
		model.answer(say('I told api-fix.'));
		await sleep(Math.random() * 40);
		await cutLines(server);
		await soon(`answer ${round}`, () => shown('reply').length >= round);
		// By the digest of what was meanwhile, if there is one.
		model.always(say(''));
		await idle();
		model.always(undefined);
	}
	expect(shown('reply').map((item) => (item.kind === 'reply' ? item.text : ''))).toEqual(
		Array.from({ length: ROUNDS }, () => 'I told api-fix.'),
	);
	expect(await events('concierge_sent')).toHaveLength(ROUNDS);
	expect(await events('concierge_said')).toHaveLength(ROUNDS);
	expect(await bench.inbox(sessions[0]?.sessionId ?? '')).toHaveLength(ROUNDS);
}, 120_000);

const NEED = { tool: 'hub_notify', args: { text: 'api-fix asks for a schema', level: 'need', id: 'api-fix' } };
const RELAY = { tool: 'hub_send', args: { to: 'api-fix', text: 'take v2' } };

const sessionWay = (deliver: (item: InboxDraft) => Promise<DeliveryResult>): SessionControl => ({
	source: 'script',
	can: { start: false, message: true, interrupt: false, answer: true, abort: false, stop: false },
	start: async () => ({ kind: 'refused', code: 'not_ready', why: 'not here' }),
	deliver: (_, item) => deliver(item),
	openQuestions: async () => undefined,
	transcript: async () => undefined,
});
