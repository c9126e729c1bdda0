import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { createFleetDesks } from '../../../jobs/fleet/fleet-desks.ts';
import { createQueues } from '../../../jobs/queues.ts';
import { testTracer } from '../../support/fakes/test-tracer.ts';
import { LAPTOP, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let redis: TestRedis;
let household: TestHousehold;
let stores: FleetStores;
beforeAll(async () => {
	redis = await startTestRedis();
	household = await openTestHousehold({
		redis,
		secrets: () => ({ fleetTokens: { laptop: LAPTOP } }),
		change(settings) {
			settings.fleet.channelId = '300000000000000001';
			settings.fleet.concierge.coalesceMs = 200;
			settings.fleet.concierge.tickMs = 1_000;
		},
	});
	stores = createFleetStores(await redis.connect(), {
		feed: () => household.settings.fleet.feed,
		maxInbox: () => 100,
	});
});
afterAll(async () => {
	await household.stop();
	await redis.stop();
});

const post = (path: string, body: object) =>
	fetch(`${household.httpUrl}${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${LAPTOP}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

test('FLT-3 FLT-5 a house with a fleet channel takes reports, wakes its concierge over restarts, and brings answers back', async () => {
	const api = reporter('api', 'api-fix');
	const events = [api.say('started'), api.say('question', SCHEMA_QUESTION)];
	const kept = (await (await post('/fleet/events', { source: 'script', events })).json()) as {
		sessions: { sessionId: string }[];
	};
	const id = kept.sessions[0]?.sessionId ?? '';

	// What a surface does, over the same Redis.
	const connection = await redis.connect();
	const queues = createQueues({ connection: connection.handlers, prefix: connection.prefix, log: testLog() });
	const desks = createFleetDesks({
		...stores,
		settings: () => household.settings.fleet,
		queues,
		isPaused: async () => false,
		clock: { now: Date.now },
		random: { next: Math.random, id: () => `r${Math.random()}` },
		log: testLog(),
		tracer: testTracer(),
	});
	household.model.control.always({ kind: 'json', value: { say: '', calls: [] } });
	await desks.conciergeDesk.on(RIA);
	const state = async () => (await stores.concierge.read()).state;
	await eventually('it was told of the fleet', async () => (await state()).lastDigestAt > 0, 60_000);
	const { id: ownId, lastDigestAt } = await state();
	await household.restart();
	await post('/fleet/events', { source: 'script', events: [api.say('text', { text: 'hi', toPerson: true })] });
	await eventually('it goes on after a restart', async () => (await state()).lastDigestAt > lastDigestAt, 60_000);
	expect((await state()).id).toBe(ownId);

	const [question] = await stores.questions.bySession(id);
	await desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
	const response = await fetch(`${household.httpUrl}/fleet/sessions/${id}/inbox?wait=10000`, {
		headers: { authorization: `Bearer ${LAPTOP}` },
	});
	expect(await response.json()).toMatchObject({ items: [{ kind: 'answer', answer: { values: ['v2'] } }] });
	await queues.close();
}, 180_000);
