import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sessionId } from '../../../core/fleet/session.ts';
import { type FleetBench, fastFleet, openFleet, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
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

const id = (nativeId: string) => sessionId('script', 'laptop', nativeId);
const session = async (nativeId: string) => (await bench.stores.sessions.load(id(nativeId), [], [])).session;
const events = async (kind?: string) =>
	(await bench.stores.feed.read(0, 2_000)).events.filter((event) => kind === undefined || event.kind === kind);

/** What must not depend on the way the reports took. */
async function essence(nativeId: string) {
	const found = await session(nativeId);
	const { state, run, summary, cost, lastReport, openQuestions, tail } = found!;
	const questions = await bench.stores.questions.bySession(id(nativeId));
	return {
		...{ state, run, summary, lastReport, totalUsd: cost.totalUsd, open: openQuestions.length },
		tail: tail.map(({ n, role, text }) => `${n} ${role} ${text}`),
		// Which closing came first may differ: the answer's, or that of the run that went on.
		questions: questions.map(({ ref, state: its }) => `${ref} ${its === 'open' ? 'open' : 'settled'}`),
	};
}

/** A working day of one session, in the order it happened. */
function day(nativeId: string) {
	const one = reporter(nativeId);
	return [
		one.say('started'),
		one.say('working'),
		one.say('text', { text: 'reading the schema' }),
		one.say('question', SCHEMA_QUESTION),
		one.say('question_closed', { ref: 'ask-1', how: 'answered' }),
		one.say('text', { text: 'v2 it is', role: 'person' }),
		one.say('cost', { totalUsd: 0.25 }),
		one.say('summary', { text: 'half way' }),
		one.say('text', { text: 'tests are green' }),
		one.say('finished', { text: 'all green', totalUsd: 0.5 }),
		one.say('working'),
		one.say('question', { question: { ...SCHEMA_QUESTION.question, ref: 'ask-2' } }),
	];
}

test('FLT-4 a reporter that was gone is stale meanwhile, and goes on by its sequence where the house left off', async () => {
	bench = await openFleet(redis, { settings: fastFleet({ staleAfterMs: 800 }) });
	const reports = day('api');
	await bench.report(reports.slice(0, 4));
	bench.work();
	await eventually('it is stale', async () => (await session('api'))?.staleSince !== undefined);
	expect(await session('api')).toMatchObject({ state: 'waiting' });
	expect((await events('stale')).map((event) => event.cause.role)).toEqual(['system']);
	expect((await bench.stores.questions.unsettled(5)).map(({ state }) => state)).toEqual(['open']);

	// It knows only what it sent; what the house answers tells it what is left to send.
	const { sessions } = await bench.report(reports.slice(2, 4));
	const last = sessions[0]?.lastReport ?? 0;
	expect(last).toBe(4);
	const { known } = await bench.report(reports.filter(({ n }) => n > last));
	expect(known).toEqual([]);
	expect(await session('api')).toMatchObject({ state: 'waiting', lastReport: 12 });
	expect((await session('api'))?.staleSince).toBeUndefined();
	expect(await events('back')).toHaveLength(1);
	expect(await events('stale')).toHaveLength(1);
	expect((await events('question')).map(({ data }) => data?.['questionId'])).toHaveLength(2);
}, 60_000);

test('FLT-4 reports that come doubled, late and all at once leave the session that they leave in their order', async () => {
	bench = await openFleet(redis);
	const expected = day('straight');
	for (const report of expected) await bench.report([report]);
	const wanted = await essence('straight');

	for (const seed of [1, 2, 3, 4]) {
		const nativeId = `shuffled-${seed}`;
		const reports = day(nativeId);
		const twice = [...reports, ...reports, ...reports.slice(3, 9)];
		// The same on every machine: each step takes another place.
		const shuffled = twice.map((report, at) => ({ report, key: ((at + 1) * (seed * 7 + 3)) % 31 }));
		shuffled.sort((left, right) => left.key - right.key);
		// A session is known from its start on; what comes before that is its history.
		const batches = Array.from({ length: 6 }, (_, at) =>
			shuffled.filter((_entry, index) => index % 6 === at).map(({ report }) => report),
		);
		await Promise.all(batches.map((batch) => bench.report(batch)));
		expect(await essence(nativeId)).toEqual(wanted);
		const about = (await events()).filter((event) => event.sessionId === id(nativeId));
		// Whatever the order: nothing is told twice.
		expect(about.filter(({ kind }) => kind === 'started')).toHaveLength(1);
		for (const kind of ['question', 'finished', 'cost']) {
			const told = about.filter((event) => event.kind === kind).map(({ text, data }) => JSON.stringify([text, data]));
			expect(new Set(told).size).toBe(told.length);
		}
	}
	const before = (await events()).length;
	expect((await bench.report(day('shuffled-1'))).known).toHaveLength(12);
	expect(await events()).toHaveLength(before);
}, 60_000);

test('FLT-4 a reporter that counts from one again, later by its own clock, is believed, and its old reports are not', async () => {
	bench = await openFleet(redis);
	const old = day('api');
	await bench.report(old.slice(0, 4));
	const started = reporter('api').say('started');
	const again = { ...started, eventId: 'second-1', at: started.at + 60_000 };
	await bench.report([again]);
	expect(await session('api')).toMatchObject({ state: 'starting', lastReport: 1 });
	expect(await bench.stores.questions.unsettled(5)).toEqual([]);
	expect((await bench.report(old.slice(0, 4))).known).toHaveLength(4);
	expect(await session('api')).toMatchObject({ state: 'starting', lastReport: 1 });
}, 60_000);
