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
		{ name: t('room.lift'), lines: world.lift === undefined ? [] : [liftLine(world.lift)] },
		{ name: t('room.neato'), lines: world.neato === undefined ? [] : [neatoLine(world.neato)] },
		{ name: t('room.rovers'), lines: world.rovers.map(roverLine) },
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

function liftLine(lift: LiftView): string {
	const notes = [lift.busy ? 'busy' : '', lift.stale ? 'stuck' : '', lift.available ? '' : 'unavailable'].filter(
		(note) => note !== '',
	);
	return `**${lift.position}**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function neatoLine(neato: NeatoView): string {
	const notes = [
		neato.charging ? 'charging' : '',
		neato.error === undefined ? '' : `error: ${inline(neato.error, 100)}`,
		neato.alert === undefined ? '' : `alert: ${inline(neato.alert, 100)}`,
		neato.connected ? '' : 'not connected',
	].filter((note) => note !== '');
	return `**${neato.state}**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function roverLine(rover: RoverView): string {
	if (!rover.available) return `${inline(rover.id)}: unavailable`;
	const doing = rover.driving
		? `driven by ${inline(rover.driver ?? 'somebody', 40)}`
		: rover.docked
			? 'docked'
			: 'standing';
	const hazard = rover.hazard === undefined ? '' : `, hazard: ${inline(rover.hazard, 60)}`;
	return `${inline(rover.id)}: **${doing}**${rover.charging ? ', charging' : ''}${hazard}`;
}
