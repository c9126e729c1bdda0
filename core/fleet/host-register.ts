import type { HostOffer } from './start-desk.ts';

/**
 * Which worker process looks after the sessions of which machine: one at a time, for as long as it says so again and again.
 * All methods reject with `RedisUnavailable`.
 */
export interface HostRegister {
	/**
	 * Takes a machine, or keeps it, for `ms`. Gives its term, a number that is one higher each time that nobody held it before;
	 * undefined while another process holds it.
	 */
	hold(offer: Pick<HostOffer, 'host' | 'directories'>, holder: string, ms: number): Promise<number | undefined>;
	/** Gives it up at once; nothing happens when another holds it. */
	release(host: string, holder: string): Promise<void>;
	/** Machines that are held now. */
	offers(): Promise<readonly HostOffer[]>;
	/** Every machine that was held in the last month, held now or not. */
	known(): Promise<readonly string[]>;
}
