import type { NeatoSettings } from '../../config/rooms.ts';
import type { EntityState } from '../../core/home/entity.ts';
import type { NeatoView } from '../../core/overseer/world.ts';
import type { BlockReason } from '../../core/tooling/facts.ts';
import { commandAndWatch, type Step } from '../command-and-watch.ts';
import { type Command, type ToolContext, touchedSince } from '../tool.ts';
import { esphomeCommands } from './esphome.ts';
import type { NeatoCommands } from './neato-commands.ts';
import { vacuumCommands } from './vacuum.ts';

export function neatoCommands(neato: NeatoSettings): NeatoCommands {
	return neato.driver === 'vacuum' ? vacuumCommands(neato) : esphomeCommands(neato);
}

/** What the vacuum shows now. */
export function neatoNow(context: ToolContext): NeatoView | undefined {
	return context.readNeato(context.home.states());
}

/** For an interrupted call: the vacuum shows the sign, and something it shows changed after `since`. */
export function neatoStands(context: ToolContext, since: number, shows: (neato: NeatoView) => boolean): boolean {
	const view = neatoNow(context);
	if (context.room.neato === undefined || view === undefined || !shows(view)) return false;
	const states = context.home.states();
	return neatoCommands(context.room.neato).shownBy.some((id) => touchedSince(states.get(id), since));
}

/** Sends one command and waits until the vacuum shows one of the wanted signs. */
export async function tellNeato(
	context: ToolContext,
	command: Command,
	shows: (neato: NeatoView) => boolean,
	signal: AbortSignal,
): Promise<Step> {
	const { neato } = context.room;
	const reached = (states: ReadonlyMap<string, EntityState>) => {
		const view = context.readNeato(states);
		return view !== undefined && shows(view);
	};
	const entityIds = neato ? neatoCommands(neato).shownBy : [];
	return await commandAndWatch(
		context,
		command,
		{ entityIds, reached, verifyMs: context.settings.verifyMs.neato },
		signal,
	);
}

/** Between two commands: given up, or locked meanwhile? */
export async function stopBetween(
	context: ToolContext,
	signal: AbortSignal,
): Promise<readonly BlockReason[] | 'aborted' | undefined> {
	if (signal.aborted) return 'aborted';
	const reasons = await context.recheck();
	return reasons.length > 0 ? reasons : undefined;
}
