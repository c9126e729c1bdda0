import type { Telemetry } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Settings } from '../config/schema.ts';
import type { CallLimits } from '../core/access/call-limits.ts';
import { anySignal } from '../core/any-signal.ts';
import type { ChatBus } from '../core/chat/bus-port.ts';
import type { Home } from '../core/home/home-port.ts';
import type { Model } from '../core/model/model-port.ts';
import type { CommentaryStatus } from '../core/overseer/commentary-status.ts';
import { readNeato } from '../core/overseer/read-neato.ts';
import type { RoomStore } from '../core/overseer/room-store.ts';
import type { OverseerStatus } from '../core/overseer/status.ts';
import { withGate } from '../core/overseer/status-change.ts';
import type {
	DecisionJournal,
	Leases,
	LiftCommands,
	MemoryStore,
	OverrideStore,
	RoomNudges,
	RoverReports,
	SiteStore,
	StatusStore,
	Throttle,
	VoteStore,
} from '../core/overseer/stores.ts';
import type { WorldView } from '../core/overseer/world.ts';
import type { Clock, Log, Metrics, Random } from '../core/ports.ts';
import type { Audit } from '../core/tooling/call.ts';
import type { Claims, Ledger } from '../core/tooling/ledger-port.ts';
import type { Tracer } from '../core/tracer.ts';
import type { PromptTexts } from '../prompts/render.ts';
import { createExecutor } from '../tools/executor.ts';
import type { Speaker } from '../tools/tool.ts';
import { createCanary } from './canary.ts';
import { jobId, type QueueName } from './contracts.ts';
import { FLEET_POLICIES } from './fleet/fleet-policies.ts';
import { type FleetWork, startFleet } from './fleet/start-fleet.ts';
import { createGuardedModel } from './guarded-model.ts';
import { INTAKE_POLICIES, type IntakeParts, startIntake } from './intake/start-intake.ts';
import { createKillSwitch } from './kill-switch.ts';
import { startChatIndex } from './overseer/chat-index.ts';
import { createDecide } from './overseer/decide.ts';
import { createGateLoop } from './overseer/gate-loop.ts';
import { withGiveBack } from './overseer/give-back.ts';
import { createRoomScenes, type RoomScenes } from './overseer/room-scene.ts';
import { TOOL_WAIT_MS } from './overseer/run-calls.ts';
import { createMouth } from './overseer/speak.ts';
import { createStatusWriter } from './overseer/status-writer.ts';
import { type CallExecutor, createToolRun } from './overseer/tool-run.ts';
import { startWorldWatch } from './overseer/world-watch.ts';
import { pause } from './pause.ts';
import type { Queues } from './queues.ts';
import { createWorker, type RunningWorker, type WorkerPolicy } from './worker.ts';
import { createWorkerLife } from './worker-life.ts';

export interface JobsDeps {
	settings(): Settings;
	texts(): PromptTexts;
	queues: Queues;
	/** A client that fails at once. */
	handlers: Redis;
	/** A new client that waits for Redis. */
	workers(name: string): Redis;
	prefix: string;
	bus: ChatBus;
	rooms: RoomStore;
	ledger: Ledger;
	claims: Claims;
	audit: Audit;
	memory: MemoryStore;
	site: SiteStore;
	overrides: OverrideStore;
	votes: VoteStore;
	journal: DecisionJournal;
	status: StatusStore<OverseerStatus>;
	commentary: StatusStore<CommentaryStatus>;
	worlds: StatusStore<WorldView>;
	rovers: RoverReports;
	leases: Leases;
	nudges: RoomNudges;
	throttle: Throttle;
	liftCommands: LiftCommands;
	limits: CallLimits;
	/** Absent: this house takes no intakes. */
	intake?: IntakeParts;
	/** Absent: this house watches no fleet. */
	fleet?: FleetWork;
	home: Home;
	model: Model;
	clock: Clock;
	random: Random;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
	/** Carries traces across queues. */
	queueTelemetry?: Telemetry;
}

export interface Jobs {
	readonly scenes: RoomScenes;
	/** Queues that no process serves. */
	dead(): Promise<QueueName[]>;
	/** Ends watching and gating at once, jobs within `withinMs`. */
	stop(withinMs: number): Promise<void>;
}

const POLICIES: Readonly<Record<QueueName, WorkerPolicy>> = {
	'overseer-decide': { concurrency: 30, limiter: { max: 1_000, duration: 1_000 }, deadlineMs: 780_000 },
	'tool-run': { concurrency: 5, limiter: { max: 20, duration: 1_000 }, deadlineMs: TOOL_WAIT_MS },
	...INTAKE_POLICIES,
	...FLEET_POLICIES,
};

/**
 * A decision that waits is queued again after this long: the job may have died with its worker before the decision was
 * taken, and a dead worker's job blocks its like for more than a minute.
 */
const REQUEUE_MS = 5_000;

/** Only words of a decision are spoken, and those by its own processor; a queued call has no voice. */
const MUTE: Speaker = { say: async () => ({ kind: 'dropped', reason: 'not_from_a_queue' }) };

/** Starts everything that a worker process does. */
export function startJobs(parts: JobsDeps): Jobs {
	const { log, clock, metrics } = parts;
	const killSwitch = createKillSwitch(parts);
	const guarded = (model: Model) =>
		createGuardedModel({
			...parts,
			model,
			killSwitch,
			price: () => parts.settings().model.prices[model.id],
			settings: () => parts.settings().limits,
		});
	const deps = { ...parts, model: guarded(parts.model), killSwitch };
	const overseer = () => deps.settings().overseer;
	const rooms = () => deps.settings().rooms;
	const roomIds = () => rooms().map(({ id }) => id);
	const scenes = createRoomScenes({ ...deps, rooms, settings: overseer, store: deps.rooms });
	const lives = createWorkerLife({
		leases: deps.leases,
		self: deps.random.id(),
		leaseMs: () => overseer().gate.leaseMs,
		log,
	});
	lives.start();
	const statusWriter = createStatusWriter({ store: deps.status, settings: overseer, clock, log });
	const nudge = (roomId: string) => deps.nudges.send(roomId);

	const executorWith = (speaker: Speaker): CallExecutor => {
		const executor = createExecutor({
			...deps,
			lives,
			speaker,
			settings: overseer(),
			callDeadlineMs: deps.settings().home.callDeadlineMs,
			room: (roomId) => rooms().find(({ id }) => id === roomId),
			facts: scenes.facts,
			readNeato: ({ neato }, states) => neato && readNeato(neato, states, deps.home.status().connected),
			sleep: pause,
		});
		return {
			execute(request) {
				const valve = killSwitch.signal();
				return executor.execute({
					...request,
					signal: request.signal ? anySignal([request.signal, valve]) : valve,
				});
			},
		};
	};
	const mouth = createMouth({ ...deps, scenes, executorWith });
	const decide = createDecide({ ...deps, lives, scenes, store: deps.rooms, mouth, status: statusWriter, nudge });
	const toolRun = createToolRun({ ...deps, executor: { execute: (request) => executorWith(MUTE).execute(request) } });

	const gate = createGateLoop({
		...deps,
		lives,
		roomIds,
		settings: overseer,
		scenes,
		store: deps.rooms,
		enqueue: (roomId, decision) =>
			deps.queues.add(
				'overseer-decide',
				{ roomId },
				{ deduplication: { id: jobId(decision.id, String(decision.attempt)), ttl: REQUEUE_MS } },
			),
		apologise: (scene, decision) => mouth.sayHonestly(scene, decision, 'given_up'),
		observe: (scene, result) =>
			statusWriter.change(scene.room.id, (status) => withGate(status, { ...scene, gate: result.gate })),
	});

	const workers = new Map<QueueName, RunningWorker>();
	const remake = new Map<QueueName, () => void>();
	const serve = <Name extends QueueName>(name: Name, handle: Parameters<typeof createWorker<Name>>[0]['handle']) => {
		const make = () =>
			createWorker({
				name,
				connection: deps.workers(name),
				prefix: deps.prefix,
				policy: POLICIES[name],
				clock,
				log,
				metrics,
				handle,
				tracer: deps.tracer,
				telemetry: deps.queueTelemetry,
				onCanary: (sentAt) => canary.beat(name, sentAt),
			});
		workers.set(name, make());
		remake.set(name, () => {
			const old = workers.get(name);
			workers.set(name, make());
			old?.close(5_000).catch((error: Error) => log.warn({ queue: name, error }, 'the silent worker did not close'));
		});
	};
	const canary = createCanary({
		queues: deps.queues,
		connection: deps.handlers,
		prefix: deps.prefix,
		clock,
		log,
		metrics,
		names: () => [...workers.keys()],
		revive: (name) => {
			metrics.count('majordomo_workers_restarted_total', { queue: name });
			remake.get(name)?.();
		},
	});
	serve('overseer-decide', withGiveBack({ ...deps, lives, scenes, store: deps.rooms, nudge }, decide));
	serve('tool-run', toolRun);
	const intake =
		deps.intake && startIntake({ ...deps, ...deps.intake, settings: () => deps.settings().intake, lives, serve });
	const fleet = deps.fleet && startFleet({ ...deps, ...deps.fleet, model: guarded(deps.fleet.model), lives, serve });

	const stopIndex = startChatIndex({ ...deps, store: deps.rooms, roomIds });
	const stopWatch = startWorldWatch({ ...deps, rooms, settings: overseer, scenes, store: deps.rooms });
	const stopNudges = deps.nudges.onNudge((roomId) => void gate.look(roomId));
	const unpause = killSwitch.onResume(() => {
		for (const roomId of roomIds()) void gate.look(roomId);
		fleet?.nudge();
	});
	gate.start();
	canary.start();
	for (const roomId of roomIds())
		deps.rooms
			.markDue(roomId, clock.now())
			.catch((error: Error) => log.warn({ room: roomId, error }, 'room not marked due at start'));

	return {
		scenes,
		dead: canary.dead,
		async stop(withinMs) {
			canary.stop();
			await Promise.allSettled([stopNudges(), stopIndex(), stopWatch(), gate.stop(), intake?.stop(), fleet?.stop()]);
			await Promise.allSettled([...workers.values()].map((worker) => worker.close(withinMs)));
			await lives.stop();
			unpause();
			await killSwitch.stop();
		},
	};
}
