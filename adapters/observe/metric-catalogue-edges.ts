import { BUCKETS, counter, gauge, histogram } from './metric-spec.ts';

export const discordMetrics = {
	discord_connected: gauge('1 while the gateway session is live.'),
	discord_reconnects_total: counter('Gateway sessions that were resumed or begun anew.', 'kind'),
	discord_gateway_latency_seconds: gauge('Last round trip of the gateway heartbeat.'),
	discord_gateway_errors_total: counter('Errors of the gateway connection.'),
	discord_requests_total: counter('REST requests by status class.', 'status'),
	discord_rate_limited_total: counter('REST requests that had to wait.', 'scope'),
	discord_invalid_requests_total: counter('Requests that count towards the ban for invalid ones (401, 403, 429).'),
	discord_messages_total: counter('Messages that came in, by what became of them.', 'outcome'),
	discord_interactions_total: counter('Commands, buttons, selects and forms.', 'kind', 'outcome'),
	discord_ack_seconds: histogram('From an interaction to its acknowledgement; 3 s is the limit.', BUCKETS.work),
	discord_sends_total: counter('Messages posted, by how it ended.', 'outcome'),
	discord_send_seconds: histogram('From a line on the bus to its message in Discord.', BUCKETS.work),
	discord_panel_writes_total: counter('Panel messages posted or edited.', 'kind'),
	discord_caught_up_total: counter('Messages that were read after a time away.'),
} as const;

export const jobMetrics = {
	majordomo_jobs_failed_total: counter('Jobs that failed.', 'queue'),
	majordomo_hollow_jobs_total: counter('Jobs whose data was gone; Redis evicts or was damaged. Alarm.', 'queue'),
	majordomo_job_wait_seconds: histogram('From adding a job to its start.', BUCKETS.work, 'queue'),
	majordomo_job_run_seconds: histogram('Time of one job.', BUCKETS.model, 'queue'),
	majordomo_queue_canary_age_seconds: gauge('Time since the last sign of life of a queue; over 60 is dead.', 'queue'),
	majordomo_queue_depth: gauge('Jobs by state.', 'queue', 'state'),
	majordomo_workers_restarted_total: counter('Workers that were made anew because they fell silent.', 'queue'),
	model_calls_limited_total: counter('Model calls that a limit refused.', 'limit', 'purpose'),
	redis_connected: gauge('1 while Redis answers.'),
	redis_connections_total: counter('Times that the connection became ready; all but the first are reconnections.'),
	redis_eviction_allowed: gauge('1 when Redis may evict keys, which loses work. Alarm.'),
	redis_memory_bytes: gauge('Memory that Redis uses.'),
} as const;

export const httpMetrics = {
	http_requests_total: counter('Requests by route and status.', 'route', 'method', 'status'),
	http_seconds: histogram('Time of one request.', BUCKETS.work, 'route'),
	http_logins_total: counter('Tries to log in.', 'outcome'),
	http_refused_total: counter('Requests refused by a limit or a guard.', 'reason'),
	http_streams: gauge('Live pages that are open.'),
	probe_ok: gauge('1 while this part works.', 'part'),
	build_info: gauge('Always 1; the version and role are labels.', 'version', 'role'),
	metrics_misused_total: counter('Measurements under unknown names or labels. A fault of the program.'),
} as const;
