import { releaseDecision } from '../../core/overseer/finish-decision.ts';
import type { RoomStore } from '../../core/overseer/room-store.ts';
import type { WorkerLives } from '../../core/overseer/stores.ts';
import type { Log } from '../../core/ports.ts';
import type { JobPayload } from '../contracts.ts';
import { outlastStore } from '../outlast-store.ts';
import { pause } from '../pause.ts';
import { isStoreFailure } from '../store-failure.ts';
import { commitGate } from './commit.ts';
import type { RoomScenes } from './room-scene.ts';

/** Between two looks while another run of the same room is under way. */
const AGAIN_MS = 200;

type Decide = (payload: JobPayload<'overseer-decide'>, signal: AbortSignal) => Promise<string>;

/**
 * Looks after decisions under which the store fails. Their process lives on, so nobody takes them for dead before their time
 * is over: as soon as the store answers again, the decision is given back and run once more under the same id, where the
 * claims of its calls say what was done. A change that was reported as failed may have been stored all the same, taking the
 * decision among them, so what counts is what stands in the room.
 */
export function withGiveBack(
	deps: {
		scenes: RoomScenes;
		store: RoomStore;
		lives: WorkerLives;
		/** Makes the gate look again right away. */
		nudge(roomId: string): Promise<void>;
		log: Log;
	},
	decide: Decide,
): Decide {
	/** Runs under way in this process, by room. */
	const running = new Map<string, number>();
	const count = (roomId: string, by: number) => running.set(roomId, (running.get(roomId) ?? 0) + by);

	/** Undefined while another run of the room may be the one that has the decision. */
	async function giveBack(roomId: string): Promise<string | undefined> {
		let isBusy = false;
		const given = await commitGate(deps, roomId, (scene) => {
			const { gate } = scene.snapshot;
			if (gate.inFlight?.worker !== deps.lives.self) return undefined;
			// Asked after reading: whoever took it before that is counted by now.
			isBusy = (running.get(roomId) ?? 0) > 0;
			if (isBusy) return undefined;
			const released = releaseDecision(gate, gate.inFlight.decision.id, scene.now);
			return released && { gate: released, dueAt: scene.now, result: gate.inFlight.decision.id };
		});
		if (isBusy) return undefined;
		if (!given) return 'store away';
		deps.log.warn({ room: roomId, decision: given.result }, 'the store was away: the decision is run again');
		await deps.nudge(roomId).catch((error: Error) => deps.log.debug({ room: roomId, error }, 'nudge lost'));
		return 'given back';
	}

	return async (payload, signal) => {
		const { roomId } = payload;
		count(roomId, 1);
		try {
			return await decide(payload, signal);
		} catch (error) {
			if (!isStoreFailure(error)) throw error;
		} finally {
			count(roomId, -1);
		}
		for (;;) {
			const result = await outlastStore(() => giveBack(roomId), signal);
			if (result !== undefined || signal.aborted) return result ?? 'store away';
			await pause(AGAIN_MS, signal);
		}
	};
}
