import type { NeatoSettings } from '../../config/rooms.ts';
import type { EntityState } from '../home/entity.ts';
import type { NeatoView } from './world.ts';

type States = ReadonlyMap<string, EntityState>;

const VACUUM_STATES: readonly NeatoView['state'][] = ['cleaning', 'docked', 'idle', 'paused', 'returning', 'error'];
/** Texts that say "nothing is wrong". */
const NO_ERROR = /^(?:|none|no[ _]?error|no[ _]?alert|ok|0|unknown|unavailable|null|clear)$/iu;
const ROBOT_NO_ERROR = /(?<!\d)200(?!\d)|UI_ALERT_INVALID/u;

export function readNeato(neato: NeatoSettings, states: States, live: boolean): NeatoView {
	const view = neato.driver === 'vacuum' ? readVacuum(neato, states) : readEsphome(neato, states);
	return live ? view : { ...view, connected: false };
}

function readVacuum(settings: Extract<NeatoSettings, { driver: 'vacuum' }>, states: States): NeatoView {
	const vacuum = states.get(settings.entityId);
	const canClearErrors = settings.clearErrorsEntityId !== undefined && isThere(states, settings.clearErrorsEntityId);
	if (vacuum === undefined || !vacuum.available) return { connected: false, state: 'unknown', canClearErrors: false };
	const text = vacuum.state.trim().toLowerCase();
	const state = VACUUM_STATES.find((known) => known === text) ?? 'unknown';
	const status = troubleText(attributeText(vacuum, 'status'));
	const error =
		sensorTrouble(states, settings.errorEntityId) ??
		troubleText(attributeText(vacuum, 'error')) ??
		(state === 'error' ? (status ?? 'error') : undefined);
	const plain = status !== undefined && VACUUM_STATES.some((known) => status.toLowerCase().includes(known));
	const alert = troubleText(attributeText(vacuum, 'alert')) ?? (state === 'error' || plain ? undefined : status);
	return {
		connected: true,
		state,
		...optional('charging', flag(states, settings.chargingEntityId)),
		...optional('error', error),
		...optional('alert', alert),
		canClearErrors,
	};
}

function readEsphome({ buttons, sensors }: Extract<NeatoSettings, { driver: 'esphome' }>, states: States): NeatoView {
	const needed = [
		buttons.houseClean,
		buttons.resume,
		buttons.sendToBase,
		buttons.locate,
		buttons.clearErrors,
		sensors.charging,
		sensors.robotState,
		sensors.error,
	];
	const connected = needed.every((id) => isThere(states, id));
	if (!connected) return { connected: false, state: 'unknown', canClearErrors: false };
	const charging = flag(states, sensors.charging);
	const error = sensorTrouble(states, sensors.error);
	const texts = [sensors.uiState, sensors.robotState].map((id) => (id === undefined ? '' : textOf(states, id)));
	const state = error !== undefined ? 'error' : robotState(texts, charging);
	return {
		connected: true,
		state,
		...optional('charging', charging),
		...optional('error', error),
		...optional('alert', sensorTrouble(states, sensors.alert)),
		canClearErrors: true,
	};
}

/** The firmware has dozens of states; their words tell enough. The first text that says anything wins. */
function robotState(texts: readonly string[], charging: boolean | undefined): NeatoView['state'] {
	for (const text of texts) {
		const word = text.toUpperCase();
		if (/ERROR|FAULT/u.test(word)) return 'error';
		if (/PAUSED|SUSPENDED/u.test(word)) return charging ? 'docked' : 'paused';
		if (/DOCKING|RETURN|GO_?HOME|FIND_?BASE|TO_?BASE/u.test(word)) return 'returning';
		if (/CLEANING|EXPLOR|MANUAL_?DRIV/u.test(word)) return 'cleaning';
		if (/CHARG|DOCKED|ON_?BASE/u.test(word)) return 'docked';
		if (/STANDBY|IDLE/u.test(word)) return charging ? 'docked' : 'idle';
	}
	return 'unknown';
}

function isThere(states: States, id: string): boolean {
	const state = states.get(id);
	return state !== undefined && state.state !== 'unavailable';
}

function textOf(states: States, id: string): string {
	return states.get(id)?.state.trim() ?? '';
}

function flag(states: States, id: string | undefined): boolean | undefined {
	const text = id === undefined ? '' : textOf(states, id).toLowerCase();
	return text === 'on' ? true : text === 'off' ? false : undefined;
}

function attributeText(state: EntityState, key: string): string {
	const value = state.attributes[key];
	return typeof value === 'string' ? value : '';
}

function sensorTrouble(states: States, id: string | undefined): string | undefined {
	return id === undefined ? undefined : troubleText(textOf(states, id));
}

function troubleText(text: string): string | undefined {
	const trimmed = text.trim();
	return NO_ERROR.test(trimmed) || ROBOT_NO_ERROR.test(trimmed) ? undefined : trimmed;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined) {
	return (value === undefined ? {} : { [key]: value }) as { readonly [name in Key]?: Value };
}
