import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import type { IntakeStores } from '../../../adapters/redis/intake/intake-stores.ts';
import type { AwaitedCall } from '../../../core/intake/session.ts';
import { answer, cxpSession, nextId, person, storesFor } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let stores: IntakeStores;
beforeAll(async () => {
	server = await startTestRedis();
	redis = await server.connect();
	stores = storesFor(redis);
});
afterEach(() => server.flush());
afterAll(() => server.stop());

const call: AwaitedCall = {
	id: 's:c1',
	purpose: 'ask',
	attempt: 1,
	complaints: [],
	startedAt: 0,
	deadlineAt: Date.now() + 600_000,
	roundBefore: 0,
} as unknown as AwaitedCall;
const callEffect = { id: 's:e1', kind: 'call_model' as const, call };

describe('the store of intakes', () => {
	test('INT-20 of many who write at once exactly one wins, with its effects and the event it used up', async () => {
		const { work } = stores;
		const session = cxpSession({}, 's');
		await work.create(session, []);
		const said = await work.append('s', answer('one'));
		expect(said).toEqual({ kind: 'appended', seq: 1 });
		const results = await Promise.all(
			Array.from({ length: 8 }, (_, n) =>
				work.commit({
					session: { ...session, revision: 1, roundCount: n },
					expectedRevision: 0,
					effects: [{ ...callEffect, id: `s:e${n}` }],
					seq: 1,
				}),
			),
		);
		expect(results.filter((result) => result !== 'lost')).toEqual(['done']);
		const winner = results.indexOf('done');
		expect(await work.load('s')).toMatchObject({ kind: 'found', session: { roundCount: winner, revision: 1 } });
		expect((await work.pendingEffects('s')).map(({ id }) => id)).toEqual([`s:e${winner}`]);
		expect((await work.next('s')).entry).toBeUndefined();
		expect(await work.isTaken('s', 1)).toBe(true);
	});

	test('INT-20 of many ticks at once exactly one is written', async () => {
		const { work } = stores;
		const session = cxpSession({}, 's');
		await work.create(session, []);
		const results = await Promise.all(
			Array.from({ length: 8 }, (_, n) => work.save({ ...session, revision: 1, roundCount: n }, 0, [])),
		);
		expect(results.filter(Boolean)).toHaveLength(1);
		expect(await work.load('s')).toMatchObject({ session: { roundCount: results.indexOf(true) } });
		expect(await work.save({ ...session, revision: 3 }, 2, [])).toBe(false);
	});

	test('INT-1 INT-17 events come in the order in which they were handed in, and one that was used up never again', async () => {
		const { work } = stores;
		const session = cxpSession({}, 's');
		await work.create(session, []);
		for (const text of ['one', 'two', 'three']) await work.append('s', answer(text));
		let current = session;
		const seen: string[] = [];
		for (;;) {
			const { entry } = await work.next('s');
			if (!entry) break;
			if (entry.event?.kind === 'message') seen.push(entry.event.text);
			const next = { ...current, revision: current.revision + 1 };
			expect(
				await work.commit({ session: next, expectedRevision: current.revision, effects: [], seq: entry.seq }),
			).toMatch(/done|more/);
			// The same event once more, as after a crash whose commit had come through.
			expect(
				await work.commit({
					session: { ...next, revision: next.revision + 1 },
					expectedRevision: next.revision,
					effects: [],
					seq: entry.seq,
				}),
			).toBe('lost');
			current = next;
		}
		expect(seen).toEqual(['one', 'two', 'three']);
	});

	test('INT-15 D11 an event is taken once by its id; edits and deletions may come again', async () => {
		const { work } = stores;
		await work.create(cxpSession({}, 's'), []);
		const id = nextId();
		const edit = { kind: 'message_edited' as const, id, author: person, text: 'changed' };
		expect((await work.append('s', answer('x', id))).kind).toBe('appended');
		expect((await work.append('s', answer('y', id))).kind).toBe('duplicate');
		expect((await work.append('s', edit)).kind).toBe('appended');
		expect((await work.append('s', { ...edit, text: 'again' })).kind).toBe('appended');
		expect((await work.append('s', { kind: 'lock', id, author: person })).kind).toBe('appended');
		expect((await work.append('none', answer())).kind).toBe('unknown');
	});

	test('INT-20 OPS-15 an effect is one worker’s until it is settled, given back, or its worker is gone', async () => {
		const { work } = stores;
		await work.create(cxpSession({}, 's'), [callEffect]);
		expect(await work.claimEffect('s', 's:e1', 'w1/a', 60_000)).toMatchObject({
			kind: 'claimed',
			effect: { call: { id: 's:c1' } },
		});
		expect(await work.claimEffect('s', 's:e1', 'w1/b', 60_000)).toEqual({ kind: 'taken', by: 'w1/a' });
		expect(await work.claimEffect('s', 's:e1', 'w2/c', 60_000, 'w1/a')).toMatchObject({ kind: 'claimed' });
		await work.releaseEffect('s', 's:e1', 0);
		expect(await work.idleEffects(Date.now() + 10, 10, 5_000)).toEqual([{ sessionId: 's', effectId: 's:e1' }]);
		expect(await work.idleEffects(Date.now() + 10, 10, 5_000)).toEqual([]);
		const reply = { kind: 'model_reply' as const, callId: 's:c1', text: 'What?' };
		await Promise.all([work.settleEffect('s', 's:e1', reply), work.settleEffect('s', 's:e1', reply)]);
		expect(await work.claimEffect('s', 's:e1', 'w1/d', 60_000)).toEqual({ kind: 'gone' });
		const { entry } = await work.next('s');
		expect(entry).toMatchObject({ seq: 1, event: reply });
		await work.commit({ session: cxpSession({ revision: 1 }, 's'), expectedRevision: 0, effects: [], seq: 1 });
		expect((await work.next('s')).entry).toBeUndefined();
	});

	test('INT-19 what waits is due at once, what has a time is due then, and each is handed out once in a while', async () => {
		const { work } = stores;
		const now = Date.now();
		const waiting = cxpSession({ state: 'QUESTIONING', pending: { parts: [], quietUntil: now + 60_000 } }, 'later');
		await work.create(waiting, []);
		await work.save({ ...waiting, revision: 1 }, 0, []);
		await work.create(cxpSession({}, 'said'), []);
		await work.append('said', answer());
		expect(await work.due(now + 5_000, 10)).toEqual(['said']);
		expect(await work.due(now + 5_000, 10)).toEqual([]);
		expect([...(await work.due(now + 60_001, 10))].sort()).toEqual(['later', 'said']);
		expect((await work.next('later')).wakeAt).toBe(now + 60_000);
	});

	test('INT-19 lists are by person and by state, newest first', async () => {
		const { work } = stores;
		for (const [index, state] of (['QUESTIONING', 'REVIEW', 'QUESTIONING'] as const).entries())
			await work.create(cxpSession({ state, createdAt: 1_000 + index }, `s${index}`), []);
		await work.create(cxpSession({ requesterId: 'sam' }, 'other'), []);
		const ids = async (filter: Parameters<typeof work.list>[0]) => (await work.list(filter)).map(({ id }) => id);
		expect(await ids({ requesterId: 'cxp:shop', limit: 10 })).toEqual(['s2', 's1', 's0']);
		expect(await ids({ requesterId: 'cxp:shop', states: ['REVIEW'], limit: 10 })).toEqual(['s1']);
		expect(await ids({ requesterId: 'sam', limit: 10 })).toEqual(['other']);
		expect(await ids({ limit: 2 })).toHaveLength(2);
	});

	test('INT-20 the store copes with a thousand exchanges', async () => {
		const { work } = stores;
		const history = Array.from({ length: 1_000 }, (_, n) => ({
			id: `t${n}`,
			role: n % 2 ? ('assistant' as const) : ('user' as const),
			kind: 'answer' as const,
			content: `exchange ${n} ${'words '.repeat(40)}`,
			at: n,
			round: 1,
			parts: [],
			choices: [],
		}));
		const session = cxpSession({ history, originalIntent: 'x' }, 'long');
		await work.create(session, []);
		expect(await work.save({ ...session, revision: 1 }, 0, [])).toBe(true);
		expect(await work.load('long')).toMatchObject({ kind: 'found', session: { history: { length: 1_000 } } });
		const bytes = await redis.handlers.memory('USAGE', `{${redis.prefix}:intake}:v1:session:long`);
		expect(Number(bytes)).toBeLessThan(1_000_000);
	});
});
