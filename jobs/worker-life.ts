import type { Leases, WorkerLives } from '../core/overseer/stores.ts';
import type { Log } from '../core/ports.ts';

export interface WorkerLife extends WorkerLives {
	start(): void;
	/** Says at once that this process is gone. */
	stop(): Promise<void>;
}

/**
 * A lease that a worker process holds for as long as it lives. The first question for it leaves on the same connection
 * before anything is taken in hand, so nobody sees a decision of a process that was never alive. While Redis is away all
 * leases run out; a process never takes itself for dead, and what others take over meanwhile is claimed call by call.
 */
export function createWorkerLife(deps: { leases: Leases; self: string; leaseMs(): number; log: Log }): WorkerLife {
	const { leases, self, log } = deps;
	let timer: NodeJS.Timeout | undefined;
	let stopped = true;
	const renew = (): void => {
		if (stopped) return;
		leases
			.hold(`worker-${self}`, deps.leaseMs())
			.catch((error: Error) => log.debug({ problem: error.message }, 'sign of life not given'));
		timer = setTimeout(renew, deps.leaseMs() / 4);
		timer.unref();
	};
	return {
		self,
		isGone: async (worker) => worker !== self && !(await leases.isHeld(`worker-${worker}`)),
		start() {
			stopped = false;
			renew();
		},
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await leases.release(`worker-${self}`).catch(() => undefined);
		},
	};
}
