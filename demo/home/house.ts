import { type Context, createContext, createEntityTable, type EntityTable } from './entity-table.ts';
import { commandRoom } from './room/command-room.ts';
import type { Described } from './room/describe-button.ts';
import { describeRoom } from './room/describe-room.ts';
import { type Poke, pokeRoom } from './room/poke-room.ts';
import { createRoom, type Pace, type Room } from './room/room.ts';
import { stepRoom } from './room/step-room.ts';
import { checkCall, checkSupport, namedTargets, type Refusal } from './service-rules.ts';

export type Presence = 'available' | 'unavailable' | 'removed';

interface HouseCall {
	readonly domain: string;
	readonly service: string;
	readonly data: Readonly<Record<string, unknown>>;
	readonly target: Readonly<Record<string, unknown>>;
	readonly returnResponse: boolean;
	readonly context: Context;
}

/** Executed entity ids; empty when everything named was missing or unavailable, which is a success all the same. */
export type HouseAnswer = { readonly executed: readonly string[] } | { readonly refusal: Refusal };

export interface HouseOptions {
	readonly now: () => number;
	readonly seed?: number;
	readonly pace?: Partial<Pace>;
}

/** The room together with what Home Assistant reports about it, rightly or wrongly. */
export interface House {
	readonly table: EntityTable;
	room(): Room;
	/** Simulated epoch milliseconds: the clock plus whatever `advance` has added. */
	now(): number;
	/** Lets the time since the last tick pass. */
	tick(): void;
	/** Lets extra time pass at once. */
	advance(ms: number): void;
	/** Checks a call without doing anything. */
	check(call: HouseCall): HouseAnswer;
	/** Checks and does a call. */
	call(call: HouseCall): HouseAnswer;
	poke(poke: Poke): void;
	/** Pins what is reported for an entity, whatever the device does; creates the entity when it does not exist. */
	pin(entityId: string, report: Partial<Described>, context?: Context): void;
	/** Ends a pin; an entity that only existed by its pin goes away. */
	unpin(entityId: string): void;
	setPresence(entityIds: readonly string[], presence: Presence): void;
	/** Gives an entity another id, as a person does in the settings; the same id again undoes it. */
	rename(entityId: string, to: string): void;
	/** Forgets everything reported; entities are absent and services unknown until `load`. */
	unload(): void;
	load(): void;
	isLoaded(): boolean;
	/** How often each entity was physically told to do something. */
	actions(): Readonly<Record<string, number>>;
	reset(): void;
}

/** Home Assistant credits a device's own report to the call before it for this long. */
const contextMemoryMs = 5_000;

export function createHouse({ now: clock, seed = 1, pace = {} }: HouseOptions): House {
	const table = createEntityTable();
	let room = createRoom(seed, pace);
	let addedMs = 0;
	let steppedAt = clock();
	let loaded = true;
	const presence = new Map<string, Presence>();
	const pins = new Map<string, Partial<Described>>();
	const names = new Map<string, string>();
	const causes = new Map<string, { context: Context; at: number }>();
	const actions = new Map<string, number>();

	const now = () => clock() + addedMs;
	const reportedId = (entityId: string) => names.get(entityId) ?? entityId;

	function causeOf(entityId: string): Context {
		const cause = causes.get(entityId);
		return cause && now() - cause.at <= contextMemoryMs ? cause.context : createContext();
	}

	function report(entityId: string, described: Described | undefined): void {
		const id = reportedId(entityId);
		const pin = pins.get(entityId);
		const state = presence.get(entityId) ?? 'available';
		if (state === 'removed' || (!described && !pin)) {
			table.remove(id);
			return;
		}
		const attributes = { ...described?.attributes, ...pin?.attributes };
		const text = state === 'unavailable' ? 'unavailable' : (pin?.state ?? described?.state ?? 'unknown');
		table.put(
			id,
			{ state: text, attributes: state === 'unavailable' ? lasting(attributes) : attributes },
			causeOf(entityId),
			now(),
		);
	}

	function publish(): void {
		if (!loaded) return;
		const described = describeRoom(room);
		for (const [entityId, entity] of described) report(entityId, entity);
		for (const entityId of pins.keys()) if (!described.has(entityId)) report(entityId, undefined);
	}

	/** The real device behind a reported id, if it can be reached. */
	function reachable(id: string): string | undefined {
		const entityId = [...names].find(([, name]) => name === id)?.[0] ?? (names.has(id) ? undefined : id);
		if (entityId === undefined || !table.entries().has(id)) return undefined;
		return (presence.get(entityId) ?? 'available') === 'available' ? entityId : undefined;
	}

	function resolve(call: HouseCall): HouseAnswer {
		const { entity_id: _e, device_id: _d, area_id: _a, ...fields } = call.data;
		const refusal = loaded
			? checkCall(call.domain, call.service, fields, call.returnResponse)
			: { code: 'not_found', message: `Service ${call.domain}.${call.service} not found.` };
		if (refusal) return { refusal };
		const direct = call.domain === 'script' && !['turn_on', 'turn_off', 'toggle'].includes(call.service);
		const named = direct ? [`script.${call.service}`] : namedTargets(call.data, call.target);
		if (!isIdList(named)) return { refusal: named };
		const generic = call.domain === 'homeassistant';
		const ids = named.includes('all') ? [...table.entries().keys()] : named;
		const fitting = ids.filter((id) => generic || id.startsWith(`${call.domain}.`));
		const executed = fitting.map(reachable).filter((id) => id !== undefined);
		const unsupported = checkSupport(call.domain, call.service, executed);
		return unsupported ? { refusal: unsupported } : { executed };
	}

	function tick(): void {
		const elapsedMs = now() - steppedAt;
		steppedAt = now();
		if (elapsedMs > 0) room = stepRoom(room, elapsedMs);
		publish();
	}

	function execute(entityId: string, call: HouseCall): void {
		const before = room.lamps;
		const data = call.data;
		room = commandRoom(room, { domain: call.domain, service: call.service, entityId, data, now: now() });
		actions.set(entityId, (actions.get(entityId) ?? 0) + 1);
		const touched = Object.keys(room.lamps).filter((id) => room.lamps[id] !== before[id]);
		for (const id of new Set([entityId, ...touched])) causes.set(id, { context: call.context, at: now() });
	}

	publish();
	return {
		table,
		room: () => room,
		now,
		tick,
		advance(ms) {
			addedMs += ms;
			tick();
		},
		check: resolve,
		call(call) {
			tick();
			const answer = resolve(call);
			if ('executed' in answer) for (const entityId of answer.executed) execute(entityId, call);
			publish();
			return answer;
		},
		poke(poke) {
			room = pokeRoom(room, poke, now());
			publish();
		},
		pin(entityId, reported, context) {
			pins.set(entityId, { ...pins.get(entityId), ...reported });
			if (context) causes.set(entityId, { context, at: now() });
			publish();
		},
		unpin(entityId) {
			pins.delete(entityId);
			report(entityId, describeRoom(room).get(entityId));
		},
		setPresence(entityIds, state) {
			for (const entityId of entityIds) {
				presence.set(entityId, state);
				causes.delete(entityId);
			}
			publish();
		},
		rename(entityId, to) {
			table.remove(reportedId(entityId));
			if (to === entityId) names.delete(entityId);
			else names.set(entityId, to);
			publish();
		},
		unload() {
			loaded = false;
			table.clear();
		},
		load() {
			loaded = true;
			causes.clear();
			tick();
		},
		isLoaded: () => loaded,
		actions: () => Object.fromEntries(actions),
		reset() {
			for (const map of [presence, pins, names, causes, actions]) map.clear();
			room = createRoom(seed, pace);
			steppedAt = now();
			loaded = true;
			const described = describeRoom(room);
			for (const id of [...table.entries().keys()]) if (!described.has(id)) table.remove(id);
			publish();
		},
	};
}

function isIdList(value: readonly string[] | Refusal): value is readonly string[] {
	return Array.isArray(value);
}

/** What stays of the attributes while a device is away: its name and what it could do. */
function lasting(attributes: Described['attributes']): Described['attributes'] {
	const kept = ['friendly_name', 'supported_features', 'supported_color_modes', 'device_class', 'unit_of_measurement'];
	return Object.fromEntries(Object.entries(attributes).filter(([key]) => kept.includes(key)));
}
