import type { ClientPool } from './client-pool.ts';
import type { ReceivedCall } from './client-session.ts';
import { createContext, type Entry } from './entity-table.ts';
import type { Fault, FaultList } from './faults.ts';
import type { House, HouseAnswer, Presence } from './house.ts';
import type { ReceivedFrame } from './received-frame.ts';
import type { Described } from './room/describe-button.ts';
import type { Poke } from './room/poke-room.ts';
import type { Room } from './room/room.ts';

/** Everything a page or a test needs to see of the house at one moment. */
export interface WorldView {
	/** Simulated epoch milliseconds. */
	readonly at: number;
	readonly room: Room;
	readonly entities: Readonly<Record<string, Pick<Entry, 'state' | 'attributes' | 'lastChangedAt' | 'lastUpdatedAt'>>>;
	readonly devices: Readonly<Record<string, readonly string[]>>;
	/** Logged-in clients. */
	readonly clients: number;
	readonly loaded: boolean;
	readonly stalled: boolean;
	readonly faults: readonly Fault[];
	readonly actions: Readonly<Record<string, number>>;
	/** The last calls, newest last. */
	readonly calls: readonly ReceivedCall[];
}

/** A service used by a person through Home Assistant's own pages, not by the client under test. */
interface PersonsCall {
	readonly domain: string;
	readonly service: string;
	readonly entityId: string;
	readonly data?: Readonly<Record<string, unknown>>;
}

export interface HomeControl {
	world(): WorldView;
	/** Uses a service as a person would, under another user and context. */
	act(call: PersonsCall): HouseAnswer;
	/** Does something to the room behind Home Assistant's back. */
	poke(poke: Poke): void;
	/** Pins what an entity reports; with `parentId` the report carries that parent context, as an automation's does. */
	set(entityId: string, report: Partial<Described>, parentId?: string): void;
	/** Ends a pin made by `set`. */
	release(entityId: string): void;
	/** Makes an entity, or all entities of a device such as `lift`, unavailable, removed or available again. */
	presence(idOrDevice: string, presence: Presence): void;
	/** Gives an entity another id; its own id again undoes it. */
	rename(entityId: string, to: string): void;
	/** Spoils the next matching service calls. */
	fault(fault: Fault): void;
	clearFaults(): void;
	/** Refuses the present token and cuts its connections. */
	revokeToken(): void;
	/** Makes another token the only valid one; connections that are open stay. */
	setToken(token: string): void;
	/** Cuts every client connection. */
	closeSockets(): void;
	/** While stalled nothing is read or answered and nothing is closed, as on a half-open line. */
	stall(stalled: boolean): void;
	/** Cuts all, refuses clients for `downMs`, then accepts them but has no entities or services for another `loadMs`. */
	restart(options?: { readonly downMs?: number; readonly loadMs?: number }): Promise<void>;
	/** Lets simulated time pass at once. */
	advance(ms: number): void;
	frames(): readonly ReceivedFrame[];
	calls(): readonly ReceivedCall[];
	/** How often each entity physically acted. */
	actions(): Readonly<Record<string, number>>;
	/** Everything back to the start, the first token included; connections that are open stay. */
	reset(): void;
}

export interface ControlDeps {
	readonly house: House;
	readonly faults: FaultList;
	readonly pool: ClientPool;
}

const shownCalls = 12;
const personId = 'person';

export function createHomeControl({ house, faults, pool }: ControlDeps): HomeControl {
	const entityIdsOf = (idOrDevice: string) => devicesOf(house.room())[idOrDevice] ?? [idOrDevice];
	return {
		world() {
			house.tick();
			return {
				at: house.now(),
				room: house.room(),
				entities: Object.fromEntries(
					[...house.table.entries()].map(([id, { state, attributes, lastChangedAt, lastUpdatedAt }]) => [
						id,
						{ state, attributes, lastChangedAt, lastUpdatedAt },
					]),
				),
				devices: devicesOf(house.room()),
				clients: pool.authenticated(),
				loaded: house.isLoaded(),
				stalled: pool.isStalled(),
				faults: faults.list(),
				actions: house.actions(),
				calls: pool.calls().slice(-shownCalls),
			};
		},
		act({ domain, service, entityId, data = {} }) {
			const context = createContext(personId);
			return house.call({ domain, service, data, target: { entity_id: entityId }, returnResponse: false, context });
		},
		poke: house.poke,
		set: (entityId, report, parentId) =>
			house.pin(entityId, report, parentId === undefined ? undefined : createContext(null, parentId)),
		release: house.unpin,
		presence: (idOrDevice, presence) => house.setPresence(entityIdsOf(idOrDevice), presence),
		rename: house.rename,
		fault: faults.add,
		clearFaults: faults.clear,
		revokeToken: pool.revokeToken,
		setToken: pool.setToken,
		closeSockets: pool.closeAll,
		stall: pool.stall,
		restart: ({ downMs = 200, loadMs = 300 } = {}) => pool.restart(downMs, loadMs),
		advance: house.advance,
		frames: pool.frames,
		calls: pool.calls,
		actions: house.actions,
		reset() {
			faults.clear();
			pool.reset();
			house.reset();
		},
	};
}

/** Which entities belong to one physical thing, so that it can vanish as a whole. */
function devicesOf(room: Room): Readonly<Record<string, readonly string[]>> {
	const prefixed = (prefix: string, ...suffixes: string[]) => suffixes.map((suffix) => `${prefix}${suffix}`);
	const rover = (id: string) => [
		...prefixed(`sensor.${id}_`, 'driver', 'battery'),
		...prefixed(`binary_sensor.${id}_`, 'docked', 'charging', 'driving', 'hazard'),
	];
	return {
		lift: ['cover.lift', 'switch.lift_up', 'switch.lift_down', 'binary_sensor.lift_moving'],
		vacuum: [
			'vacuum.neato',
			...prefixed('button.neato_', 'house_clean', 'resume_cleaning', 'pause_cleaning', 'send_to_base'),
			...prefixed('button.neato_', 'locate_robot', 'clear_errors', 'powercycle'),
			...prefixed('sensor.neato_', 'robot_state', 'ui_state', 'robot_error', 'robot_alert'),
			...prefixed('sensor.neato_', 'fuel_percent', 'battery_voltage_v'),
			...prefixed('binary_sensor.neato_', 'charging_active', 'ext_power_present'),
		],
		...Object.fromEntries(Object.keys(room.rovers).map((id) => [id, rover(id)])),
		...Object.fromEntries(Object.keys(room.lamps).map((id) => [id.slice(id.indexOf('.') + 1), [id]])),
	};
}
