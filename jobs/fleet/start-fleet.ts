import type { ConciergeModel } from '../../core/fleet/budget.ts';
import type { SessionControl } from '../../core/fleet/session-control.ts';
import type { Model } from '../../core/model/model-port.ts';
import type { DecisionJournal, Leases, WorkerLives } from '../../core/overseer/stores.ts';
import type { Metrics } from '../../core/ports.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import type { JobPayload, QueueName } from '../contracts.ts';
import type { Attempt } from '../worker.ts';
import { createConciergeTurn } from './concierge-turn.ts';
import { createDeliver } from './deliver.ts';
import type { FleetDeskDeps, FleetDesks } from './fleet-desks.ts';
import { createHubDesk } from './hub-desk.ts';
import { createRemember } from './remember.ts';
import { createRunWake } from './run-wake.ts';
import { startUpkeep } from './upkeep.ts';
import { createWakeLoop } from './wake-loop.ts';

/** What a worker needs for the fleet, besides what every process has. */
export interface FleetWork extends Omit<FleetDeskDeps, 'queues'> {
	readonly desks: FleetDesks;
	/** The concierge's own model, and what it costs. */
	readonly model: Model;
	readonly price: ConciergeModel;
	/** Ways into sessions that run on this machine. */
	readonly controls: readonly SessionControl[];
	/** The concierge's shown name. */
	name(): string;
	readonly upkeepEveryMs?: number;
}

export interface FleetJobsDeps extends FleetWork {
	readonly queues: FleetDeskDeps['queues'];
	texts(): PromptTexts;
	readonly journal: DecisionJournal;
	readonly leases: Leases;
	readonly lives: WorkerLives;
	readonly metrics: Metrics;
	/** Starts a worker of a queue. */
	serve<Name extends QueueName>(
		name: Name,
		handle: (payload: JobPayload<Name>, signal: AbortSignal, attempt: Attempt) => Promise<string>,
	): void;
}

const BUSY_MS = 1_000;

/** Starts everything that a worker process does for the fleet. */
export function startFleet(deps: FleetJobsDeps): { stop(): Promise<void> } {
	const { desks, queues, price } = deps;
	const { plain, deliver, enqueue, settle } = desks;
	const hub = createHubDesk({ ...deps, deliver });
	const turn = createConciergeTurn({ ...deps, hub });
	const remember = createRemember(deps);
	const scene = { ...deps, model: price };
	const runWake = createRunWake({ ...scene, plain, turn, remember });
	const bring = createDeliver({ ...deps, settle });

	deps.serve('fleet-deliver', async ({ sessionId }, signal) => {
		const result = await bring(sessionId, signal);
		if (result === 'busy') await queues.add('fleet-deliver', { sessionId }, { delay: BUSY_MS });
		return result;
	});
	const loop = createWakeLoop({ ...scene, plain, enqueue });
	deps.serve('fleet-wake', async (_, signal) => {
		const result = await runWake(signal);
		loop.nudge();
		return result;
	});
	const upkeep = startUpkeep({
		...deps,
		deliver,
		trimFeed: deps.feed.trim,
		...(deps.upkeepEveryMs === undefined ? {} : { everyMs: deps.upkeepEveryMs }),
	});

	return {
		async stop() {
			await Promise.all([loop.stop(), upkeep.stop()]);
		},
	};
}
