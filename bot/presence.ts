import { ActivityType, type Client, type PresenceStatusData } from 'discord.js';
import type { Runtime, Stage } from '../config/overseer.ts';
import type { SitePolicy } from '../core/overseer/site.ts';

/** What is true right now, over all rooms. */
export interface PresenceFacts {
	readonly site: SitePolicy;
	readonly rooms: readonly { readonly stage: Stage; readonly runtime: Runtime; readonly isModelOffline: boolean }[];
}

export interface Shown {
	readonly status: PresenceStatusData;
	readonly text: string;
}

/** One line of truth beside our name; the gravest first. */
export function decidePresence({ site, rooms }: PresenceFacts): Shown {
	if (site.paused) return { status: 'dnd', text: 'paused by an admin' };
	if (site.mode === 'lockdown') return { status: 'dnd', text: 'lockdown' };
	const running = rooms.filter((room) => room.runtime !== 'off' && room.stage !== 'off');
	if (running.length === 0) return { status: 'idle', text: 'off' };
	if (running.every((room) => room.isModelOffline)) return { status: 'idle', text: 'model offline' };
	if (site.mode === 'admin') return { status: 'online', text: 'admin mode: hands off' };
	const stages = new Set(running.map((room) => (room.runtime === 'commentary' ? 'commentary' : room.stage)));
	const count = running.length === 1 ? '1 room' : `${running.length} rooms`;
	return { status: 'online', text: `${count}: ${[...stages].map((stage) => words[stage]).join(', ')}` };
}

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
