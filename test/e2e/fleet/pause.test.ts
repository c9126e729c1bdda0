import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { InboxDraft } from '../../../core/fleet/inbox-item.ts';
import type { SessionControl } from '../../../core/fleet/session-control.ts';
import { holdStarts } from '../../../jobs/fleet/held-control.ts';
import { createKillSwitch, type KillSwitch } from '../../../jobs/kill-switch.ts';
import { createQueues } from '../../../jobs/queues.ts';
import { createMemorySite } from '../../support/fakes/memory-stores.ts';
import { type FleetBench, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
let killSwitch: KillSwitch;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterEach(async () => {
	await bench.close();
	await killSwitch.stop();
	await redis.flush();
});
afterAll(() => redis.stop());

const silent = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
const signal = new AbortController().signal;

/** A way into sessions that writes down what goes in. */
function recorder() {
	const got: { session: string; item: InboxDraft }[] = [];
	const started: string[] = [];
	const control: SessionControl = {
		source: 'script',
		can: { start: true, message: true, interrupt: true, answer: true, abort: true, stop: true },
		async start({ name }) {
			started.push(name);
			return { kind: 'started', sessionId: name, name };
		},
		async deliver(session, item) {
			got.push({ session: session.name, item });
			return { kind: 'delivered' };
		},
		openQuestions: async () => undefined,
		transcript: async () => undefined,
	};
	return { got, started, control };
}

test('OPS-18 paused, nothing goes into sessions, turns are broken off, none is started; what waited goes in afterwards', async () => {
	bench = await openFleet(redis);
	const site = createMemorySite();
	killSwitch = createKillSwitch({ site, log: testLog(), metrics: silent });
	const { got, started, control } = recorder();
	bench.work({ controls: [control], killSwitch });
	const [busy, waiting] = [reporter('busy', 'api-fix'), reporter('calm', 'docs')];
	const { sessions } = await bench.report([busy.say('started'), busy.say('working')]);
	await bench.report([waiting.say('started'), waiting.say('question', SCHEMA_QUESTION)]);
	const id = sessions[0]?.sessionId ?? '';

	await site.setPaused(true);
	await eventually('the turn is broken off', () => got.length > 0);
	// The one that waits for a person asks no model.
	expect(got).toMatchObject([{ session: 'api-fix', item: { kind: 'abort', mode: 'interrupt' } }]);
	const words: Omit<InboxDraft, 'at' | 'from'> = { id: 'm1', kind: 'message', mode: 'queue', text: 'Use v2' };
	expect(await bench.desks.messageDesk.send(id, words, RIA)).toEqual({ kind: 'queued' });
	const { handlers: connection, prefix } = bench.redis;
	const queues = createQueues({ connection, prefix, log: testLog() });
	await eventually('a worker has looked at it', async () => {
		const jobs = await queues.queue('fleet-deliver').getCompleted(0, 20);
		return jobs.some(({ returnvalue }) => returnvalue === 'paused');
	});
	await queues.close();
	expect(got).toHaveLength(1);
	const held = holdStarts(control, killSwitch);
	const wish = { name: 'new', directory: '/x', ownerId: '1' };
	expect(await held.start(wish, signal)).toMatchObject({ kind: 'refused', why: expect.stringContaining('paused') });
	expect(started).toEqual([]);

	await site.setPaused(false);
	await eventually('what waited goes in', () => got.some(({ item }) => item.text === 'Use v2'), 20_000);
	expect(await held.start(wish, signal)).toMatchObject({ kind: 'started' });
}, 60_000);
