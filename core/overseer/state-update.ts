import type { OverseerSettings } from '../../config/overseer.ts';
import { promptName, promptText } from '../chat/sanitise.ts';
import type { ToolFamily } from '../tooling/tool-name.ts';
import type { PeopleView } from './people.ts';
import type { SitePolicy } from './site.ts';
import type { Address, PendingDecision } from './trigger.ts';
import type { LightView, NeatoView, RoverView, WorldView } from './world.ts';
import { zonedTime } from './zoned-time.ts';

/** Something that the house did for an earlier decision, in plain words. */
export interface PastAction {
	/** Epoch ms. */
	readonly at: number;
	readonly text: string;
}

export interface StateInput {
	/** Epoch ms. */
	readonly now: number;
	readonly settings: OverseerSettings;
	readonly decision: Pick<PendingDecision, 'trigger' | 'addresses'>;
	readonly world: WorldView;
	readonly site: SitePolicy;
	/** When a family may run again, epoch ms; absent or past = ready. */
	readonly readyAt: Readonly<Partial<Record<ToolFamily, number>>>;
	readonly people: PeopleView;
	/** What the talk in the same prompt calls its speakers, by author id. */
	readonly speakers?: ReadonlyMap<string, string>;
	/** What happened in the house since the last decision, in words. */
	readonly eventTexts?: readonly string[];
	/** Newest last. */
	readonly pastActions?: readonly PastAction[];
}

/** Lines beyond the compact core stay few. */
const MAX_EXTRA = 5;

/**
 * The compact truth of this moment, as the model reads it. After the lines that every cycle has come `mode`, `people` and,
 * only when there is something to tell, `scripts`, `events` and `recent_actions`.
 */
export function stateUpdate(input: StateInput): string {
	const { world, site, settings, now } = input;
	const lines = [
		'STATE_UPDATE',
		`time: ${zonedTime(now, settings.timeZone)}`,
		`trigger: ${input.decision.trigger}`,
		`cooldowns: ${cooldowns(input)}`,
		...(world.homeReady ? [] : [`home: not connected (${promptText(world.homePhase, 40)}), states below are old`]),
		...(world.rovers.length > 0 ? ['rovers:', ...world.rovers.map(roverLine)] : []),
		...(world.lift ? [`lift: ${world.lift.available ? liftText(world.lift) : 'offline'}`] : []),
		...(world.neato ? [neatoLine(world.neato)] : []),
		...(world.lights.length > 0 ? ['lights:', `- ${world.lights.map(lightText).join(', ')}`] : []),
		`mode: ${site.mode}, lights_lock=${site.lightsLock}`,
		`people: ${peopleText(input.people, input.decision.addresses, settings, input.speakers)}`,
		...block(
			'scripts',
			world.scripts.filter(({ available }) => available).map(({ label }) => promptText(label, 40)),
		),
		...block('events', (input.eventTexts ?? []).map((text) => promptText(text, 120)).slice(-MAX_EXTRA)),
		...block(
			'recent_actions',
			(input.pastActions ?? []).slice(-MAX_EXTRA).map((action) => pastLine(action, now)),
		),
	];
	return lines.join('\n');
}

function block(title: string, entries: readonly string[]): string[] {
	return entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `- ${entry}`)];
}

function pastLine({ at, text }: PastAction, now: number): string {
	return `${Math.max(0, Math.round((now - at) / 1_000))}s ago: ${promptText(text, 120)}`;
}

function cooldowns({ world, readyAt, now }: StateInput): string {
	const wait = (family: ToolFamily) => {
		const left = (readyAt[family] ?? 0) - now;
		return left > 0 ? `${Math.ceil(left / 1_000)}s` : 'ready';
	};
	return [
		...(world.lift ? [`lift=${wait('lift')}`] : []),
		...(world.neato ? [`neato=${wait('neato')}`] : []),
		`ha=${wait('light')}`,
	].join(', ');
}

/** One rover as a line of a state. */
export function roverLine(rover: RoverView): string {
	const parts = [
		...(rover.available ? [] : ['offline']),
		...(rover.driving ? ['driving'] : []),
		...(rover.driver === undefined ? [] : [`driver=${promptName(rover.driver)}`]),
		...(rover.docked === undefined ? [] : [`docked=${rover.docked}`]),
		...(rover.charging === undefined || !(rover.docked || rover.charging) ? [] : [`charging=${rover.charging}`]),
		...(rover.hazard === undefined ? [] : [`hazard=${promptText(rover.hazard, 40)}`]),
	];
	return `- ${rover.id}: ${parts.length > 0 ? parts.join(', ') : 'nothing known'}`;
}

function liftText({ position, busy, stale }: NonNullable<WorldView['lift']>): string {
	return `${position}, busy=${busy}${stale ? ', stale=true' : ''}`;
}

function neatoLine(neato: NeatoView): string {
	const parts = [
		`connected=${neato.connected}`,
		...(neato.connected ? [`state=${neato.state}`] : []),
		...(neato.charging === undefined ? [] : [`charging=${neato.charging}`]),
		...(neato.error === undefined ? [] : [`error=${promptText(neato.error, 60)}`]),
		...(neato.alert === undefined ? [] : [`alert=${promptText(neato.alert, 60)}`]),
	];
	return `neato: ${parts.join(', ')}`;
}

function lightText(light: LightView): string {
	const label = promptText(light.label, 40).replaceAll('=', ' ');
	if (!light.available) return `${label}=${light.state === 'missing' ? 'missing' : 'unavailable'}`;
	if (light.show === 'color') return `${label}=${light.state === 'on' ? (light.color ?? 'on') : light.state}`;
	const dimmed = light.state === 'on' && light.brightnessPct !== undefined && light.brightnessPct < 100;
	return `${label}=${light.state}${dimmed ? ` (${light.brightnessPct}%)` : ''}`;
}

/** The people lane: who is active, who drives what, how lively it is, who waits for an answer. */
export function peopleText(
	people: PeopleView,
	addresses: readonly Address[],
	settings: Pick<OverseerSettings, 'name' | 'aliases'>,
	speakers?: ReadonlyMap<string, string>,
): string {
	const own = [settings.name, ...settings.aliases];
	const names = (list: readonly { id: string; name: string }[]) =>
		[...new Set(list.map(({ id, name }) => speakers?.get(id) ?? promptName(name, own)))].join('+') || 'nobody';
	const addressed = addresses.map(({ authorId, authorName }) => ({ id: authorId, name: authorName })).slice(-MAX_EXTRA);
	return [
		`active=${names(people.active.slice(0, 8))}`,
		...(people.driving.length > 0
			? [`driving=${people.driving.map(({ rover, driver }) => `${promptName(driver)}:${rover}`).join('+')}`]
			: []),
		`mood=${people.mood}`,
		...(addressed.length > 0 ? [`addressed_by=${names(addressed)}`] : []),
	].join(', ');
}
