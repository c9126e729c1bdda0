import type { Client, Message } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../core/fleet/outbox.ts';
import type { Command } from '../commands/command.ts';
import { createFleetCommandMaker } from '../commands/fleet-command.ts';
import { createConciergeCommands } from '../commands/fleet-concierge.ts';
import { fleetCommandData } from '../commands/fleet-data.ts';
import { createSessionCommands } from '../commands/fleet-session.ts';
import { createStartCommand } from '../commands/fleet-session-start.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import { createFleetAsks } from './asks/fleet-asks.ts';
import type { FleetDeps } from './fleet-deps.ts';
import type { FleetPlace } from './fleet-place.ts';
import { createFleetSuggestions } from './fleet-suggestions.ts';
import { createLogArea } from './log/log-area.ts';
import { createFleetThreads } from './threads/fleet-threads.ts';
import { createThreadsArea } from './threads/threads-area.ts';

/** Where a session's thread stands. */
export interface ThreadPlace {
	readonly threadId: string;
	readonly guildId: string;
}

/** What people say to the fleet and hear from it in words: commands, threads of sessions, questions to the concierge. */
export interface FleetWords {
	readonly commands: readonly Command[];
	/** What is registered with Discord for them. */
	readonly commandData: readonly unknown[];
	/** Forms, menus and suggestions of commands and threads; those of cards are not among them. */
	readonly areas: readonly InteractionArea[];
	/** Whether a message is for the concierge or a session, so that no other part of the bot takes it. */
	isOurs(message: Message): boolean;
	/** The session's thread, made if it has none. Undefined when there is no such session or no thread can be made. */
	openThread(sessionId: string): Promise<ThreadPlace | undefined>;
	showReply(item: Extract<OutboxItem, { kind: 'reply' }>): Promise<OutboxShown>;
	showDelivery(item: Extract<OutboxItem, { kind: 'delivery' }>): Promise<OutboxShown>;
	attach(client: Client): void;
	start(): void;
	/** A new session with Discord: what was missed is read. Never rejects. */
	catchUp(): Promise<void>;
	/** From time to time. Never rejects. */
	upkeep(): Promise<void>;
	stop(): Promise<void>;
}

export function createFleetWords(deps: FleetDeps & { readonly place: FleetPlace }): FleetWords {
	const { ports, place } = deps;
	const asks = createFleetAsks(deps);
	const threads = createFleetThreads({ ...deps, place });
	const { home, mail } = threads;
	const make = createFleetCommandMaker({ ...deps, sessionOf: home.sessionOf });

	return {
		commands: [
			...createConciergeCommands({ ...deps, make, asks }),
			...createSessionCommands({ ...deps, make, threads }),
			createStartCommand({ ...deps, make, threads }),
		],
		commandData: fleetCommandData,
		areas: [
			createThreadsArea({ ...deps, home, mail }),
			createLogArea({ ...deps, feed: ports.feed, concierge: ports.concierge }),
			createFleetSuggestions(deps),
		],
		isOurs: (message) => asks.isAsk(message) || threads.isIn(message),
		async openThread(sessionId) {
			const thread = await home.open(sessionId);
			return thread === undefined ? undefined : { threadId: thread.id, guildId: thread.guildId };
		},
		showReply: asks.showReply,
		showDelivery: threads.showDelivery,
		attach(client) {
			asks.attach(client);
			threads.attach(client);
		},
		start: threads.start,
		async catchUp() {
			await Promise.all([asks.catchUp(), threads.catchUp()]);
		},
		async upkeep() {
			threads.upkeep();
		},
		async stop() {
			await threads.stop();
			await asks.stop();
		},
	};
}
