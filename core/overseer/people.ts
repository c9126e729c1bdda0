import type { OverseerSettings } from '../../config/overseer.ts';
import type { NumberedMessage } from '../chat/message.ts';
import type { WorldView } from './world.ts';

export interface ActivePerson {
	readonly id: string;
	readonly name: string;
	/** Epoch ms of the last line. */
	readonly lastAt: number;
}

export type Mood = 'burst' | 'steady' | 'quiet';

/** The people lane of the state: who is there, who drives what, how lively it is. */
export interface PeopleView {
	/** Newest voice first. */
	readonly active: readonly ActivePerson[];
	readonly driving: readonly { readonly rover: string; readonly driver: string }[];
	readonly mood: Mood;
}

/** Without a line for this long the room counts as quiet. */
const QUIET_AFTER_MS = 120_000;

export function activePeople(messages: readonly NumberedMessage[], now: number, activeForMs: number): ActivePerson[] {
	const byId = new Map<string, ActivePerson>();
	for (const { bot, author, at } of messages) {
		if (!bot && now - at < activeForMs) byId.set(author.id, { id: author.id, name: author.name, lastAt: at });
	}
	return [...byId.values()].sort((a, b) => b.lastAt - a.lastAt);
}

export function readPeople(
	messages: readonly NumberedMessage[],
	world: WorldView,
	now: number,
	settings: OverseerSettings,
): PeopleView {
	const { activeForMs, burst } = settings.gate;
	const human = messages.filter(({ bot }) => !bot);
	const inBurst = human.filter(({ at }) => now - at <= burst.windowMs);
	const voices = new Set(inBurst.map(({ author }) => author.id)).size;
	const last = human.reduce((newest, { at }) => Math.max(newest, at), 0);
	const driving = world.rovers.flatMap(({ id, driving, driver }) =>
		driving && driver !== undefined ? [{ rover: id, driver }] : [],
	);
	const isBurst = inBurst.length >= burst.messages && voices >= burst.people;
	return {
		active: activePeople(messages, now, activeForMs),
		driving,
		mood: isBurst ? 'burst' : last === 0 || now - last > QUIET_AFTER_MS ? 'quiet' : 'steady',
	};
}
