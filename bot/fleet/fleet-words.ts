import type { Client } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../core/fleet/outbox.ts';
import type { Command } from '../commands/command.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import type { FleetDeps } from './fleet-deps.ts';

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

const LATER: OutboxShown = { laterMs: 5_000 };

export function createFleetWords(_deps: FleetDeps): FleetWords {
	return {
		commands: [],
		commandData: [],
		areas: [],
		openThread: async () => undefined,
		showReply: async () => LATER,
		showDelivery: async () => LATER,
		attach() {},
		start() {},
		async catchUp() {},
		async upkeep() {},
		async stop() {},
	};
}
