import type { HostRegister } from '../../core/fleet/host-register.ts';
import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { ReportDesk } from '../../core/fleet/report-desk.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { DeliveryResult } from '../../core/fleet/session-control.ts';
import type { SessionInbox } from '../../core/fleet/stores.ts';
import type { Clock } from '../../core/ports.ts';

export interface EndUnheldDeps {
	readonly hosts: Pick<HostRegister, 'offers'>;
	readonly inbox: Pick<SessionInbox, 'read' | 'ack'>;
	readonly reports: ReportDesk;
	settle(session: FleetSession, item: InboxItem, result: DeliveryResult): Promise<void>;
	readonly clock: Clock;
}

const NEVER = new AbortController().signal;

/**
 * Stops a session whose machine nobody holds, when a person wants that: there is no process to tell, so its record ends. Gives
 * false when somebody holds the machine, or did a moment ago.
 */
export function createEndUnheld(deps: EndUnheldDeps): (session: FleetSession) => Promise<boolean> {
	const { hosts, inbox, reports, settle, clock } = deps;
	return async (session) => {
		const { id, source, host, nativeId } = session;
		if ((await hosts.offers()).some((offer) => offer.host === host)) return false;
		if (session.staleSince === undefined) return false;
		const waiting = await inbox.read(id, 0, Number.MAX_SAFE_INTEGER, 0, NEVER);
		const stop = waiting.findLast(({ kind }) => kind === 'stop');
		if (stop === undefined) return true;
		const reason = `stopped by ${stop.from.who} while nobody on its machine ran it`;
		await reports.take({ source, host }, [
			{ v: 1, eventId: `unheld:${stop.id}`, at: clock.now(), session: { nativeId }, kind: 'ended', data: { reason } },
		]);
		for (const item of waiting) {
			if (item.seq > stop.seq) break;
			const gone = { kind: 'gone', why: 'the session was stopped before it could take this' } as const;
			await settle(session, item, item.kind === 'stop' ? { kind: 'delivered' } : gone);
		}
		await inbox.ack(id, stop.seq);
		return true;
	};
}
