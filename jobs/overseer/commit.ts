import type { GateState } from '../../core/overseer/gate-state.ts';
import { type RoomStore, seenOf } from '../../core/overseer/room-store.ts';
import type { RoomScene, RoomScenes } from './room-scene.ts';

/** Talk in a busy room changes it many times a second; each try judges the newest snapshot. */
const TRIES = 20;

/** The room changed under every try. The work is not lost: the gate finds it again. */
class RoomTooBusy extends Error {
	readonly code = 'room_too_busy';
	constructor(roomId: string) {
		super(`room ${roomId} changed ${TRIES} times while one change was being stored`);
		this.name = 'RoomTooBusy';
	}
}

/**
 * Reads a room, computes a new gate state from it and stores it, again and again until nobody wrote in between.
 * `compute` returns undefined when there is nothing to do. Undefined also for a room that is not configured.
 */
export async function commitGate<Result>(
	deps: { scenes: RoomScenes; store: RoomStore },
	roomId: string,
	compute: (scene: RoomScene) => { gate: GateState; dueAt: number; result: Result } | undefined,
): Promise<{ scene: RoomScene; result: Result } | undefined> {
	for (let attempt = 1; attempt <= TRIES; attempt += 1) {
		const scene = await deps.scenes.read(roomId);
		const next = scene && compute(scene);
		if (!scene || !next) return undefined;
		const { version } = scene.snapshot;
		if (await deps.store.commit(roomId, version, next.gate, next.dueAt, seenOf(scene.snapshot)))
			return { scene, result: next.result };
	}
	throw new RoomTooBusy(roomId);
}
