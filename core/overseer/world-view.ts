import type { LightSettings, RoomSettings, RoverSettings } from '../../config/rooms.ts';
import type { EntityState } from '../home/entity.ts';
import type { HomeStatus } from '../home/home-port.ts';
import { colorName } from './color-name.ts';
import { type LiftCommand, readLift } from './read-lift.ts';
import { readNeato } from './read-neato.ts';
import type { LightView, RoverView, WorldView } from './world.ts';

export type { LiftCommand };

export interface WorldInput {
	readonly room: RoomSettings;
	readonly states: ReadonlyMap<string, EntityState>;
	readonly home: Pick<HomeStatus, 'connected' | 'phase'>;
	/** Rovers that report over HTTP. */
	readonly reports: readonly RoverView[];
	readonly liftCommand?: LiftCommand | undefined;
	/** Epoch ms. */
	readonly now: number;
}

/** What stands in the room now. Pure: the same states give the same view. */
export function readWorld({ room, states, home, reports, liftCommand, now }: WorldInput): WorldView {
	const live = home.connected;
	const present = readPresence(room.presenceEntityIds, states);
	return {
		homeReady: live,
		homePhase: home.phase,
		rovers: room.rovers.map((rover) => readRover(rover, states, reports, live)),
		...(room.lift ? { lift: readLift(room.lift, states, liftCommand, live, now) } : {}),
		...(room.neato ? { neato: readNeato(room.neato, states, live) } : {}),
		lights: room.lights.map((light) => readLight(light, states.get(light.entityId), live)),
		scripts: room.scripts.map(({ entityId, label }) => ({
			entityId,
			label,
			available: live && (states.get(entityId)?.available ?? false),
		})),
		...(present === undefined ? {} : { present }),
	};
}

function readPresence(ids: readonly string[], states: WorldInput['states']): boolean | undefined {
	const texts = ids.map((id) => states.get(id)?.state.trim().toLowerCase());
	if (texts.some((text) => text === 'on' || text === 'home')) return true;
	return texts.some((text) => text === 'off' || text === 'not_home') ? false : undefined;
}

function readLight(light: LightSettings, state: EntityState | undefined, live: boolean): LightView {
	const base = { entityId: light.entityId, label: light.label, show: light.show };
	if (state === undefined) return { ...base, state: 'missing', available: false, colorModes: [] };
	const text = state.state.trim().toLowerCase();
	const shown = text === 'on' || text === 'off' || text === 'unavailable' ? text : 'unknown';
	const { brightness, supported_color_modes: modes, friendly_name: friendlyName } = state.attributes;
	const color = shown === 'on' ? colorName(state.attributes) : undefined;
	return {
		...base,
		state: shown,
		available: live && state.available,
		...(color === undefined ? {} : { color }),
		...(shown === 'on' && typeof brightness === 'number'
			? { brightnessPct: Math.max(1, Math.round((brightness / 255) * 100)) }
			: {}),
		...(typeof friendlyName === 'string' ? { friendlyName } : {}),
		colorModes: Array.isArray(modes) ? modes.filter((mode) => typeof mode === 'string') : [],
	};
}

const NOBODY = /^(?:|none|nobody|no one|unknown|unavailable|null|-)$/iu;
const NO_HAZARD = /^(?:|off|none|no|false|ok|clear|safe|0|unknown|unavailable|null)$/iu;

function readRover(
	rover: RoverSettings,
	states: WorldInput['states'],
	reports: readonly RoverView[],
	live: boolean,
): RoverView {
	if (rover.source === 'http') {
		return reports.find(({ id }) => id === rover.id) ?? { id: rover.id, driving: false, available: false };
	}
	const entity = (id: string | undefined) => (id === undefined ? undefined : states.get(id));
	const flag = (id: string | undefined) => {
		const text = entity(id)?.state.trim().toLowerCase();
		return text === 'on' ? true : text === 'off' ? false : undefined;
	};
	const driver = entity(rover.driverEntityId)?.state.trim() ?? '';
	const hazard = entity(rover.hazardEntityId)?.state.trim() ?? '';
	const docked = flag(rover.dockedEntityId);
	const charging = flag(rover.chargingEntityId);
	const ids = [rover.drivingEntityId, rover.driverEntityId, rover.dockedEntityId].filter((id) => id !== undefined);
	return {
		id: rover.id,
		driving: flag(rover.drivingEntityId) ?? (rover.drivingEntityId === undefined && !NOBODY.test(driver)),
		...(NOBODY.test(driver) ? {} : { driver }),
		...(docked === undefined ? {} : { docked }),
		...(charging === undefined ? {} : { charging }),
		...(NO_HAZARD.test(hazard) ? {} : { hazard: hazard.toLowerCase() === 'on' ? 'hazard' : hazard }),
		// A driver sensor that knows nobody may well say `unknown`.
		available: live && ids.length > 0 && ids.every((id) => (entity(id)?.state ?? 'unavailable') !== 'unavailable'),
	};
}
