import type { RoomReader } from '../room-reader.ts';
import { adminCommands } from './admin.ts';
import type { Command } from './command.ts';
import { createHelpCommand } from './help.ts';
import { createOverseerCommands, promptCommand } from './overseer.ts';
import { reloadCommand } from './reload.ts';
import { roomCommands } from './room.ts';
import { usageCommands } from './usage.ts';

/** Everything a person can run, by slash or by button. */
export function commandsFor(reader: RoomReader, others: readonly Command[] = []): readonly Command[] {
	const slash = [
		...roomCommands,
		...createOverseerCommands(reader),
		...adminCommands,
		reloadCommand,
		...usageCommands,
		...others,
	];
	return [...slash, createHelpCommand(slash), promptCommand];
}
