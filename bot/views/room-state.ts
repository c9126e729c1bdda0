import type { RoomSettings } from '../../config/rooms.ts';
import type { SitePolicy } from '../../core/overseer/site.ts';
import type { LiftView, LightView, NeatoView, RoverView, WorldView } from '../../core/overseer/world.ts';
import type { Translate } from '../catalogue.ts';
import { inline, type View } from './view.ts';

const CALM = 0x57c7a3;
const WORRIED = 0xf0b232;

/** Answer of `/room state`. */
export function roomStateView(room: RoomSettings, world: WorldView | undefined, site: SitePolicy, t: Translate): View {
	const paused = site.paused ? t('room.paused') : '';
	const policy = { name: t('room.policy'), value: t('room.mode', { mode: site.mode, lock: site.lightsLock, paused }) };
	const title = t('room.title', { room: room.title });
	if (world === undefined)
		return { embeds: [{ title, color: WORRIED, description: t('room.nobodyWatches'), fields: [policy] }] };
	const parts = [
		{ name: t('room.lights'), lines: world.lights.map(lightLine) },
		{ name: t('room.lift'), lines: world.lift === undefined ? [] : [liftLine(world.lift, t)] },
		{ name: t('room.neato'), lines: world.neato === undefined ? [] : [neatoLine(world.neato, t)] },
		{ name: t('room.rovers'), lines: world.rovers.map((rover) => roverLine(rover, t)) },
		{
			name: t('room.scripts'),
			lines: world.scripts.map((script) => `${inline(script.label)}${script.available ? '' : ' (unavailable)'}`),
		},
	].filter((part) => part.lines.length > 0);
	const lost = world.homeReady ? {} : { description: t('room.homeLost', { phase: world.homePhase }) };
	const nothing = parts.length === 0 && world.homeReady ? { description: t('room.nothing') } : {};
	const fields = [...parts.map(({ name, lines }) => ({ name, value: lines.join('\n') })), policy];
	return { embeds: [{ title, color: world.homeReady ? CALM : WORRIED, ...nothing, ...lost, fields }] };
}

function lightLine(light: LightView): string {
	const shown = light.show === 'color' && light.state === 'on' ? (light.color ?? 'on') : light.state;
	const bright =
		light.brightnessPct === undefined || light.state !== 'on' ? '' : ` ${Math.round(light.brightnessPct)} %`;
	return `${inline(light.label)}: **${inline(shown)}**${bright}`;
}

function liftLine(lift: LiftView, t: Translate): string {
	const notes = [
		lift.busy ? t('room.note.busy') : '',
		lift.stale ? t('room.note.stuck') : '',
		lift.available ? '' : t('room.note.unavailable'),
	].filter((note) => note !== '');
	return `**${lift.position}**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function neatoLine(neato: NeatoView, t: Translate): string {
	const notes = [
		neato.charging ? t('room.note.charging') : '',
		neato.error === undefined ? '' : t('room.note.error', { text: inline(neato.error, 100) }),
		neato.alert === undefined ? '' : t('room.note.alert', { text: inline(neato.alert, 100) }),
		neato.connected ? '' : t('room.note.notConnected'),
	].filter((note) => note !== '');
	return `**${neato.state}**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function roverLine(rover: RoverView, t: Translate): string {
	if (!rover.available) return `${inline(rover.id)}: ${t('room.note.unavailable')}`;
	const doing = rover.driving
		? t('room.note.drivenBy', { name: inline(rover.driver ?? t('room.note.somebody'), 40) })
		: t(rover.docked ? 'room.note.docked' : 'room.note.standing');
	const hazard = rover.hazard === undefined ? '' : `, ${t('room.note.hazard', { text: inline(rover.hazard, 60) })}`;
	return `${inline(rover.id)}: **${doing}**${rover.charging ? `, ${t('room.note.charging')}` : ''}${hazard}`;
}
