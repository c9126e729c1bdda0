import { createStores } from '../../adapters/redis/stores.ts';
import { settingsSchema } from '../../config/schema.ts';
import { finishDecision } from '../../core/overseer/finish-decision.ts';
import { overseerStatus } from '../../core/overseer/status.ts';
import { takeDecision } from '../../core/overseer/take-decision.ts';
import { commitGate } from '../../jobs/overseer/commit.ts';
import { createGateLoop } from '../../jobs/overseer/gate-loop.ts';
import { createRoomScenes } from '../../jobs/overseer/room-scene.ts';
import { testTracer } from '../support/fakes/test-tracer.ts';
import { startTestRedis, testLog } from '../support/redis.ts';

const ROOMS = 1_000;
const WINDOW_MS = 20_000;

/** What the gate costs one process: CPU of this process while it gates a thousand rooms at a 2 s tick. */
export async function benchGate(): Promise<string[]> {
	const redis = await startTestRedis();
	const connection = await redis.connect();
	const stores = createStores(connection, {
		statusSchema: overseerStatus,
		audit: { maxRows: 1_000, retainMs: 86_400_000 },
	});
	const settings = settingsSchema.parse({
		rooms: Array.from({ length: ROOMS }, (_, index) => ({
			id: `room-${index}`,
			title: `Room ${index}`,
			channelId: `${100_000_000_000_000_000n + BigInt(index)}`,
			lights: [{ entityId: `light.lamp_${index}`, label: 'lamp' }],
		})),
		overseer: { stage: 'full' },
	});
	const clock = { now: Date.now };
	const rooms = () => settings.rooms;
	const overseer = () => settings.overseer;
	const home = {
		status: () => ({ connected: true, phase: 'ready' as const, since: 0 }),
		states: () => new Map(),
	};
	const scenes = createRoomScenes({
		...stores,
		store: stores.rooms,
		rooms,
		settings: overseer,
		home,
		clock,
		random: { next: Math.random, id: () => crypto.randomUUID() },
	});
	let looks = 0;
	let woken = 0;
	const gate = createGateLoop({
		roomIds: () => settings.rooms.map(({ id }) => id),
		settings: overseer,
		scenes,
		store: stores.rooms,
		leases: stores.leases,
		lives: { self: 'bench', isGone: async () => false },
		// Stands for a worker that answers at once: what it costs to take and end a decision is part of the figure.
		async enqueue(roomId) {
			woken += 1;
			const taken = await commitGate({ scenes, store: stores.rooms }, roomId, (scene) => {
				const next = takeDecision(scenes.gateInput(scene), 60_000);
				return next && { gate: next.gate, dueAt: scene.now + 60_000, result: next.decision.id };
			});
			if (!taken) return;
			await commitGate({ scenes, store: stores.rooms }, roomId, (scene) => {
				const gate = finishDecision(scene.snapshot.gate, taken.result, 'ok', scene.now, scene.settings, 0.5);
				return gate && { gate, dueAt: scene.now + 1_000, result: undefined };
			});
		},
		tracer: testTracer(),
		apologise: async () => undefined,
		observe: async () => {
			looks += 1;
		},
		clock,
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	});
	const say = async (room: string, n: number, ageMs = 0) =>
		stores.rooms.addMessage({
			id: `${room}-${n}`,
			room,
			author: { id: `person-${n % 3}`, name: 'alex' },
			bot: false,
			text: `the rover went past the bench again, number ${n}`,
			at: Date.now() - ageMs,
			mentions: [],
			source: 'discord',
		});
	// Every room has some old talk behind it, so that a look reads what a look usually reads.
	for (let n = 0; n < 20; n += 1) await Promise.all(settings.rooms.map(({ id }) => say(id, n, 3_600_000 - n * 1_000)));

	const measure = async (name: string, talkers: number): Promise<string> => {
		let n = 1_000;
		const talk = setInterval(() => {
			n += 1;
			for (let room = 0; room < talkers; room += 1) void say(`room-${room}`, n);
		}, 2_000);
		await new Promise((resolve) => setTimeout(resolve, 4_000));
		looks = 0;
		woken = 0;
		const startedAt = performance.now();
		const before = process.cpuUsage();
		await new Promise((resolve) => setTimeout(resolve, WINDOW_MS));
		const used = process.cpuUsage(before);
		const share = (used.user + used.system) / 1_000 / (performance.now() - startedAt);
		clearInterval(talk);
		return `${name.padEnd(34)} ${(share * 100).toFixed(1)} % of a core   ${(looks / (WINDOW_MS / 1_000)).toFixed(0)} looks/s, ${woken} rooms woken   (bound: 10 %)`;
	};

	gate.start();
	const lines = [await measure(`${ROOMS} rooms, nobody talks`, 0), await measure(`${ROOMS} rooms, talk in 100`, 100)];
	await gate.stop();
	await redis.stop();
	return lines;
}
