import type { ConciergeSettings } from '../../config/fleet.ts';
import type { ConciergeModel } from './budget.ts';
import type { ConciergeState } from './concierge-state.ts';
import type { FleetFacts } from './fleet-facts.ts';
import type { FeedFacts } from './stores.ts';

export interface WakeInput {
	readonly state: ConciergeState;
	/** Facts of the feed after `state.cursor`. */
	readonly feed: FeedFacts;
	readonly fleet: FleetFacts;
	readonly settings: ConciergeSettings;
	readonly timeZone: string;
	readonly model: ConciergeModel;
	readonly now: number;
	/** Whether a worker process is known to be dead. */
	readonly workerGone?: (worker: string) => boolean;
}
