import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InboxDraft } from '../../../core/fleet/inbox-item.ts';
import type { OutboxItem } from '../../../core/fleet/outbox.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import type { DeliveryResult, SessionControl } from '../../../core/fleet/session-control.ts';
import { type FleetBench, fastFleet, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterEach(async () => {
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

const kinds = async () => (await bench.stores.feed.read(0, 200)).events.map(({ kind }) => kind);
const first = async () => (await bench.stores.sessions.list(5))[0];
const shown = <Kind extends OutboxItem['kind']>(kind: Kind) =>
	bench.shown.filter((item): item is Extract<OutboxItem, { kind: Kind }> => item.kind === kind);

describe('with time', () => {
	test('FLT-4 a session that falls silent is marked, told once, and the mark goes with its next report', async () => {
		bench = await openFleet(redis, { settings: fastFleet({ staleAfterMs: 600 }) });
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('working')]);
		bench.work();
		await eventually('it is marked', async () => (await first())?.staleSince !== undefined);
		expect((await first())?.state).toBe('working');
		await bench.report([api.say('working')]);
		const back = await first();
		expect(back?.staleSince).toBeUndefined();
		expect((await kinds()).filter((kind) => kind === 'stale')).toHaveLength(1);
		expect(await kinds()).toContain('back');
	}, 60_000);

	test('FLT-4 one that runs a long command is said to do so instead, until even that takes too long', async () => {
		const settings = fastFleet({ staleAfterMs: 400, staleRunningAfterMs: 3_600_000 });
		bench = await openFleet(redis, { settings });
		const api = reporter('api');
		const running = { role: 'tool', text: 'Bash npm test', running: 'Bash: npm test' };
		await bench.report([api.say('started'), api.say('working'), api.say('text', running)]);
		bench.work();
		const texts = async () => (await bench.stores.feed.read(0, 200)).events.map(({ text }) => text);
		await eventually('it is told', async () =>
			(await texts()).some((text) => text.startsWith('still runs "Bash: npm test"')),
		);
		expect((await first())?.staleSince).toBeUndefined();
		settings.staleRunningAfterMs = 500;
		await eventually('it is marked', async () => (await first())?.staleSince !== undefined);
		expect((await texts()).filter((text) => text.startsWith('still runs'))).toHaveLength(1);
	}, 60_000);

	test('FLT-2 FLT-4 an ended session leaves the list, and its events stay', async () => {
		bench = await openFleet(redis, { settings: fastFleet({ keepEndedMs: 400 }) });
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('ended', { reason: 'quit' })]);
		await bench.report([reporter('ui').say('started')]);
		const { places } = bench.stores;
		const ids = new Map((await bench.stores.sessions.list(5)).map(({ id, nativeId }) => [nativeId, id]));
		await places.writePlace({ sessionId: ids.get('api') ?? '', threadId: 't1' });
		await places.writePlace({ sessionId: ids.get('ui') ?? '', threadId: 't2' });
		// Of one that left while nobody noted it.
		await places.writePlace({ sessionId: 's0123456789abcde', threadId: 't3' });
		bench.work();
		await eventually('it is gone', async () => (await bench.stores.sessions.list(5)).length === 1);
		await eventually('so is what stood for it on Discord', async () => (await places.places()).length === 1);
		expect(await places.byThread('t1')).toBeUndefined();
		expect(await places.byThread('t2')).toMatchObject({ sessionId: ids.get('ui') });
		expect(await kinds()).toEqual(expect.arrayContaining(['started', 'stopped']));
	}, 60_000);

	test('FLT-13 an open question is brought up three times at most, mentions its owner, and is never answered by it', async () => {
		bench = await openFleet(redis, { settings: fastFleet({ reminderAfterMs: [200, 200, 200] }) });
		const api = reporter('api', 'api-fix');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(5);
		bench.work();
		// Nobody was shown it yet, so there is nothing to repeat.
		await new Promise((resolve) => setTimeout(resolve, 900));
		expect(shown('notice')).toEqual([]);
		await bench.stores.places.writeCard({
			id: question?.id ?? '',
			kind: 'question',
			sessionId: question?.sessionId ?? '',
			channelId: '1',
			messageId: '2',
			shownRevision: 1,
			postedAt: Date.now(),
			mentioned: true,
		});
		await eventually('three reminders', () => shown('notice').length === 3);
		await new Promise((resolve) => setTimeout(resolve, 900));
		expect(shown('notice')).toHaveLength(3);
		expect(shown('notice')[0]?.mention).toEqual([RIA.whoId]);
		expect(shown('notice')[0]?.text).toContain('api-fix still waits');
		expect(await bench.stores.questions.read(question?.id ?? '')).toMatchObject({ state: 'open', reminders: 3 });
	}, 60_000);
});

describe('sessions that run here', () => {
	const SCRIPT = sessionId('script', 'laptop', 'api');
	const got: InboxDraft[] = [];
	const control = (result: (item: InboxDraft) => Promise<DeliveryResult>): SessionControl => ({
		source: 'script',
		can: { start: false, message: true, interrupt: true, answer: true, abort: true, stop: true },
		start: () => Promise.reject(new Error('not here')),
		async deliver(_, item) {
			got.push(item);
			return result(item);
		},
		openQuestions: async () => undefined,
		transcript: async () => undefined,
	});
	afterEach(() => {
		got.length = 0;
	});

	test('FLT-13 FLT-15 what people send arrives once and in order, and how it fared is shown', async () => {
		bench = await openFleet(redis);
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(5);
		for (let index = 0; index < 5; index += 1) {
			const item = { id: `m${index}`, kind: 'message', mode: 'queue', text: `${index}` } as const;
			await bench.desks.messageDesk.send(SCRIPT, item, RIA);
		}
		await bench.desks.questionDesk.answerInWords(question?.id ?? '', '2', RIA);
		bench.work({
			controls: [
				control(async ({ id }) => (id === 'm3' ? { kind: 'refused', why: 'too long' } : { kind: 'delivered' })),
			],
		});
		await eventually('the answer arrived', async () => {
			const now = await bench.stores.questions.read(question?.id ?? '');
			return now?.delivery === 'delivered';
		});
		expect(got.map(({ text, kind }) => text ?? kind)).toEqual(['0', '1', '2', '3', '4', 'answer']);
		expect(got.at(-1)?.answer).toEqual({ values: ['v2'] });
		await eventually('the answer counts', async () => (await first())?.state === 'working');
		await eventually('five words about messages', () => shown('delivery').length === 5);
		expect(shown('delivery').find(({ itemId }) => itemId === 'm3')?.result).toEqual({
			kind: 'refused',
			why: 'too long',
		});
		await eventually('nothing waits', async () => (await bench.stores.inbox.pending(SCRIPT)) === 0);
	}, 60_000);

	test('FLT-13 a delivery that was begun and whose end nobody knows is not begun again by itself', async () => {
		bench = await openFleet(redis);
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(5);
		await bench.desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
		const read = async () => bench.stores.questions.read(question?.id ?? '');
		// The first worker ends in the middle: its job is given up while the agent has it in hand.
		const one = bench.work({ controls: [control(() => new Promise(() => undefined))] });
		await eventually('it is begun', () => got.length === 1);
		await one.stop();
		for (const lease of await bench.redis.handlers.keys('*fleet-deliver-*')) await bench.redis.handlers.del(lease);
		bench.work({ controls: [control(async () => ({ kind: 'delivered' }))] });
		await eventually('it is shown as failed', async () => (await read())?.delivery === 'failed', 60_000);
		expect((await read())?.deliveryError).toContain('not known');
		expect(got).toHaveLength(1);
		// A person decides.
		await bench.desks.questionDesk.retry(question?.id ?? '', RIA);
		await eventually('it arrived', async () => (await read())?.delivery === 'delivered');
		expect(got).toHaveLength(2);
	}, 120_000);

	test('FLT-13 an answer to a session that ended meanwhile shows as failed', async () => {
		bench = await openFleet(redis);
		const api = reporter('api');
		await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
		const [question] = await bench.stores.questions.unsettled(5);
		await bench.desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
		await bench.report([api.say('ended', { reason: 'killed' })]);
		bench.work();
		await eventually('failed', async () => {
			const now = await bench.stores.questions.read(question?.id ?? '');
			return now?.delivery === 'failed';
		});
		const message = { id: 'm', kind: 'message', mode: 'queue', text: 'hello' } as const;
		expect((await bench.desks.messageDesk.send(SCRIPT, message, RIA)).kind).toBe('gone');
	}, 60_000);
});
