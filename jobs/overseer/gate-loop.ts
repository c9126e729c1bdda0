import type { OverseerSettings } from '../../config/overseer.ts';
import { decideGate, type GateResult } from '../../core/overseer/gate.ts';
import { bucketOf } from '../../core/overseer/room-bucket.ts';
import { type RoomStore, seenOf } from '../../core/overseer/room-store.ts';
import type { Leases, WorkerLives } from '../../core/overseer/stores.ts';
import type { PendingDecision } from '../../core/overseer/trigger.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { RoomScene, RoomScenes } from './room-scene.ts';

const ROOMS_PER_TICK = 200;
/** A commit is refused when something came in meanwhile; then the newer snapshot is judged. */
const COMMIT_TRIES = 4;

export interface GateLoop {
	start(): void;
	/** Stops and gives the leases back, so that another process takes over at once. */
	stop(): Promise<void>;
	/** Looks at one room now; does nothing when another process holds its bucket. */
	look(roomId: string): Promise<void>;
}

export interface GateLoopDeps {
	roomIds(): readonly string[];
	settings(): OverseerSettings;
	scenes: RoomScenes;
	store: RoomStore;
	leases: Leases;
	lives: WorkerLives;
	/** Queues a run of the room's decision; too many do no harm, since a decision is taken once. */
	enqueue(roomId: string, decision: PendingDecision): Promise<void>;
	/** Somebody was owed an answer by a decision that died twice. */
	apologise(scene: RoomScene, decision: PendingDecision): Promise<void>;
	/** Tells the panel what the gate found. */
	observe(scene: RoomScene, result: GateResult): Promise<void>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

/**
 * The first stage: looks at every due room each tick, without a model. A room's bucket belongs to whoever holds its
 * lease; losing Redis stops nothing, the next tick tries again.
 */
export function createGateLoop(deps: GateLoopDeps): GateLoop {
	const { store, leases, clock, log, metrics } = deps;
	const held = new Map<number, number>();
	/** What each room was last opened for: it is queued again until it is taken, and told once. */
	const opened = new Map<string, string>();
	let timer: NodeJS.Timeout | undefined;
	let ticking: Promise<void> = Promise.resolve();
	let stopped = true;

	const holds = async (bucket: number): Promise<boolean> => {
		const { leaseMs } = deps.settings().gate;
		// A lease is renewed at half of its life, so that a nudge usually needs no question to Redis.
		if ((held.get(bucket) ?? 0) > clock.now() + leaseMs / 2) return true;
		const asked = clock.now();
		const ours = await leases.hold(`gate-${bucket}`, leaseMs);
		if (ours) held.set(bucket, asked + leaseMs);
		else held.delete(bucket);
		return ours;
	};

	/** The message that opened the gate goes on in its own trace; what nobody said begins one. */
	const open = (roomId: string, wake: PendingDecision): Promise<void> => {
		const { trigger, attempt, trace: parent } = wake;
		const options = { parent, marks: { decision: wake.id }, attributes: { trigger, attempt } };
		return deps.tracer.step('overseer.gate', options, async () => {
			await deps.enqueue(roomId, wake);
			const run = `${wake.id} ${attempt}`;
			if (opened.get(roomId) !== run) log.info({ room: roomId, trigger, attempt }, 'the gate opened');
			opened.set(roomId, run);
		});
	};

	const judge = async (roomId: string): Promise<void> => {
		for (let attempt = 1; attempt <= COMMIT_TRIES; attempt += 1) {
			const scene = await deps.scenes.read(roomId);
			if (!scene) return;
			const worker = scene.snapshot.gate.inFlight?.worker;
			const workerGone = worker !== undefined && (await deps.lives.isGone(worker));
			const result = decideGate({ ...deps.scenes.gateInput(scene), workerGone });
			if (result.abandoned) await deps.apologise(scene, result.abandoned);
			metrics.count('overseer_gate_evaluations_total', { result: result.evaluated.trigger ?? 'hold' });
			const { snapshot } = scene;
			if (!(await store.commit(roomId, snapshot.version, result.gate, result.dueAt, seenOf(snapshot)))) continue;
			if (result.evaluated.hold) metrics.count('overseer_gate_holds_total', { reason: result.evaluated.hold });
			if (result.wake) await open(roomId, result.wake);
			await deps.observe(scene, result);
			return;
		}
		log.debug({ room: roomId }, 'the room changes faster than it is judged; the next tick looks again');
	};

	const guarded = async (roomId: string): Promise<void> => {
		try {
			await judge(roomId);
		} catch (error) {
			log.warn({ room: roomId, error }, 'gate look failed; the room stays due');
		}
	};

	const tick = async (): Promise<void> => {
		const startedAt = clock.now();
		const buckets = new Set(deps.roomIds().map(bucketOf));
		for (const bucket of buckets) {
			if (stopped || !(await holds(bucket))) continue;
			const due = await store.due(bucket, clock.now(), ROOMS_PER_TICK);
			await Promise.all(due.map(guarded));
		}
		metrics.observe('overseer_gate_tick_seconds', (clock.now() - startedAt) / 1_000);
	};

	const schedule = (): void => {
		if (stopped) return;
		timer = setTimeout(() => {
			ticking = tick()
				.catch((error: Error) => log.warn({ error }, 'gate tick failed'))
				.finally(schedule);
		}, deps.settings().gate.tickMs);
	};

	return {
		start() {
			stopped = false;
			schedule();
		},
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await ticking;
			await Promise.allSettled([...held.keys()].map((bucket) => leases.release(`gate-${bucket}`)));
			held.clear();
		},
		async look(roomId) {
			if (stopped) return;
			try {
				if (await holds(bucketOf(roomId))) await guarded(roomId);
			} catch (error) {
				log.debug({ room: roomId, error }, 'nudge not followed; the tick will');
			}
		},
	};
}
