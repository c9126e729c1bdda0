import type { OverseerSettings } from '../../config/overseer.ts';
import type { OverseerStatus } from '../../core/overseer/status.ts';
import { freshStatus } from '../../core/overseer/status-change.ts';
import type { StatusStore } from '../../core/overseer/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';

export type StatusChange = (status: OverseerStatus, now: number) => OverseerStatus;

export interface StatusWriter {
	/** Applies changes of one room in the order of the calls. Never rejects: a panel that lags stops nobody. */
	change(roomId: string, change: StatusChange): Promise<void>;
}

export function createStatusWriter(deps: {
	store: StatusStore<OverseerStatus>;
	settings(): OverseerSettings;
	clock: Clock;
	log: Log;
}): StatusWriter {
	const tails = new Map<string, Promise<void>>();

	const write = async (roomId: string, change: StatusChange): Promise<void> => {
		const now = deps.clock.now();
		const before = await deps.store.read(roomId);
		const after = change(before ?? freshStatus(roomId, deps.settings(), now), now);
		if (!before || !sameBut(before, after)) await deps.store.write(roomId, after);
	};

	return {
		change(roomId, change) {
			const tail = (tails.get(roomId) ?? Promise.resolve())
				.then(() => write(roomId, change))
				.catch((error: Error) => deps.log.warn({ room: roomId, error }, 'panel status not written'))
				.finally(() => {
					if (tails.get(roomId) === tail) tails.delete(roomId);
				});
			tails.set(roomId, tail);
			return tail;
		},
	};
}

/** A look that found nothing new must not wake every panel. */
function sameBut(before: OverseerStatus, after: OverseerStatus): boolean {
	const flat = (status: OverseerStatus) => JSON.stringify({ ...status, updatedAt: 0 });
	return flat(before) === flat(after);
}
