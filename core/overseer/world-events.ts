import type { SitePolicy } from './site.ts';
import type { WorldEvent } from './trigger.ts';
import type { WorldView } from './world.ts';
import { describeChange, type WorldOrigins, worldFacts } from './world-facts.ts';

/** A change that has not lasted long enough yet. */
interface Unsettled {
	readonly value: string;
	/** Epoch ms of the first look that saw it. */
	readonly since: number;
}

/** What the watcher of one room remembers between looks. Plain data; a lost one costs no more than the changes in between. */
export interface WorldMemory {
	readonly settled: Readonly<Record<string, string>>;
	readonly unsettled: Readonly<Record<string, Unsettled>>;
}

export const FRESH_WORLD_MEMORY: WorldMemory = { settled: {}, unsettled: {} };

export interface WorldLook {
	readonly memory: WorldMemory;
	readonly events: readonly WorldEvent[];
	/** Look again at this epoch ms although nothing may have changed until then. */
	readonly dueAt?: number;
}

/**
 * Compares a look at the room with what was settled before. A change becomes an event once it has lasted `debounceMs`; one
 * that undoes itself before was none. The first look at a thing settles it without an event, and things of which nothing is
 * known keep what was known. Ids are made from what changed, to what and when Home Assistant says it did, so that two
 * watchers name one happening alike.
 */
export function observeWorld(
	memory: WorldMemory,
	world: WorldView,
	context: {
		readonly room: string;
		readonly now: number;
		readonly debounceMs: number;
		readonly origins?: WorldOrigins;
	},
): WorldLook {
	const { now, debounceMs, room, origins } = context;
	const settled: Record<string, string> = { ...memory.settled };
	const unsettled: Record<string, Unsettled> = {};
	const events: WorldEvent[] = [];
	for (const fact of worldFacts(world)) {
		const { key, value } = fact;
		const before = settled[key];
		if (before === undefined) settled[key] = value;
		if (before === undefined || before === value) continue;
		const seen = memory.unsettled[key];
		const since = seen?.value === value ? seen.since : now;
		if (now - since < debounceMs) {
			unsettled[key] = { value, since };
			continue;
		}
		settled[key] = value;
		const change = describeChange(fact, before);
		if (change === undefined) continue;
		const origin = origins?.get(key);
		const at = origin !== undefined && origin.at <= now ? origin.at : since;
		events.push({
			id: `${room}:${change.kind}:${fact.subject}:${value}:${at}`,
			at,
			...change,
			subject: fact.subject,
			...(origin === undefined ? {} : { contextId: origin.contextId }),
		});
	}
	const waits = Object.values(unsettled).map(({ since }) => since + debounceMs);
	return { memory: { settled, unsettled }, events, ...(waits.length > 0 ? { dueAt: Math.min(...waits) } : {}) };
}

/** Two processes hear of one change of policy within this time. */
const SAME_CHANGE_MS = 5_000;

/** Events of a change of policy; pausing is none, because a paused house decides nothing. */
export function siteEvents(before: SitePolicy, after: SitePolicy, now: number): WorldEvent[] {
	const slot = Math.round(now / SAME_CHANGE_MS);
	const events: WorldEvent[] = [];
	if (before.mode !== after.mode) {
		const text = `site mode is ${after.mode}`;
		events.push({
			id: `site:mode:${before.mode}:${after.mode}:${slot}`,
			at: now,
			kind: 'site_mode',
			subject: 'site',
			text,
		});
	}
	if (before.lightsLock !== after.lightsLock) {
		const text = after.lightsLock === 'none' ? 'lights are unlocked' : `lights are locked ${after.lightsLock}`;
		const id = `site:lights:${before.lightsLock}:${after.lightsLock}:${slot}`;
		events.push({ id, at: now, kind: 'lights_lock', subject: 'lights', text });
	}
	return events;
}
