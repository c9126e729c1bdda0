import { BUCKETS, counter, gauge, histogram } from './metric-spec.ts';

export const fleetMetrics = {
	fleet_reports_total: counter('Reports of sessions, by what became of them.', 'outcome'),
	fleet_wakes_total: counter('Turns of the concierge, by what for and how they ended.', 'why', 'outcome'),
	fleet_wake_seconds: histogram('Time of one turn.', BUCKETS.model),
	fleet_model_calls_total: counter('Model calls of the concierge, by how they ended.', 'outcome'),
	fleet_hub_calls_total: counter('Tool calls of the concierge, by how they ended.', 'code'),
	fleet_sessions: gauge('Sessions of coding agents, by state.', 'state'),
	fleet_sessions_stale: gauge('Sessions that fell silent.'),
	fleet_questions_open: gauge('Questions of sessions that nobody has answered.'),
	fleet_behind_events: gauge('Events that the concierge has not been told of.'),
	fleet_wakes_last_hour: gauge('Turns begun in the last hour, people not counted; wakesPerHour is the cap.'),
	fleet_hold: gauge('1 for what holds the next turn back.', 'reason'),
	fleet_spend_today_usd: gauge('US dollars that the concierge has spent today.'),
	fleet_budget_usd: gauge('Its budget for a day; 0 is none.'),
	fleet_failures_in_row: gauge('Turns in a row that failed.'),
} as const;
