import type { z } from 'zod';
import type { OverseerSettings } from '../config/overseer.ts';
import type { RoomSettings } from '../config/rooms.ts';
import type { EntityState } from '../core/home/entity.ts';
import type { Home, HomeCallResult } from '../core/home/home-port.ts';
import type { MemoryStore } from '../core/overseer/stores.ts';
import type { NeatoView } from '../core/overseer/world.ts';
import type { CallOutcome } from '../core/tooling/call.ts';
import type { BlockReason } from '../core/tooling/facts.ts';
import { type ToolArguments, toolArguments } from '../core/tooling/tool-arguments.ts';
import type { ToolName } from '../core/tooling/tool-name.ts';

/** Puts one line on the chat bus after the firewall has seen it; the same call id is never said twice. */
export interface Speaker {
	say(line: {
		roomId: string;
		decisionId: string;
		callId: string;
		text: string;
		direct: boolean;
	}): Promise<{ readonly kind: 'said' } | { readonly kind: 'dropped'; readonly reason: string }>;
}

/** One command to one entity of the room. */
export interface Command {
	readonly domain: string;
	readonly service: string;
	readonly entityId: string;
	readonly data?: Readonly<Record<string, unknown>>;
}

/** Everything that a tool may act with. Nothing else reaches the house. */
export interface ToolContext {
	readonly roomId: string;
	readonly decisionId: string;
	readonly callId: string;
	readonly direct: boolean;
	readonly room: RoomSettings;
	readonly settings: OverseerSettings;
	readonly callDeadlineMs: number;
	readonly home: Pick<Home, 'states' | 'waitFor'>;
	readonly memory: MemoryStore;
	readonly speaker: Speaker;
	/** Sends; refuses entities that the room has not, and everything after the call was given up. Never rejects. */
	command(command: Command): Promise<HomeCallResult>;
	/** Locks, stage and votes as of now: to be asked before every command but the first. */
	recheck(): Promise<readonly BlockReason[]>;
	readNeato(states: ReadonlyMap<string, EntityState>): NeatoView | undefined;
	/** Ends early when aborted; never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What the time limit of a call is worked out from. */
export type Limits = Pick<ToolContext, 'room' | 'settings' | 'callDeadlineMs'>;

export interface ToolSpec<Name extends ToolName> {
	readonly name: Name;
	/** Longest honest run, all waits included; what takes longer is given up. */
	timeLimitMs(limits: Limits): number;
	/** Acts once. Expected failures are outcomes; what it throws counts as unknown once a command may have left. */
	run(context: ToolContext, args: ToolArguments[Name], signal: AbortSignal): Promise<CallOutcome>;
	/** For a call that was interrupted: does what it asked for stand, and did that come after `since` (epoch ms)? */
	stands?(context: ToolContext, args: ToolArguments[Name], since: number): boolean | Promise<boolean>;
	/** An interrupted call may be run again: it only reads, or its effect under one call id happens once. */
	readonly repeatable?: boolean;
	/** Changes nothing and is heard by nobody, so it runs for real while observing. */
	readonly readOnly?: boolean;
}

/** A tool as the registry holds it: arguments are checked once more before anything happens. */
export interface Tool {
	readonly name: ToolName;
	readonly args: z.ZodType;
	readonly repeatable: boolean;
	readonly readOnly: boolean;
	timeLimitMs(limits: Limits): number;
	run(context: ToolContext, args: unknown, signal: AbortSignal): Promise<CallOutcome>;
	stands(context: ToolContext, args: unknown, since: number): Promise<boolean>;
}

export function defineTool<Name extends ToolName>(spec: ToolSpec<Name>): Tool {
	const args: z.ZodType = toolArguments[spec.name];
	const check = (given: unknown) => args.parse(given) as ToolArguments[Name];
	return {
		name: spec.name,
		args,
		repeatable: spec.repeatable ?? false,
		readOnly: spec.readOnly ?? false,
		timeLimitMs: (limits) => spec.timeLimitMs(limits),
		run: async (context, given, signal) => await spec.run(context, check(given), signal),
		stands: async (context, given, since) => (await spec.stands?.(context, check(given), since)) ?? false,
	};
}

/** Clocks of the house and of this machine differ a little. */
const SKEW_MS = 5_000;

/** The entity is in a state that began, or was touched, after `since`. */
export function touchedSince(state: EntityState | undefined, since: number): state is EntityState {
	return state !== undefined && state.lastUpdatedAt >= since - SKEW_MS;
}
