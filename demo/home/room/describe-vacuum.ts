import { type Described, describeButton } from './describe-button.ts';
import type { Room, Vacuum } from './room.ts';

/** PAUSE, STOP, RETURN_HOME, LOCATE, STATE and START. */
const vacuumFeatures = 4 + 8 + 16 + 512 + 4_096 + 8_192;

const buttonNames: Readonly<Record<string, string>> = {
	house_clean: 'Neato house clean',
	resume_cleaning: 'Neato resume cleaning',
	pause_cleaning: 'Neato pause cleaning',
	send_to_base: 'Neato send to base',
	locate_robot: 'Neato locate robot',
	clear_errors: 'Neato clear errors',
	powercycle: 'Neato powercycle',
};

const uiStates: Readonly<Record<Vacuum['activity'], string>> = {
	docked: 'UIMGR_STATE_STANDBY',
	idle: 'UIMGR_STATE_IDLE',
	cleaning: 'UIMGR_STATE_HOUSECLEANINGRUNNING',
	paused: 'UIMGR_STATE_HOUSECLEANINGPAUSED',
	returning: 'UIMGR_STATE_DOCKINGRUNNING',
};

const robotStates: Readonly<Record<Vacuum['activity'], string>> = {
	docked: 'ST_C_Standby',
	idle: 'ST_C_Idle',
	cleaning: 'ST_M1_Cleaning',
	paused: 'ST_M1_Paused',
	returning: 'ST_M1_Docking',
};

/**
 * One robot twice: as a `vacuum` entity and as the buttons and sensors of an ESPHome bridge, whose texts end in a newline
 * and say 200 where there is no error.
 */
export function describeVacuum(room: Room): readonly [string, Described][] {
	const { vacuum } = room;
	const docked = vacuum.activity === 'docked';
	const text = (suffix: string, state: string, name: string): [string, Described] => [
		`sensor.neato_${suffix}`,
		{ state, attributes: { friendly_name: `Neato ${name}` } },
	];
	const flag = (suffix: string, on: boolean, name: string): [string, Described] => [
		`binary_sensor.neato_${suffix}`,
		{ state: on ? 'on' : 'off', attributes: { friendly_name: `Neato ${name}` } },
	];
	const attributes = {
		friendly_name: 'Neato',
		supported_features: vacuumFeatures,
		status: vacuum.error ?? vacuum.alert ?? null,
	};
	return [
		['vacuum.neato', { state: vacuum.error === undefined ? vacuum.activity : 'error', attributes }],
		...Object.entries(buttonNames).map(([suffix, name]): [string, Described] => {
			const entityId = `button.neato_${suffix}`;
			return [entityId, describeButton(room, entityId, name)];
		}),
		text('robot_state', `${robotStates[vacuum.activity]}\n`, 'robot state'),
		text('ui_state', `${uiStates[vacuum.activity]}\n`, 'UI state'),
		text('robot_error', vacuum.error === undefined ? '200 - UI_ALERT_INVALID\n' : `${vacuum.error}\n`, 'robot error'),
		text('robot_alert', vacuum.alert === undefined ? '200 - UI_ALERT_INVALID\n' : `${vacuum.alert}\n`, 'robot alert'),
		text('fuel_percent', String(Math.round(vacuum.battery)), 'fuel'),
		text('battery_voltage_v', (13 + (Math.round(vacuum.battery) / 100) * 3.4).toFixed(1), 'battery voltage'),
		flag('charging_active', docked && vacuum.battery < 100, 'charging active'),
		flag('ext_power_present', docked, 'external power present'),
	];
}
