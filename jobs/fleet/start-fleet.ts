import type { HouseLanguage } from '../../config/language.ts';
import type { ConciergeModel } from '../../core/fleet/budget.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import { HOSTED_SOURCE, type SessionControl } from '../../core/fleet/session-control.ts';
import type { Model } from '../../core/model/model-port.ts';
import type { DecisionJournal, Leases, WorkerLives } from '../../core/overseer/stores.ts';
import type { Metrics } from '../../core/ports.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import type { JobPayload, QueueName } from '../contracts.ts';
import type { KillSwitch } from '../kill-switch.ts';
import { pause } from '../pause.ts';
import type { Attempt } from '../worker.ts';
import { createBreakOff } from './break-off.ts';
import { createConciergeTurn } from './concierge-turn.ts';
import { createDeliver } from './deliver.ts';
import { createEndUnheld } from './end-unheld.ts';
import type { FleetDeskDeps, FleetDesks } from './fleet-desks.ts';
import { holdStarts } from './held-control.ts';
import { createHubDesk } from './hub-desk.ts';
import { createRemember } from './remember.ts';
import { createRunWake } from './run-wake.ts';
import { type HostWork, startSessionHost } from './session-host.ts';
import { startUpkeep } from './upkeep.ts';
import { createWakeLoop } from './wake-loop.ts';

/** What a worker needs for the fleet, besides what every process has. */
export interface FleetWork extends Omit<FleetDeskDeps, 'queues' | 'isPaused'> {
	readonly desks: FleetDesks;
	/** The concierge's own model, and what it costs. */
	readonly model: Model;
	readonly price: ConciergeModel;
	/** Ways into sessions that every worker serves alike. */
	readonly controls: readonly SessionControl[];
	/** Absent: this process runs no sessions of its own. */
	readonly host?: HostWork;
	/** The concierge's shown name. */
	name(): string;
	/** Language of what it says unasked; absent: English. */
	language?(): HouseLanguage | undefined;
	readonly upkeepEveryMs?: number;
	readonly hostBeatMs?: number;
}

export interface FleetJobsDeps extends FleetWork {
	readonly queues: FleetDeskDeps['queues'];
	texts(): PromptTexts;
	readonly journal: DecisionJournal;
	readonly leases: Leases;
	readonly lives: WorkerLives;
	readonly metrics: Metrics;
	readonly killSwitch: Pick<KillSwitch, 'isPaused' | 'onPause'>;
	/** Starts a worker of a queue. */
	serve<Name extends QueueName>(
		name: Name,
		handle: (payload: JobPayload<Name>, signal: AbortSignal, attempt: Attempt) => Promise<string>,
	): void;
}

const BUSY_MS = 1_000;
/** Longest wait of a machine that stops for what is on its way into its sessions. */
const CALM_MS = 3_000;

/** Starts everything that a worker process does for the fleet. */
export function startFleet(deps: FleetJobsDeps): { nudge(): void; stop(): Promise<void> } {
	const { desks, queues, price } = deps;
	const { plain, deliver, enqueue, settle } = desks;
	const hub = createHubDesk({ ...deps, deliver, transcript: desks.transcript });
	const turn = createConciergeTurn({ ...deps, hub });
	const remember = createRemember(deps);
	const scene = { ...deps, model: price };
	const runWake = createRunWake({ ...scene, plain, turn, remember });
	const endUnheld = createEndUnheld({ ...deps, reports: desks.reports, settle });
	const bringing = new Set<Promise<unknown>>();
	const bringNow = createDeliver({ ...deps, settle, controlOf, call });
	const bring = (sessionId: string, signal: AbortSignal): Promise<string> => {
		const mine = bringNow(sessionId, signal);
		const end = mine.catch(() => undefined).finally(() => bringing.delete(end));
		bringing.add(end);
		return mine;
	};
	const later = (sessionId: string) => queues.add('fleet-deliver', { sessionId }, { delay: BUSY_MS });
	const calm = () => Promise.race([Promise.all(bringing), pause(CALM_MS)]);
	const { host: hosting } = deps;
	const host =
		hosting &&
		startSessionHost({
			...deps,
			...hosting,
			open: () => holdStarts(hosting.open(), deps.killSwitch),
			self: deps.lives.self,
			bring,
			later,
			calm,
			...(deps.hostBeatMs === undefined ? {} : { beatMs: deps.hostBeatMs }),
		});

	function controlOf(session: FleetSession): SessionControl | undefined {
		return host?.controlOf(session) ?? deps.controls.find(({ source }) => source === session.source);
	}
	async function call(session: FleetSession): Promise<void> {
		if (session.source !== HOSTED_SOURCE || (await endUnheld(session))) return;
		await deps.hostPost.call(session.host, session.id);
	}

	deps.serve('fleet-deliver', async ({ sessionId }, signal) => {
		const result = await bring(sessionId, signal);
		if (result === 'busy') await later(sessionId);
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

	const breakOff = createBreakOff({ ...deps, controlOf });
	const unpause = deps.killSwitch.onPause(() => {
		breakOff().catch((error: Error) => deps.log.error({ error }, 'turns could not be broken off'));
	});

	return {
		nudge: loop.nudge,
		async stop() {
			unpause();
			await Promise.all([loop.stop(), upkeep.stop(), host?.stop()]);
		},
	};
}
