import type { OverseerSettings } from '../../config/overseer.ts';
import type { SitePolicy } from '../overseer/site.ts';
import type { WorldView } from '../overseer/world.ts';
import type { ToolFamily, ToolName } from './tool-name.ts';

/** Action budget of a room as read at one moment. `…FreeAt`: epoch ms when the next unit comes free, if none is left. */
export interface BudgetView {
	readonly minuteUsed: number;
	readonly hourUsed: number;
	readonly minuteFreeAt?: number;
	readonly hourFreeAt?: number;
}

/** Everything that decides whether a tool may run, gathered fresh each time it is asked. Times are epoch ms. */
export interface ToolFacts {
	readonly now: number;
	readonly stage: OverseerSettings['stage'];
	readonly site: SitePolicy;
	readonly world: WorldView;
	/** When a family may run again; absent or past = ready. */
	readonly readyAt: Readonly<Partial<Record<ToolFamily, number>>>;
	readonly budget: BudgetView;
	/** The decision answers a person who addressed us. */
	readonly direct: boolean;
	/** People voted it quiet; only direct answers in words are left. */
	readonly votedQuiet: boolean;
	/** A tool of this family is running now. */
	readonly running: readonly ToolFamily[];
}

export type ReasonCode =
	| 'cooldown'
	| 'busy'
	| 'unavailable'
	| 'rate_limit'
	| 'already'
	| 'unsupported'
	/** What the call touches is not as it was when the call was decided on. */
	| 'stale'
	| 'stage'
	| 'paused'
	| 'vote'
	| 'policy_lock:site_mode_admin'
	| 'policy_lock:site_mode_lockdown'
	| 'policy_lock:lights_locked_on'
	| 'policy_lock:lights_locked_off';

export interface BlockReason {
	readonly code: ReasonCode;
	readonly remainingMs?: number;
	/** One short phrase for people and the audit, e.g. `not_found`, `conflict`. */
	readonly detail?: string;
}

export interface BlockedTool {
	readonly tool: ToolName;
	/** Never empty; most weighty first. */
	readonly reasons: readonly BlockReason[];
}

/** The split that the prompt prints and the executor enforces. Tools that the room has not are in neither list. */
export interface Availability {
	readonly available: readonly ToolName[];
	readonly blocked: readonly BlockedTool[];
}
