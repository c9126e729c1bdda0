import { BUCKETS, counter, histogram } from './metric-spec.ts';

export const fleetMetrics = {
	fleet_reports_total: counter('Reports of sessions, by what became of them.', 'outcome'),
	fleet_wakes_total: counter('Turns of the concierge, by what for and how they ended.', 'why', 'outcome'),
	fleet_wake_seconds: histogram('Time of one turn.', BUCKETS.model),
	fleet_model_calls_total: counter('Model calls of the concierge, by how they ended.', 'outcome'),
	fleet_hub_calls_total: counter('Tool calls of the concierge, by how they ended.', 'code'),
} as const;
