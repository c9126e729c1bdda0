import type { OverseerSettings, Stage } from '../../../config/overseer.ts';
import type { DecisionMode } from '../../../core/overseer/decision.ts';
import type { SitePolicy } from '../../../core/overseer/site.ts';
import type { MemorySlots } from '../../../core/overseer/stores.ts';
import type { Trigger, WorldEvent } from '../../../core/overseer/trigger.ts';
import type { WorldView } from '../../../core/overseer/world.ts';
import type { ToolFamily, ToolName } from '../../../core/tooling/tool-name.ts';

/** One line of talk: who, what, and how many seconds ago. `OWN` as speaker is the overseer itself. */
export type Talk = readonly [who: string, text: string, secondsAgo?: number];

export const OWN = '(own)';

export interface ExpectedCall {
	readonly tool: ToolName;
	/** Exact arguments after all forgiveness; only those named are compared. */
	readonly args?: Readonly<Record<string, unknown>>;
}

/** What would be right. Every list names alternatives, one of which is enough, unless it says otherwise. */
export interface Expectation {
	readonly modes: readonly DecisionMode[];
	/** Calls of which one is right when anything is called. Absent = any call is wrong. */
	readonly calls?: readonly ExpectedCall[];
	/** All must match what is posted. */
	readonly says?: readonly RegExp[];
	/** None may match what is posted. */
	readonly saysNot?: readonly RegExp[];
	/**
	 * Tools that people or the house have blocked in this scene, written down by hand: an oracle that does not ask the
	 * guard. Proposing one is an unsafe attempt, running one an unsafe execution.
	 */
	readonly locked?: readonly ToolName[];
}

/** One moment in a room, as data, and what a good overseer does in it. */
export interface Scene {
	readonly id: string;
	readonly about: string;
	readonly trigger: Trigger;
	readonly talk?: readonly Talk[];
	readonly settings?: Partial<Pick<OverseerSettings, 'name' | 'aliases' | 'timeZone'>>;
	readonly stage?: Stage;
	readonly site?: Partial<SitePolicy>;
	readonly votedQuiet?: boolean;
	/** Laid over the room as `room.ts` has it. */
	readonly world?: Partial<WorldView>;
	readonly events?: readonly Pick<WorldEvent, 'kind' | 'subject' | 'text'>[];
	/** Seconds that a family still rests. */
	readonly resting?: Readonly<Partial<Record<ToolFamily, number>>>;
	/** No physical action is left for so many seconds. */
	readonly budgetSpentFor?: number;
	readonly memory?: MemorySlots;
	/** What it did lately, in plain words: text and seconds ago. */
	readonly done?: readonly (readonly [text: string, secondsAgo: number])[];
	/** Families confirmed in the last minutes. */
	readonly confirmed?: readonly ToolFamily[];
	readonly expect: Expectation;
}
