import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ModelError } from '../../../core/model/model-port.ts';
import {
	allow,
	answer,
	begin,
	cxpSession,
	type IntakeBench,
	intakeTestSettings,
	intent,
	openIntake,
	SECRET_ANSWER,
	SECRET_INTENT,
	scriptedModel,
	sessionOf,
	usualModel,
} from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let server: TestRedis;
const benches: IntakeBench[] = [];
beforeAll(async () => {
	server = await startTestRedis();
});
afterEach(async () => {
	await Promise.all(benches.splice(0).map((bench) => bench.close()));
	await server.flush();
});
afterAll(() => server.stop());

const open = async (...options: Parameters<typeof openIntake> extends [unknown, ...infer Rest] ? Rest : never) => {
	const bench = await openIntake(server, ...options);
	benches.push(bench);
	return bench;
};
const inState = (bench: IntakeBench, id: string, state: string, sets?: number) =>
	eventually(`${id} is ${state}`, async () => {
		const session = await sessionOf(bench, id);
		return session.state === state && (sets === undefined || session.questionSets.length === sets)
			? session
			: undefined;
	});
const items = async (bench: IntakeBench, id: string) =>
	(await bench.stores.surface.items(id, 'cxp')).flatMap(({ item }) => item ?? []);

describe('an intake in the queues', () => {
	test('INT-1 INT-20 TEST-032-048 FR-010 from the wish to the inbox: each step is stored, shown and logged', async () => {
		const lines: string[] = [];
		const log = testLog((level, fields, message) => lines.push(JSON.stringify([level, fields, message])));
		const bench = await open({ log });
		bench.work();
		const id = await begin(bench);
		const asked = await inState(bench, id, 'QUESTIONING', 1);
		expect(asked.roundCount).toBe(1);
		expect(await bench.desk.submit(id, answer())).toEqual({ kind: 'taken' });
		await inState(bench, id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('mugs of every size'));
		const done = await inState(bench, id, 'COMPLETE');
		expect(done.packet).toMatchObject({ from: 'U:Cx', to: 'U:BA', subject: 'requirements' });
		const entry = await eventually('the analyst has it', async () => {
			const found = await bench.stores.inbox.entry(done.packet?.id ?? '');
			return found?.deliveries.every(({ state }) => state === 'delivered') ? found : undefined;
		});
		expect(entry).toMatchObject({ hasContent: false, deliveries: [{ sink: 'analyst', attempts: 1 }] });
		const shown = await eventually('the reading is shown', async () => {
			const all = await items(bench, id);
			return all.some(({ kind }) => kind === 'reading') ? all : undefined;
		});
		expect(shown.map(({ kind }) => kind).filter((kind) => kind !== 'notice' && kind !== 'error')).toEqual([
			'ask',
			'ask',
			'done',
			'reading',
		]);
		const moves = lines.filter((line) => line.includes(' => '));
		expect(moves.length).toBeGreaterThanOrEqual(6);
		expect(moves.join('\n')).toContain('IDLE => INTENT_RECEIVED');
		expect(moves.join('\n')).toContain('HANDOVER => COMPLETE');
		for (const words of [SECRET_INTENT, SECRET_ANSWER, 'heliotrope', 'marzipan'])
			expect(lines.join('\n')).not.toContain(words);
	});

	test('INT-15 D11 TEST-032-018 the same message delivered again makes one call, one round, one reply', async () => {
		const model = usualModel();
		const bench = await open({ model });
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'QUESTIONING', 1);
		const said = answer('Yes, invoices too', 'm1523456789012345678');
		const outcomes = await Promise.all([1, 2, 3].map(() => bench.desk.submit(id, said)));
		expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'duplicate', 'taken']);
		const second = await inState(bench, id, 'QUESTIONING', 2);
		expect(await bench.desk.submit(id, said)).toEqual({ kind: 'duplicate' });
		expect(second.roundCount).toBe(2);
		expect(model.calls).toHaveLength(2);
		expect((await items(bench, id)).filter(({ kind }) => kind === 'ask')).toHaveLength(2);
		await bench.desk.submit(id, answer('Yes, invoices too', 'm1523456789012345679'));
		expect((await inState(bench, id, 'COMPLETE')).history.filter(({ kind }) => kind === 'answer')).toHaveLength(2);
	});

	test('INT-6 TEST-032-021 FR-003 FR-005 each call gets the system prompt and everything said so far', async () => {
		const model = usualModel();
		const bench = await open({ model });
		bench.work();
		const id = await begin(bench, 'a shop for mugs');
		await inState(bench, id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer('only blue ones'));
		await inState(bench, id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('by friday'));
		await inState(bench, id, 'COMPLETE');
		const texts = model.calls.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
		for (const text of texts) expect(text).toContain('D7');
		expect(texts[1]).toContain('a shop for mugs');
		expect(texts[2]).toMatch(/a shop for mugs[\s\S]*only blue ones[\s\S]*by friday/);
	});

	test('INT-15 INT-20 a call that nobody waits for any more is not made', async () => {
		const model = usualModel();
		const bench = await open({ model });
		const call = {
			id: 'given-up:c1',
			purpose: 'ask' as const,
			attempt: 1,
			complaints: [],
			spare: [],
			startedAt: Date.now(),
			deadlineAt: Date.now() + 60_000,
			roundBefore: 0,
		};
		await bench.stores.work.create(cxpSession({ state: 'QUESTIONING' }, 'given-up'), [
			{ id: 'given-up:e1', kind: 'call_model', call },
		]);
		bench.work();
		await eventually('it is put away', async () => (await bench.stores.work.pendingEffects('given-up')).length === 0);
		expect(model.calls).toHaveLength(0);
	});

	test('INT-14 INT-15 INT-26 FR-013 E09 an unreachable model is said once, consumes no round, and the intake goes on by itself', async () => {
		let away = true;
		const model = scriptedModel((request) => {
			if (away) throw new ModelError('unreachable', 'no route', { transient: true, hint: 'start it' });
			return usualModel()
				.complete(request)
				.then(({ text }) => text);
		});
		const bench = await open({ model });
		bench.work();
		const id = await begin(bench);
		const waiting = await inState(bench, id, 'SUSPENDED');
		expect(waiting.suspension).toMatchObject({ reason: 'assistant_unavailable', unavailable: 'model' });
		expect(model.calls.length).toBeGreaterThanOrEqual(2);
		away = false;
		await inState(bench, id, 'QUESTIONING', 1);
		const said = await items(bench, id);
		expect(said.filter(({ kind }) => kind === 'unavailable')).toEqual([
			expect.objectContaining({ code: 'assistant_unavailable', reason: 'model' }),
		]);
		expect((await sessionOf(bench, id)).roundCount).toBe(1);
	});

	test('INT-14 INT-26 E08 a model that does not answer in time is told as timeout', async () => {
		const model = scriptedModel(() => {
			throw new ModelError('timeout', 'too slow', { transient: true, hint: 'wait longer' });
		});
		const bench = await open({ model });
		bench.work();
		const id = await begin(bench);
		expect((await inState(bench, id, 'SUSPENDED')).suspension?.unavailable).toBe('timeout');
		expect((await sessionOf(bench, id)).lastError?.code).toBe('E08');
	});

	test('INT-14 FR-013 without a worker the answer is kept and the person is told; a worker that comes works it off', async () => {
		const bench = await open({ settings: intakeTestSettings({ readinessMs: 300 }) });
		const id = 'waits-for-worker';
		const opened = await bench.desk.open(
			{ id, place: { kind: 'cxp', caller: 'shop' }, requesterId: 'cxp:shop', review: false },
			intent(),
			'once',
		);
		expect(opened).toEqual({
			kind: 'opened',
			sessionId: id,
			first: { kind: 'unavailable', reason: 'worker', kept: true },
		});
		expect((await sessionOf(bench, id)).state).toBe('IDLE');
		bench.work();
		await inState(bench, id, 'QUESTIONING', 1);
	});

	test('INT-19 the same request, or another one in the same thread, opens no second intake', async () => {
		const bench = await open();
		const start = (id: string, threadId: string) => ({
			id,
			place: { kind: 'discord' as const, guildId: 'g', channelId: 'c', threadId },
			requesterId: 'alex',
			review: true,
		});
		const once = (id: string, threadId: string, onceId: string) =>
			bench.desk.open(start(id, threadId), intent(), onceId, { waitMs: 0 });
		const all = await Promise.all(['a', 'b', 'c'].map((id) => once(id, `t-${id}`, 'message-1')));
		expect(all.map(({ kind }) => kind).sort()).toEqual(['exists', 'exists', 'opened']);
		const first = all.find(({ kind }) => kind === 'opened') as { sessionId: string };
		expect(new Set(all.map((one) => (one as { sessionId: string }).sessionId))).toEqual(new Set([first.sessionId]));
		expect(await once('d', `t-${first.sessionId}`, 'message-2')).toEqual({
			kind: 'exists',
			sessionId: first.sessionId,
		});
		expect(await bench.stores.work.byThread(`t-${first.sessionId}`)).toBe(first.sessionId);
	});

	test('OPS-18 while everything is paused no model is asked', async () => {
		let paused = true;
		const model = usualModel();
		const bench = await open({ model, paused: () => paused });
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'SUSPENDED');
		expect(model.calls).toHaveLength(0);
		paused = false;
		await inState(bench, id, 'QUESTIONING', 1);
	});

	test('INT-10 INT-26 E13 a denied packet does not leave, and the person is told', async () => {
		const bench = await open({
			governance: {
				evaluate: async () => ({
					outcome: 'deny',
					findings: [{ article: 'no_mugs', severity: 'deny', reason: 'No mugs here.', origin: 'policy' }],
				}),
			},
		});
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer());
		await inState(bench, id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('more'));
		await inState(bench, id, 'REVIEW');
		expect(await items(bench, id)).toContainEqual(expect.objectContaining({ kind: 'error', code: 'E13' }));
		expect(await bench.stores.inbox.list({ limit: 10 })).toEqual([]);
	});

	test('INT-26 E15 a damaged state: the last good one is taken up; without one the intake is closed honestly', async () => {
		const bench = await open();
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'QUESTIONING', 1);
		const key = `{${bench.redis.prefix}:intake}:v1:session:${id}`;
		await bench.redis.handlers.hset(key, 'body', 's1.test.AAAA');
		expect((await bench.stores.work.load(id)).kind).toBe('recovered');
		await bench.desk.submit(id, { kind: 'resume' });
		await eventually('E15 is told', async () =>
			(await items(bench, id)).some((item) => item.kind === 'error' && item.code === 'E15'),
		);
		expect((await bench.stores.work.load(id)).kind).toBe('found');

		await bench.redis.handlers.hset(key, 'body', 's1.test.AAAA', 'good', 'nothing');
		expect((await bench.stores.work.load(id)).kind).toBe('corrupt');
		await bench.desk.submit(id, { kind: 'resume' });
		const closed = await inState(bench, id, 'CANCELLED');
		expect(closed).toMatchObject({ requesterId: 'cxp:shop', cancelReason: 'state_corrupt', history: [] });
	});

	test('INT-26 E14 a packet that the inbox cannot take is kept, told, and delivered when it can', async () => {
		const bench = await open();
		const put = bench.stores.inbox.put;
		let broken = true;
		Object.assign(bench.stores.inbox, {
			put: (...args: Parameters<typeof put>) =>
				broken ? Promise.reject(new Error('no room')) : put.apply(bench.stores.inbox, args),
		});
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer());
		await inState(bench, id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('more'));
		await eventually('E14 is told', async () =>
			(await items(bench, id)).some((item) => item.kind === 'error' && item.code === 'E14'),
		);
		expect((await sessionOf(bench, id)).state).toBe('HANDOVER');
		broken = false;
		await inState(bench, id, 'COMPLETE');
		expect(await bench.stores.inbox.list({ limit: 10 })).toHaveLength(1);
	}, 60_000);

	test('INT-24 CONST-032-015 the trail has packets, calls, the finalization and the verdict, each once', async () => {
		const bench = await open();
		bench.work();
		const id = await begin(bench);
		await inState(bench, id, 'QUESTIONING', 1);
		await bench.desk.submit(id, answer());
		await inState(bench, id, 'QUESTIONING', 2);
		await bench.desk.submit(id, answer('more'));
		await inState(bench, id, 'COMPLETE');
		const rows = await eventually('the trail is whole', async () => {
			const found = await bench.stores.audit.query({ sessionId: id, limit: 100 });
			return found.some(({ entry }) => entry.what === 'delivery') ? found : undefined;
		});
		const count = (what: string) => rows.filter(({ entry }) => entry.what === what).length;
		expect([count('finalized'), count('verdict'), count('packet'), count('delivery')]).toEqual([1, 1, 1, 1]);
		expect(count('model_call')).toBeGreaterThanOrEqual(3);
		expect(rows.find(({ entry }) => entry.what === 'finalized')?.entry).toMatchObject({
			trigger: 'complete',
			cause: 'signal',
			roundCount: 3,
			at: expect.any(Number),
		});
		const calls = await bench.stores.audit.calls(id);
		expect(calls.length).toBe(count('model_call'));
		expect(JSON.stringify(calls)).toContain(SECRET_INTENT);
		await bench.stores.work.delete(id);
		expect(await bench.stores.audit.calls(id)).toEqual([]);
		expect((await bench.stores.audit.query({ sessionId: id, limit: 100 })).length).toBe(rows.length);
	});

	test('Q10 INT-20 jobs carry ids, and further intakes open no connections', async () => {
		const bench = await open();
		bench.work();
		await inState(bench, await begin(bench), 'QUESTIONING', 1);
		const clients = async () =>
			String(await bench.redis.handlers.client('LIST'))
				.trim()
				.split('\n').length;
		const before = await clients();
		const ids = await Promise.all(Array.from({ length: 20 }, () => begin(bench)));
		for (const id of ids) await inState(bench, id, 'QUESTIONING', 1);
		expect(await clients()).toBeLessThanOrEqual(before);
		for (const queue of bench.queues.all)
			for (const job of await queue.getJobs()) expect(JSON.stringify(job.data).length, queue.name).toBeLessThan(400);
	});

	test('INT-2 CONST-032-014 TEST-032-050 two intakes at once share nothing', async () => {
		const bench = await open({ governance: allow });
		bench.work();
		const [one, two] = await Promise.all([begin(bench, 'a shop for mugs'), begin(bench, 'a garden of robots')]);
		await inState(bench, one, 'QUESTIONING', 1);
		await inState(bench, two, 'QUESTIONING', 1);
		await Promise.all([bench.desk.submit(one, answer('blue mugs')), bench.desk.submit(two, answer('green robots'))]);
		await inState(bench, one, 'QUESTIONING', 2);
		await inState(bench, two, 'QUESTIONING', 2);
		expect(JSON.stringify(await sessionOf(bench, one))).not.toContain('robot');
		expect(JSON.stringify(await sessionOf(bench, two))).not.toContain('mugs');
		expect(cxpSession()).toMatchObject({ history: [], originalIntent: '', prologFacts: '', roundCount: 0 });
	});
});
