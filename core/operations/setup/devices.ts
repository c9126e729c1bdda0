import type { LiftSettings, LightSettings, NeatoSettings } from '../../../config/rooms.ts';

/** An entity as Home Assistant lists it. */
export interface ListedEntity {
	readonly entityId: string;
	readonly state: string;
	readonly name: string;
	readonly deviceClass?: string;
}

/** One thing that a room can be given, with what goes into the settings for it. */
export interface Choice<T> {
	/** Stable and short enough to be typed: the entity's id, or what several have in common. */
	readonly value: string;
	readonly label: string;
	readonly settings: T;
	/** Likely what is meant. */
	readonly suggested: boolean;
}

export interface DeviceChoices {
	readonly lights: readonly Choice<LightSettings>[];
	readonly lifts: readonly Choice<LiftSettings>[];
	readonly vacuums: readonly Choice<NeatoSettings>[];
	readonly presence: readonly Choice<string>[];
}

const MAX_LABEL = 40;
/** More lamps than this are a whole house, and then a person has to say which are the room's. */
const MANY_LAMPS = 12;
const lampWords = /lamp|light|licht|leucht|bulb/i;
const liftWords = /lift|elevator|aufzug|desk|tv/i;

/** What of everything that Home Assistant has can be a room's lamp, lift, vacuum or sign of people. */
export function deviceChoices(entities: readonly ListedEntity[]): DeviceChoices {
	const sorted = [...entities].sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
	return { lights: lights(sorted), lifts: lifts(sorted), vacuums: vacuums(sorted), presence: presence(sorted) };
}

const of = (entities: readonly ListedEntity[], domain: string) =>
	entities.filter(({ entityId }) => entityId.startsWith(`${domain}.`));

/** What people call it: its name without a room's worth of words. */
function labelOf({ name, entityId }: ListedEntity): string {
	const plain = name === entityId ? (entityId.split('.')[1] ?? entityId).replaceAll('_', ' ') : name;
	return Array.from(plain.trim()).slice(0, MAX_LABEL).join('') || entityId.slice(0, MAX_LABEL);
}

const shown = (entity: ListedEntity) => `${entity.entityId}  ${labelOf(entity)} (${entity.state})`;

function lights(entities: readonly ListedEntity[]): Choice<LightSettings>[] {
	const lamps = of(entities, 'light');
	const outlets = of(entities, 'switch').filter(
		({ entityId, name, deviceClass }) => deviceClass === 'outlet' || lampWords.test(`${entityId} ${name}`),
	);
	const alive = (entity: ListedEntity) => entity.state !== 'unavailable';
	return [...lamps, ...outlets].map((entity) => ({
		value: entity.entityId,
		label: shown(entity),
		settings: { entityId: entity.entityId, label: labelOf(entity), show: 'state' },
		suggested: lamps.includes(entity) && alive(entity) && lamps.length <= MANY_LAMPS,
	}));
}

function lifts(entities: readonly ListedEntity[]): Choice<LiftSettings>[] {
	const covers = of(entities, 'cover').map((entity) => ({
		value: entity.entityId,
		label: shown(entity),
		settings: { driver: 'cover' as const, entityId: entity.entityId, travelMs: 25_000 },
		suggested: liftWords.test(`${entity.entityId} ${entity.name}`),
	}));
	const switches = new Set(of(entities, 'switch').map(({ entityId }) => entityId));
	const pairs = [...switches].flatMap((up) => {
		const down = up.replace(/_up$/, '_down');
		if (down === up || !switches.has(down)) return [];
		return [
			{
				value: up,
				label: `${up} and ${down}  two switches`,
				settings: { driver: 'switches' as const, upEntityId: up, downEntityId: down, interlockMs: 9_000 },
				suggested: false,
			},
		];
	});
	return [...covers, ...pairs];
}

function vacuums(entities: readonly ListedEntity[]): Choice<NeatoSettings>[] {
	const ids = new Set(entities.map(({ entityId }) => entityId));
	const whole = of(entities, 'vacuum').map((entity) => {
		const clearErrors = `button.${entity.entityId.slice('vacuum.'.length)}_clear_errors`;
		return {
			value: entity.entityId,
			label: shown(entity),
			settings: {
				driver: 'vacuum' as const,
				entityId: entity.entityId,
				...(ids.has(clearErrors) ? { clearErrorsEntityId: clearErrors } : {}),
			},
			suggested: true,
		};
	});
	const boards = [...ids].flatMap((id) => {
		const name = /^button\.(\w+)_house_clean$/.exec(id)?.[1];
		const settings = name === undefined ? undefined : board(name, ids);
		if (!settings) return [];
		return [{ value: id, label: `${id} and its sensors  an ESPHome board`, settings, suggested: whole.length === 0 }];
	});
	return [...whole, ...boards];
}

/** The entities of one ESPHome board by their usual names; undefined when a needed one is not there. */
function board(name: string, ids: ReadonlySet<string>): NeatoSettings | undefined {
	const find = (domain: string, ...ends: string[]) =>
		ends.map((end) => `${domain}.${name}_${end}`).find((id) => ids.has(id));
	const houseClean = find('button', 'house_clean');
	const resume = find('button', 'resume_cleaning', 'resume');
	const sendToBase = find('button', 'send_to_base');
	const locate = find('button', 'locate_robot', 'locate');
	const clearErrors = find('button', 'clear_errors');
	const pause = find('button', 'pause_cleaning', 'pause');
	const charging = find('binary_sensor', 'charging_active', 'charging');
	const robotState = find('sensor', 'robot_state');
	const uiState = find('sensor', 'ui_state');
	const error = find('sensor', 'robot_error', 'error');
	const alert = find('sensor', 'robot_alert', 'alert');
	if (!houseClean || !resume || !sendToBase || !locate || !clearErrors || !charging || !robotState || !error)
		return undefined;
	return {
		driver: 'esphome',
		buttons: { houseClean, resume, sendToBase, locate, clearErrors, ...(pause ? { pause } : {}) },
		sensors: { charging, robotState, error, ...(uiState ? { uiState } : {}), ...(alert ? { alert } : {}) },
		resumeAfterMs: 3_000,
	};
}

function presence(entities: readonly ListedEntity[]): Choice<string>[] {
	const signs = of(entities, 'binary_sensor').filter(
		({ entityId, deviceClass }) =>
			['occupancy', 'motion', 'presence'].includes(deviceClass ?? '') || /presence|occupancy/.test(entityId),
	);
	return signs.map((entity) => ({
		value: entity.entityId,
		label: shown(entity),
		settings: entity.entityId,
		suggested: signs.length === 1,
	}));
}
