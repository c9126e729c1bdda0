import { setTimeout as sleep } from 'node:timers/promises';
import type { RoomSettings } from '../../config/rooms.ts';
import type { Settings } from '../../config/schema.ts';
import type { AuditRow } from '../../core/tooling/call.ts';
import type { ModelScript } from '../../demo/model/model-script.ts';
import type { HouseProcess, ProcessHouse } from './process-house.ts';
import { eventually } from './redis.ts';

const LAMPS = ['light.shelf', 'light.bench', 'light.corner', 'light.color', 'light.aux1', 'switch.aux2'] as const;
export const KILL_ROOMS = [...LAMPS, 'lift', 'vacuum'] as const;

/** Steps that end a call. */
const ENDS = ['blocked', 'invalid', 'confirmed', 'unconfirmed', 'failed', 'unknown'];

/** One room for each thing that can act, so that many decisions run at once and their actions are told apart. */
export function killRooms(settings: Settings, channelOf: (name: string) => string, lift: 'cover' | 'switches'): void {
	const [whole] = settings.rooms;
	if (!whole) throw new Error('the rehearsal house has a room');
	const bare = { rovers: [], scripts: [], presenceEntityIds: [], lights: [] };
	settings.rooms = KILL_ROOMS.map((thing, index): RoomSettings => {
		const id = `kill${index}`;
		const room = { id, title: id, channelId: channelOf(id), ...bare };
		if (thing === 'vacuum') return { ...room, ...(whole.neato ? { neato: whole.neato } : {}) };
		if (thing !== 'lift') return { ...room, lights: whole.lights.filter(({ entityId }) => entityId === thing) };
		return {
			...room,
			lift:
				lift === 'cover'
					? { driver: 'cover', entityId: 'cover.lift', travelMs: 1_500 }
					: { driver: 'switches', upEntityId: 'switch.lift_up', downEntityId: 'switch.lift_down', interlockMs: 250 },
		};
	});
	const { overseer } = settings;
	overseer.gate.heartbeatMs = 3_600_000;
	overseer.gate.idleHeartbeatMs = 0;
	overseer.gate.leaseMs = 3_000;
	overseer.budget = { perMinute: 1_000, perHour: 10_000 };
	// One person asks more here in minutes than a person in a day.
	settings.limits.perPersonPerHour = 0;
	settings.limits.perChannelPerHour = 0;
	settings.limits.perDayCalls = 0;
	for (const name of Object.keys(overseer.cooldowns) as (keyof typeof overseer.cooldowns)[])
		overseer.cooldowns[name] = 0;
}

/** To whoever addresses it, answers with the tool that the newest line names as `task <tool> [<entity> <state>]`. */
export const taskScript: ModelScript = ({ messages }) => {
	// What the room or the house does by itself is no request.
	if (!messages.some(({ content }) => content.includes('trigger: direct_address')))
		return { text: JSON.stringify({ mode: 'SKIP' }) };
	const lines = messages.map(({ content }) => /task (\S+)(?: (\S+) (on|off))?/.exec(content)).filter((found) => found);
	const [, tool = '', entity, state] = lines.at(-1) ?? [];
	const args = entity === undefined ? {} : { entity_id: entity, state };
	return { text: JSON.stringify({ mode: 'ACTION+CHAT', chat: 'So be it.', calls: [{ tool, args }] }) };
};

/** Something that the thing can do as it stands. */
export function taskFor(house: ProcessHouse, thing: (typeof KILL_ROOMS)[number]): string {
	const { entities, room } = house.home.control.world();
	if (thing === 'vacuum') return room.vacuum.activity === 'docked' ? 'neato_start' : 'neato_send_home';
	if (thing === 'lift') return room.lift.position < 50 ? 'lift_up' : 'lift_down';
	return `ha_set_entity ${thing} ${entities[thing]?.state === 'on' ? 'off' : 'on'}`;
}

/** Nothing moves. A vacuum whose way home was interrupted may stand paused. */
function isAtRest(house: ProcessHouse): boolean {
	const { entities, room } = house.home.control.world();
	const lift = entities['cover.lift']?.state ?? '';
	return ['open', 'closed'].includes(lift) && room.vacuum.activity !== 'returning';
}

export interface RoundResult {
	/** Commands that reached Home Assistant in this round, by room: `service entity`. */
	readonly sent: readonly (readonly string[])[];
	readonly rows: readonly AuditRow[];
	/** Lines of the bot in each room's channel after the question. */
	readonly answers: readonly number[];
}

/** One round of asking every room for something while a fault is caused. */
export interface FaultRound {
	random(): number;
	spreadMs: number;
	/** `commands`: while commands are on their way and Home Assistant is slow to answer them. */
	aim: 'anywhere' | 'commands';
	/** Causes the fault, at a random moment of the round, and ends it where it does not end by itself. */
	disturb(): Promise<void>;
	/** Called once everybody has asked. */
	recover?(): Promise<void>;
}

/** A round in which the worker is killed and its successor starts. */
export async function killRound(
	house: ProcessHouse,
	victim: HouseProcess,
	successor: HouseProcess,
	options: Pick<FaultRound, 'random' | 'spreadMs' | 'aim'> & { settings: Settings },
): Promise<RoundResult> {
	return faultRound(house, {
		...options,
		disturb: () => victim.kill(),
		recover: () => successor.open(options.settings),
	});
}

/**
 * Asks every room for something within `spreadMs`, causes a fault meanwhile and waits until everybody was answered and
 * every call has an end.
 */
export async function faultRound(house: ProcessHouse, options: FaultRound): Promise<RoundResult> {
	const { discord, home, stores, model } = house;
	await eventually('the house is at rest', () => isAtRest(house), 30_000);
	const callsBefore = home.control.calls().length;
	const before = new Set((await allRows(stores)).map(({ id }) => id));
	model.control.always({ kind: 'script', delayMs: Math.floor(options.random() * 500) });
	if (options.aim === 'commands') {
		// The first commands arrive and show no effect: only the claim tells that they must not be sent again.
		home.control.fault({ kind: 'hang', acts: false, times: 4 });
		home.control.fault({ kind: 'delay', delayMs: 400, times: 100 });
	}
	const asked = KILL_ROOMS.map(async (thing, index) => {
		const task = taskFor(house, thing);
		await sleep(options.random() * options.spreadMs);
		return discord.control.message({ as: 'sam', channel: `kill${index}`, text: `overseer, task ${task}` });
	});
	if (options.aim === 'anywhere') await sleep(options.random() * options.spreadMs + 200);
	else {
		await eventually('a command has left', () => home.control.calls().length > callsBefore);
		await sleep(options.random() * 500);
	}
	await options.disturb();
	home.control.clearFaults();
	const questions = await Promise.all(asked);
	await options.recover?.();

	const answersOf = async (index: number) => {
		const after = questions[index]?.id ?? '';
		return discord.control.messages({ channel: `kill${index}`, author: 'Majordomo', after });
	};
	await Promise.all(
		KILL_ROOMS.map((thing, index) =>
			eventually(`${thing} is answered`, async () => (await answersOf(index)).length > 0, 60_000).catch(
				async (error: Error) => {
					const { gate } = await stores.rooms.read(`kill${index}`, { messages: 0, events: 0 });
					const rows = await stores.audit.query({ room: `kill${index}`, limit: 12 });
					throw new Error(`${error.message}\n${JSON.stringify({ gate, rows }, null, 1)}`);
				},
			),
		),
	);
	const rowsNow = async () => (await allRows(stores)).filter(({ id }) => !before.has(id));
	await eventually('every call has an end', async () => openCalls(await rowsNow()).length === 0, 60_000).catch(
		async (error: Error) => {
			const rows = await rowsNow();
			const open = openCalls(rows);
			throw new Error(
				`${error.message}\n${JSON.stringify(
					rows.filter(({ callId }) => open.includes(callId)),
					null,
					1,
				)}`,
			);
		},
	);
	await eventually(
		'nothing is in flight',
		async () => {
			const rooms = await Promise.all(
				KILL_ROOMS.map((_, index) => stores.rooms.read(`kill${index}`, { messages: 0, events: 0 })),
			);
			return rooms.every(({ gate }) => !gate.inFlight && !gate.pending);
		},
		60_000,
	);
	const calls = home.control.calls().slice(callsBefore);
	return {
		sent: KILL_ROOMS.map((thing) =>
			calls
				.filter(({ entityIds }) => entityIds.some((id) => belongs(id, thing)))
				.map(({ service, entityIds }) => `${service} ${entityIds.join()}`),
		),
		rows: await rowsNow(),
		answers: await Promise.all(KILL_ROOMS.map(async (_, index) => (await answersOf(index)).length)),
	};
}

function belongs(entityId: string, thing: (typeof KILL_ROOMS)[number]): boolean {
	if (thing === 'lift') return ['cover.lift', 'switch.lift_up', 'switch.lift_down'].includes(entityId);
	return thing === 'vacuum' ? entityId === 'vacuum.neato' : entityId === thing;
}

async function allRows({ audit }: ProcessHouse['stores']): Promise<AuditRow[]> {
	return (await Promise.all(KILL_ROOMS.map((_, index) => audit.query({ room: `kill${index}`, limit: 200 })))).flat();
}

/** Calls that began and never ended. */
function openCalls(rows: readonly AuditRow[]): string[] {
	const ended = new Set(rows.filter(({ step }) => ENDS.includes(step)).map(({ callId }) => callId));
	return [...new Set(rows.map(({ callId }) => callId))].filter((id) => !ended.has(id));
}
