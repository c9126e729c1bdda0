import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import type { SessionAsk, SessionView } from '../../../core/fleet/stores.ts';
import { type FleetBench, openFleet, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { asked, feedEvent, report, sessionOf } from '../../unit/core/fleet/fixture.ts';

let redis: TestRedis;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterEach(() => redis.flush());
afterAll(() => redis.stop());

describe('a session taken from memory', () => {
	const bounds = { feed: () => ({ maxEvents: 1_000, maxAgeMs: 60_000 }), maxInbox: () => 3 };
	let stores: FleetStores;
	let other: FleetStores;
	beforeAll(async () => {
		stores = createFleetStores(await redis.connect(), bounds);
		other = createFleetStores(await redis.connect(), bounds);
	});

	const { session, questions } = sessionOf('api', [report('started'), report('question', { data: asked() })]);
	const [question] = questions;
	const quiet: FleetSession = sessionOf('api', [report('started')]).session!;
	const ask: SessionAsk = { id: quiet.id, reportIds: ['e9'], questionIds: [] };
	const { seq: _, ...event } = feedEvent(1);
	const next = ({ session: known, version, isRecalled }: SessionView, reportIds: readonly string[]) => ({
		session: { ...known!, lastReport: 9 },
		version,
		questions: [],
		events: [event],
		reportIds,
		...(isRecalled && { isRecalled }),
	});
	const first = (changed = quiet, more: object = {}) =>
		stores.sessions.commit({ session: changed, version: 0, questions: [], events: [], reportIds: ['e1'], ...more });
	const recalled = (of = ask) => stores.sessions.recall(of) as SessionView;
	const events = async () => (await stores.feed.read(0, 10)).events.length;

	test('FLT-4 it is the one that was written or read last, and only that', async () => {
		expect(recalled()).toBeUndefined();
		await first();
		expect(recalled()).toMatchObject({ session: quiet, questions: [], isRecalled: true });
		expect(other.sessions.recall(ask)).toBeUndefined();
		await other.sessions.load(ask.id, [], []);
		expect(other.sessions.recall(ask)).toEqual(recalled());
		expect(await stores.sessions.commit(next(recalled(), ['e9']))).toEqual({ kind: 'stored', lastSeq: 1 });
		expect(recalled().session?.lastReport).toBe(9);
		await stores.sessions.remove(ask.id);
		expect(recalled()).toBeUndefined();
	});

	test('FLT-4 one whose reports were taken before, or that somebody else wrote, is a conflict and writes nothing', async () => {
		await first();
		for (const known of [['e1'], ['e9', 'e1']]) {
			expect(await stores.sessions.commit(next(recalled(), known))).toEqual({ kind: 'conflict' });
			expect(await events()).toBe(0);
			expect((await stores.sessions.load(ask.id, ['e9'], [])).known.size).toBe(0);
		}
		expect(await other.sessions.commit(next(await other.sessions.load(ask.id, [], []), ['e2']))).toMatchObject({
			kind: 'stored',
		});
		expect(await stores.sessions.commit(next(recalled(), ['e9']))).toEqual({ kind: 'conflict' });
		expect(await events()).toBe(1);
		await other.sessions.remove(ask.id);
		await stores.sessions.load(ask.id, [], []);
		expect(recalled()).toBeUndefined();
	});

	test('FLT-13 where a question waits the store is asked, and a question that nobody here knows of is a conflict', async () => {
		await first(session, { questions });
		expect(recalled()).toBeUndefined();
		const { version } = await stores.sessions.load(ask.id, [], []);
		expect(recalled()).toBeUndefined();
		// As it would be remembered by a process that saw it before it was asked.
		const blind = next({ session, version, questions: [], known: new Set(), isRecalled: true }, ['e9']);
		expect(await stores.sessions.commit(blind)).toEqual({ kind: 'conflict' });
		expect(await events()).toBe(0);
		await stores.sessions.load(ask.id, [], []);
		const settled = { ...question!, state: 'closed' as const, revision: 2 };
		expect(await other.questions.save(settled, [])).toBe(true);
		await stores.sessions.load(ask.id, [], []);
		expect(recalled({ ...ask, questionIds: [question!.id] })).toBeUndefined();
		expect(await stores.sessions.commit(next(recalled(), ['e9']))).toMatchObject({ kind: 'stored' });
	});
});

test('FLT-4 FLT-13 reports that come in at two processes in turn end as at one, doubled ones included', async () => {
	const both: FleetBench[] = [await openFleet(redis), await openFleet(redis)];
	const [here, there] = both as [FleetBench, FleetBench];
	try {
		const api = reporter('api');
		await here.report([api.say('started'), api.say('working')]);
		const early = api.say('text', { text: 'line 3' });
		await there.report([early]);
		await here.report([api.say('text', { text: 'line 4' })]);
		expect((await here.report([early, api.say('text', { text: 'line 5' })])).known).toEqual(['api-3']);
		await there.report([api.say('question', SCHEMA_QUESTION)]);
		// This one has not seen the question, and what it reports closes it.
		await here.report([api.say('idle')]);
		const { session } = await there.stores.sessions.load(sessionId('script', 'laptop', 'api'), [], []);
		expect(session).toMatchObject({ state: 'idle', openQuestions: [], lastReport: 7 });
		expect(session?.tail.map(({ text }) => text)).toEqual(['line 3', 'line 4', 'line 5']);
		expect(await here.stores.questions.unsettled(5)).toEqual([]);
		const kinds = (await here.stores.feed.read(0, 50)).events.map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind.startsWith('question'))).toEqual(['question', 'question_closed']);
	} finally {
		for (const bench of both) await bench.close();
	}
}, 60_000);
