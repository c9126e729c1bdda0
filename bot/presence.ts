import { ActivityType, type Client, type PresenceStatusData } from 'discord.js';
import type { Runtime, Stage } from '../config/overseer.ts';
import type { SitePolicy } from '../core/overseer/site.ts';

/** What is true right now, over all rooms. */
export interface PresenceFacts {
	readonly site: SitePolicy;
	readonly rooms: readonly { readonly stage: Stage; readonly runtime: Runtime; readonly isModelOffline: boolean }[];
	/** The fleet in few words; absent in a house without one. */
	readonly fleet?: { readonly short: string; readonly isNeed: boolean };
}

export interface Shown {
	readonly status: PresenceStatusData;
	readonly text: string;
}

/** One line of truth beside our name; the gravest first. */
export function decidePresence({ site, rooms, fleet }: PresenceFacts): Shown {
	if (site.paused) return { status: 'dnd', text: 'paused by an admin' };
	if (site.mode === 'lockdown') return { status: 'dnd', text: 'lockdown' };
	if (fleet?.isNeed === true) return { status: 'online', text: fleet.short };
	const running = rooms.filter((room) => room.runtime !== 'off' && room.stage !== 'off');
	if (running.length === 0) return fleet === undefined ? OFF : { status: 'online', text: fleet.short };
	if (running.every((room) => room.isModelOffline)) return { status: 'idle', text: 'model offline' };
	if (site.mode === 'admin') return { status: 'online', text: 'admin mode: hands off' };
	const stages = new Set(running.map((room) => (room.runtime === 'commentary' ? 'commentary' : room.stage)));
	const count = running.length === 1 ? '1 room' : `${running.length} rooms`;
	return { status: 'online', text: `${count}: ${[...stages].map((stage) => words[stage]).join(', ')}` };
}

const OFF: Shown = { status: 'idle', text: 'off' };

const words: Readonly<Record<Stage | 'commentary', string>> = {
	off: 'off',
	observe: 'only observing',
	chat: 'talking',
	full: 'in full control',
	commentary: 'commenting',
};

/** Sends it only when it changed; Discord allows few presence updates. */
export function createPresence(): (client: Client<true>, shown: Shown) => void {
	let last = '';
	let lastClient: Client | undefined;
	return (client, shown) => {
		const now = `${shown.status} ${shown.text}`;
		if (now === last && client === lastClient) return;
		last = now;
		lastClient = client;
		client.user.setPresence({
			status: shown.status,
			activities: [{ type: ActivityType.Custom, name: 'status', state: shown.text }],
		});
	};
}
