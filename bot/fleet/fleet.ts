import type { Client } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../core/fleet/outbox.ts';
import type { Command } from '../commands/command.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import type { FleetDeps } from './fleet-deps.ts';
import { createFleetWords } from './fleet-words.ts';

/** The fleet on Discord: its status line, cards of needs, threads, commands. */
export interface Fleet {
	readonly commands: readonly Command[];
	/** What is registered with Discord for them. */
	readonly commandData: readonly unknown[];
	readonly areas: readonly InteractionArea[];
	attach(client: Client): void;
	start(): void;
	/** A new session with Discord. Never rejects. */
	catchUp(): Promise<void>;
	/** From time to time. Never rejects. */
	upkeep(): Promise<void>;
	stop(): Promise<void>;
}

export function createFleet(deps: FleetDeps): Fleet {
	const { ports } = deps;
	const words = createFleetWords(deps);
	let removeOutbox: (() => Promise<void>) | undefined;

	const show = async (item: OutboxItem): Promise<OutboxShown> => {
		if (item.kind === 'reply') return words.showReply(item);
		if (item.kind === 'delivery') return words.showDelivery(item);
		return { laterMs: 5_000 };
	};

	return {
		commands: words.commands,
		commandData: words.commandData,
		areas: words.areas,
		attach(client) {
			words.attach(client);
		},
		start() {
			words.start();
			removeOutbox = ports.outbox.consume(show);
		},
		async catchUp() {
			await words.catchUp();
		},
		async upkeep() {
			await words.upkeep();
		},
		async stop() {
			await removeOutbox?.();
			await words.stop();
		},
	};
}
