import { type OverseerSettings, overseerSettings } from '../../../config/overseer.ts';
import { type RoomSettings, roomSettings } from '../../../config/rooms.ts';
import type { LightView, RoverView, WorldView } from '../../../core/overseer/world.ts';

/** The room in which every scene plays, and how it stands unless a scene says otherwise. */
export const ROOM: RoomSettings = roomSettings.parse({
	id: 'workshop',
	title: 'Workshop',
	channelId: '123456789012345678',
	lights: [
		{ entityId: 'light.shelf', label: 'shelf' },
		{ entityId: 'light.bench', label: 'bench' },
		{ entityId: 'light.corner_left', label: 'corner left' },
		{ entityId: 'light.corner_right', label: 'corner right' },
		{ entityId: 'light.color', label: 'color', show: 'color' },
		{ entityId: 'switch.aux2', label: 'aux2' },
	],
	lift: { driver: 'cover', entityId: 'cover.lift' },
	neato: { driver: 'vacuum', entityId: 'vacuum.neato', clearErrorsEntityId: 'button.neato_clear_errors' },
	rovers: [{ id: 'rover1' }, { id: 'rover2' }, { id: 'rover3' }],
	scripts: [{ entityId: 'script.movie_time', label: 'movie time' }],
});

export function settingsWith(change: Partial<OverseerSettings> = {}): OverseerSettings {
	return overseerSettings.parse({ timeZone: 'Europe/Berlin', ...change });
}

export function lamp(label: string, state: LightView['state'], change: Partial<LightView> = {}): LightView {
	const configured = ROOM.lights.find((light) => light.label === label);
	if (!configured) throw new Error(`no lamp ${label} in the room of the scenes`);
	const { entityId, show } = configured;
	const colorModes = entityId.startsWith('switch.') ? ['onoff'] : ['rgb'];
	return { entityId, label, show, state, available: true, colorModes, ...change };
}

/** All lamps as usual, some of them otherwise. */
export function lamps(...changed: LightView[]): LightView[] {
	return STANDING.lights.map((usual) => changed.find(({ label }) => label === usual.label) ?? usual);
}

export function rover(id: string, change: Partial<RoverView> = {}): RoverView {
	return { id, driving: false, docked: true, charging: true, available: true, ...change };
}

export function driven(id: string, driver: string, change: Partial<RoverView> = {}): RoverView {
	return { id, driving: true, driver, docked: false, available: true, ...change };
}

export const STANDING: WorldView = {
	homeReady: true,
	homePhase: 'ready',
	rovers: [rover('rover1'), rover('rover2'), rover('rover3')],
	lift: { position: 'down', busy: false, available: true },
	neato: { connected: true, state: 'docked', charging: true, canClearErrors: true },
	lights: [
		lamp('shelf', 'on'),
		lamp('bench', 'off'),
		lamp('corner left', 'on'),
		lamp('corner right', 'off'),
		lamp('color', 'on', { color: 'purple' }),
		lamp('aux2', 'on'),
	],
	scripts: [{ entityId: 'script.movie_time', label: 'movie time', available: true }],
};
