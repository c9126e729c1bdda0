import type { ConciergeSettings } from '../../config/fleet.ts';
import { spendOn } from '../../core/fleet/budget.ts';
import { wakeHold } from '../../core/fleet/concierge-state.ts';
import { sessionState } from '../../core/fleet/session-state.ts';
import type { ConciergeStore, FeedStore, QuestionStore, SessionTable } from '../../core/fleet/stores.ts';
import type { Clock, Metrics } from '../../core/ports.ts';

const MOST_SESSIONS = 1_000;
const MOST_QUESTIONS = 500;

export interface FleetFigures {
	readonly sessions: Pick<SessionTable, 'list'>;
	readonly questions: Pick<QuestionStore, 'unsettled'>;
	readonly concierge: Pick<ConciergeStore, 'read'>;
	readonly feed: Pick<FeedStore, 'facts'>;
	settings(): { readonly concierge: ConciergeSettings; readonly timeZone: string };
	readonly clock: Clock;
}

/** What the fleet and its concierge look like now, measured when somebody looks. */
export function collectFleet(metrics: Metrics, figures: FleetFigures): () => Promise<void> {
	return async () => {
		const { concierge, timeZone } = figures.settings();
		const [{ state }, sessions, questions] = await Promise.all([
			figures.concierge.read(),
			figures.sessions.list(MOST_SESSIONS),
			figures.questions.unsettled(MOST_QUESTIONS),
		]);
		for (const name of sessionState.options)
			metrics.gauge('fleet_sessions', sessions.filter((session) => session.state === name).length, { state: name });
		metrics.gauge('fleet_sessions_stale', sessions.filter((session) => session.staleSince !== undefined).length);
		metrics.gauge('fleet_questions_open', questions.filter((question) => question.state === 'open').length);
		metrics.gauge('fleet_behind_events', (await figures.feed.facts(state.cursor, state.id)).foreign);
		metrics.gauge('fleet_wakes_last_hour', state.wakes.length);
		for (const reason of wakeHold.options)
			metrics.gauge('fleet_hold', state.hold?.reason === reason ? 1 : 0, { reason });
		metrics.gauge('fleet_spend_today_usd', spendOn(state.spend, figures.clock.now(), timeZone).usd);
		metrics.gauge('fleet_budget_usd', concierge.dailyBudgetUsd);
		metrics.gauge('fleet_failures_in_row', state.failures);
	};
}
