import { markHostGone } from '../../core/fleet/host-gone.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import { HOSTED_SOURCE } from '../../core/fleet/session-control.ts';
import type { SessionTable } from '../../core/fleet/stores.ts';
import type { Log } from '../../core/ports.ts';

export interface LostHostsDeps {
	readonly hosts: Pick<HostRegister, 'offers' | 'known'>;
	readonly sessions: Pick<SessionTable, 'load' | 'commit' | 'names'>;
	settings(): { readonly timeZone: string };
	/** Has it looked at what waits for a session. */
	deliver(sessionId: string): Promise<void>;
	readonly log: Log;
}

/**
 * Marks sessions whose machine nobody holds. A machine counts as gone with the second look in a row that finds it so: between
 * two processes of one machine there is a moment without any. Only machines that were once held are meant.
 */
export function createLostHosts(deps: LostHostsDeps): (fleet: readonly FleetSession[], now: number) => Promise<void> {
	const { hosts, sessions, log } = deps;
	let missing: ReadonlySet<string> = new Set();

	return async (fleet, now) => {
		const [known, offers] = await Promise.all([hosts.known(), hosts.offers()]);
		const held = new Set(offers.map(({ host }) => host));
		const before = missing;
		missing = new Set(known.filter((host) => !held.has(host)));
		for (const { id, source, host, staleSince } of fleet) {
			if (source !== HOSTED_SOURCE || staleSince !== undefined || !missing.has(host) || !before.has(host)) continue;
			const view = await sessions.load(id, [], []);
			const { timeZone } = deps.settings();
			const change = markHostGone({ view, names: await sessions.names(), timeZone, now });
			if (change === undefined) continue;
			const { kind } = await sessions.commit(change);
			// When somebody wrote in between, the next look decides anew.
			if (kind !== 'stored') continue;
			log.warn({ session: id, host }, 'nobody looks after the sessions of that machine');
			await deps.deliver(id);
		}
	};
}
