import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { createIntakeStores, type IntakeStores } from '../../../adapters/redis/intake/intake-stores.ts';
import { parseEnvironment } from '../../../config/env.ts';
import { wakeAt } from '../../../core/intake/wake.ts';
import { createFleetDesks } from '../../../jobs/fleet/fleet-desks.ts';
import { createIntakeDesk } from '../../../jobs/intake/desk.ts';
import { createQueues } from '../../../jobs/queues.ts';
import { testTracer } from '../../support/fakes/test-tracer.ts';
import { KILL_ROOMS, killRooms } from '../../support/kill-rounds.ts';
import { type HouseProcess, openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually, testLog } from '../../support/redis.ts';

const ROOMS = KILL_ROOMS.slice(0, 4).map((_, index) => `kill${index}`);
const silentMetrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
const clock = { now: Date.now };
const random = { next: Math.random, id: () => `r${Math.random().toString(36).slice(2)}` };
const RIA = { who: 'Ria', whoId: 'ria' };
const WISH = 'I want an online shop for handmade mugs with inventory and a hundred orders a week.';

let house: ProcessHouse;
let workers: HouseProcess[];
let fleet: FleetStores & ReturnType<typeof createFleetDesks>;
let intake: IntakeStores & { desk: ReturnType<typeof createIntakeDesk> };

beforeAll(async () => {
	house = await openProcessHouse({
		script: ({ messages }) => ({
			text: messages.some(({ content }) => content.includes('handmade mugs'))
				? 'D1: Who manages the stock?\nD7: What is the budget?'
				: JSON.stringify({ mode: 'CHAT', chat: 'Here I am.', say: 'All is well.', calls: [] }),
		}),
		channels: KILL_ROOMS.map((_, index) => `kill${index}`),
		change(settings, channelOf) {
			killRooms(settings, channelOf, 'cover');
			settings.fleet.channelId = '300000000000000001';
			settings.fleet.concierge.tickMs = 1_000;
			settings.intake.enabled = true;
		},
	});
	const redis = await house.redis.connect();
	const queues = createQueues({ connection: redis.handlers, prefix: redis.prefix, log: testLog() });
	const common = { queues, clock, random, log: testLog(), tracer: testTracer() };
	const fleetStores = createFleetStores(redis, { feed: () => house.settings.fleet.feed, maxInbox: () => 100 });
	fleet = {
		...fleetStores,
		...createFleetDesks({
			...common,
			...fleetStores,
			settings: () => house.settings.fleet,
			isPaused: async () => (await house.stores.site.read()).paused,
		}),
	};
	const keys = parseEnvironment({ INTAKE_KEYS: `test:${'A'.repeat(43)}=` });
	if (!keys.ok) throw new Error('no keys');
	const intakeStores = createIntakeStores(redis, {
		keys: keys.environment.intakeKeys,
		settings: () => house.settings.intake,
		wakeAt,
	});
	intake = {
		...intakeStores,
		desk: createIntakeDesk({
			...common,
			work: intakeStores.work,
			settings: () => house.settings.intake,
			metrics: silentMetrics,
		}),
	};
	await (await house.load('bot')).open();
	workers = [await house.load('worker'), await house.load('worker')];
	for (const worker of workers) await worker.open();
}, 180_000);
afterAll(() => house.close());

const requests = () => house.model.control.requests();
const open = () => requests().filter(({ outcome }) => outcome === 'pending');
const say = (room: string, text: string) => house.discord.control.message({ as: 'alex', channel: room, text });
const linesIn = async (room: string) =>
	(await house.discord.control.messages({ channel: room, author: 'Majordomo' })).map(({ text }) => text);
const holds = async (room: string) => (await house.stores.rooms.read(room, { messages: 200, events: 50 })).gate;

test('OPS-18 paused, two workers ask no model within a second, in rooms, intakes and the fleet; what waited goes on afterwards', async () => {
	await fleet.conciergeDesk.on(RIA);
	await eventually(
		'the fleet was looked at',
		async () => (await fleet.concierge.read()).state.lastDigestAt > 0,
		60_000,
	);

	house.model.control.always({ kind: 'hang' });
	for (const room of ROOMS) await say(room, 'overseer, are you there?');
	await eventually('every room thinks', () => open().length >= ROOMS.length, 60_000);

	await house.stores.site.setPaused(true);
	// The one bound on time: this is what is promised.
	await eventually('nobody is asked any more', () => open().length === 0, 1_000);
	const asked = requests().length;
	await eventually('both workers know', () =>
		workers.every(({ child }) => child.stderr().includes('paused everything')),
	);
	house.model.control.always(undefined);

	// Everything that would ask a model is begun, and seen to wait in the workers' hands.
	for (const room of ROOMS) await say(room, 'overseer, and now?');
	await fleet.conciergeDesk.ask({ id: 'ask1', at: Date.now(), ...RIA, text: 'how is it going?', replyTo: { c: '1' } });
	const opened = await openIntake();
	await eventually(
		'every room holds what it was asked',
		async () => {
			const gates = await Promise.all(ROOMS.map(holds));
			return gates.every((gate) => gate.lastHold?.reason === 'paused' && gate.pending !== undefined && !gate.inFlight);
		},
		60_000,
	);
	await eventually('the intake says why it waits', async () => {
		const found = await intake.work.next(opened);
		return found.loaded.kind === 'found' && found.loaded.session.suspension?.unavailable === 'paused';
	});
	expect((await fleet.concierge.read()).state.asks).toHaveLength(1);
	expect(requests()).toHaveLength(asked);

	await house.stores.site.setPaused(false);
	for (const room of ROOMS)
		await eventually(
			`${room} answers what it was asked before and during the pause`,
			async () => (await linesIn(room)).length >= 2 && (await holds(room)).pending === undefined,
			60_000,
		);
	await eventually('the ask is answered', async () => (await fleet.concierge.read()).state.asks.length === 0, 60_000);
	await eventually(
		'the intake asks its first questions',
		async () => {
			const found = await intake.work.next(opened);
			return found.loaded.kind === 'found' && found.loaded.session.state === 'QUESTIONING';
		},
		60_000,
	);
	expect(requests().length).toBeGreaterThan(asked);
}, 240_000);

async function openIntake(): Promise<string> {
	const id = random.id();
	const start = { id, place: { kind: 'cxp' as const, caller: 'test' }, requesterId: 'ria', review: true };
	const intent = { kind: 'intent' as const, id: 'i1', author: { id: 'ria', bot: false }, text: WISH };
	const result = await intake.desk.open(start, intent, 'once1', { waitMs: 0 });
	if (result.kind !== 'opened') throw new Error(`not opened: ${result.kind}`);
	return id;
}
