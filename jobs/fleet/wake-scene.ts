import type { FleetSettings } from '../../config/fleet.ts';
import type { ConciergeModel } from '../../core/fleet/budget.ts';
import type { ConciergeState } from '../../core/fleet/concierge-state.ts';
import { fleetFacts } from '../../core/fleet/fleet-facts.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { ConciergeStore, FeedStore, SessionTable } from '../../core/fleet/stores.ts';
import type { WakeInput } from '../../core/fleet/wake-input.ts';
import type { WorkerLives } from '../../core/overseer/stores.ts';
import type { Clock } from '../../core/ports.ts';

export interface WakeSceneDeps {
	readonly concierge: ConciergeStore;
	readonly feed: Pick<FeedStore, 'facts'>;
	readonly sessions: Pick<SessionTable, 'list'>;
	readonly lives: Pick<WorkerLives, 'isGone'>;
	settings(): FleetSettings;
	readonly model: ConciergeModel;
	readonly clock: Clock;
}

/** Sessions that are looked at, newest change first. */
export const SESSIONS_MAX = 2_000;

export interface WakeScene {
	readonly input: WakeInput;
	readonly version: number;
	readonly sessions: readonly FleetSession[];
}

/** Everything that the scheduler decides on, as it is now. */
export async function readWakeScene(deps: WakeSceneDeps): Promise<WakeScene> {
	const { state, version } = await deps.concierge.read();
	const worker = state.inFlight?.worker;
	const [feed, sessions, isGone] = await Promise.all([
		deps.feed.facts(state.cursor, state.id),
		deps.sessions.list(SESSIONS_MAX),
		worker === undefined ? false : deps.lives.isGone(worker),
	]);
	const { concierge, timeZone } = deps.settings();
	const input: WakeInput = {
		state,
		feed,
		fleet: fleetFacts(sessions),
		settings: concierge,
		timeZone,
		model: deps.model,
		now: deps.clock.now(),
		workerGone: (name) => isGone && name === worker,
	};
	return { input, version, sessions };
}

const TRIES = 30;

/**
 * Changes the concierge's state by compare-and-set; computed anew when somebody wrote in between. Undefined when `next` says
 * that there is nothing to change.
 */
export async function changeConcierge(
	concierge: ConciergeStore,
	next: (state: ConciergeState) => ConciergeState | undefined,
): Promise<ConciergeState | undefined> {
	for (let tries = 0; tries < TRIES; tries += 1) {
		const { state, version } = await concierge.read();
		const changed = next(state);
		if (changed === undefined || changed === state) return undefined;
		if (await concierge.commit(version, changed)) return changed;
	}
	throw new Error("the concierge's state is written by others all the time");
}
