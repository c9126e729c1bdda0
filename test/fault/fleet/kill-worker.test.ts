import { expect, test } from 'vitest';
import { sessionId } from '../../../core/fleet/session.ts';
import { RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { fleetWorkers } from '../../support/fleet-workers.ts';
import { eventually } from '../../support/redis.ts';

const stage = fleetStage({ own: true });
const worker = fleetWorkers(stage);

const state = async () => (await stage.bench.stores.concierge.read()).state;
const events = async (kind: string) =>
	(await stage.bench.stores.feed.read(0, 500)).events.filter((e) => e.kind === kind);

test('FLT-6 FLT-16 OPS-15 a worker is killed in the middle of a wake: the same wake is gone on with, and nothing is said twice', async () => {
	await stage.open();
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	const need = { text: 'api-fix asks which schema to use', level: 'need', id: 'api-fix' };
	// It speaks in its first round and dies in the second.
	stage.ollama.control.queue(
		{ kind: 'json', value: { say: '', calls: [{ tool: 'hub_notify', args: need }] } },
		{ kind: 'hang' },
	);
	stage.ollama.control.always({ kind: 'json', value: { say: '', calls: [] } });
	const first = await worker();
	await stage.bench.desks.conciergeDesk.on(RIA);
	await eventually('the second round hangs', () => stage.ollama.control.state().hanging === 1, 60_000);
	const wake = (await state()).inFlight?.wake;
	expect(wake).toMatchObject({ why: 'heartbeat', tries: 1 });
	const { cursor } = await state();
	await first.end('SIGKILL');
	expect((await state()).cursor).toBe(cursor);
	const again: string[] = [];
	await worker();
	await eventually(
		'another goes on with it',
		async () => {
			const { inFlight } = await state();
			if (inFlight) again.push(`${inFlight.wake.id} ${inFlight.wake.tries}`);
			return (await state()).lastDigestAt > 0;
		},
		60_000,
	);
	expect(again.every((each) => each.startsWith(wake?.id ?? '-'))).toBe(true);
	expect((await state()).greet).toBe(false);
	// The first round was not asked for again, and what it did was not done again.
	expect(stage.ollama.control.requests()).toHaveLength(3);
	expect(await events('concierge_said')).toHaveLength(1);
	await eventually('its words reached people', () => stage.bench.shown.length > 0);
	expect(stage.bench.shown.map(({ kind }) => kind)).toEqual(['cards']);
}, 180_000);

test('FLT-13 OPS-15 an answer whose process died before it was on its way gets there with the next start', async () => {
	await stage.open();
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	const [question] = await stage.bench.stores.questions.unsettled(5);
	await stage.bench.desks.questionDesk.answer(question?.id ?? '', { values: ['v2'] }, RIA);
	// Every queued job is lost with the process that held it.
	const queued = await stage.bench.redis.handlers.keys('*fleet-deliver*');
	expect(queued.length).toBeGreaterThan(0);
	await stage.bench.redis.handlers.del(...queued);
	await worker();
	const [item] = await eventually(
		'it is there',
		async () => {
			const items = await stage.bench.inbox(sessionId('script', 'laptop', 'api'));
			return items.length > 0 ? items : undefined;
		},
		60_000,
	);
	expect(item).toMatchObject({ kind: 'answer', answer: { values: ['v2'] } });
}, 120_000);
