import type { Leases } from '../../../core/overseer/stores.ts';
import type { Log } from '../../../core/ports.ts';

/** Holds one lease and renews it by itself until it is lost or released. */
export interface LeaseKeeper {
	/** False as soon as the lease may have run out, even if nobody could be asked. */
	holds(): boolean;
	/** Tries once; true when the lease is ours now. */
	acquire(): Promise<boolean>;
	release(): Promise<void>;
}

export function createLeaseKeeper(leases: Leases, name: string, ms: number, log: Log): LeaseKeeper {
	/** On this process' monotonic clock, counted from before the question: never later than Redis' own end. */
	let until = 0;
	let timer: NodeJS.Timeout | undefined;
	let released = false;

	async function hold(): Promise<boolean> {
		const asked = performance.now();
		const held = await leases.hold(name, ms);
		if (held && released) await leases.release(name);
		until = held && !released ? asked + ms : 0;
		return until > 0;
	}

	function renewLater(): void {
		timer = setTimeout(async () => {
			await hold().catch(() => undefined);
			if (performance.now() < until) renewLater();
			else log.warn({ lease: name }, 'the lease was lost');
		}, ms / 4);
	}

	return {
		holds: () => performance.now() < until,
		async acquire() {
			clearTimeout(timer);
			const held = await hold().catch(() => false);
			if (held) {
				log.info({ lease: name }, 'the lease is ours');
				renewLater();
			}
			return held;
		},
		async release() {
			clearTimeout(timer);
			const held = performance.now() < until;
			released = true;
			until = 0;
			if (held) await leases.release(name).catch(() => undefined);
		},
	};
}
