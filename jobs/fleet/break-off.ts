import type { InboxDraft } from '../../core/fleet/inbox-item.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { SessionControl } from '../../core/fleet/session-control.ts';
import type { SessionTable } from '../../core/fleet/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { SESSIONS_MAX } from './wake-scene.ts';

export interface BreakOffDeps {
	readonly sessions: Pick<SessionTable, 'list'>;
	controlOf(session: FleetSession): SessionControl | undefined;
	readonly clock: Clock;
	readonly log: Log;
}

const ABORT_MS = 10_000;

/**
 * Ends the turns that sessions of this process are in, as a pause demands: agents ask paid models too. The sessions stay,
 * and go on when somebody tells them to. One that waits for an answer asks nobody and is left alone.
 */
export function createBreakOff({ sessions, controlOf, clock, log }: BreakOffDeps): () => Promise<void> {
	return async () => {
		const at = clock.now();
		const item: InboxDraft = {
			id: `pause:${at}`,
			at,
			kind: 'abort',
			from: { role: 'person', who: 'an admin, by pausing everything', whoId: '' },
			mode: 'interrupt',
		};
		const working = (await sessions.list(SESSIONS_MAX)).filter(({ state }) => state === 'working');
		await Promise.all(
			working.map(async (session) => {
				const result = await controlOf(session)?.deliver(session, item, AbortSignal.timeout(ABORT_MS));
				if (result !== undefined)
					log.warn({ session: session.id, result: result.kind }, 'its turn was broken off: paused');
			}),
		);
	};
}
