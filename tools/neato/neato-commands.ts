import type { Command } from '../tool.ts';

/** One thing that a vacuum can be told, as commands to its entities; undefined where it has no way to hear it. */
export interface NeatoCommands {
	/** Pressed in turn with `pauseMs` between them. */
	readonly start: { readonly commands: readonly Command[]; readonly pauseMs: number };
	readonly pause?: Command;
	readonly sendHome: Command;
	readonly locate: Command;
	readonly clearErrors?: Command;
	/** Entities that show what it does. */
	readonly shownBy: readonly string[];
}
