import type { InboxStore } from '../../core/intake/inbox.ts';
import type { IntakeStore } from '../../core/intake/intake-store.ts';
import { intakeState } from '../../core/intake/session.ts';
import type { Metrics } from '../../core/ports.ts';

const OPEN = intakeState.options.filter((state) => state !== 'COMPLETE' && state !== 'CANCELLED');
const MOST_SESSIONS = 2_000;
const MOST_PACKETS = 200;

/** Intakes under way and packets that are not through, measured when somebody looks. */
export function collectIntake(
	metrics: Metrics,
	figures: { readonly store: Pick<IntakeStore, 'list'>; readonly inbox: Pick<InboxStore, 'list'> },
): () => Promise<void> {
	return async () => {
		const sessions = await figures.store.list({ states: OPEN, limit: MOST_SESSIONS });
		for (const state of OPEN)
			metrics.gauge('intake_sessions', sessions.filter((session) => session.state === state).length, { state });
		for (const state of ['waiting', 'dead'] as const) {
			const packets = await figures.inbox.list({ state, limit: MOST_PACKETS });
			metrics.gauge('intake_inbox_packets', packets.length, { state });
		}
	};
}
