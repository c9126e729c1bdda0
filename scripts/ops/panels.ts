import { level, ofProcess, perHour, perMinute, type Query, quantiles, share, whichIs } from './query.ts';

export interface Panel {
	readonly title: string;
	readonly queries: readonly Query[];
	readonly unit?: 'short' | 's' | 'bytes' | 'currencyUSD' | 'percentunit';
	/** Lines on top of each other: what they add up to means something. */
	readonly stacked?: boolean;
	/** One big figure, green when it is as it should be. */
	readonly good?: 1 | 0 | 'any';
	readonly about?: string;
}

export interface Row {
	readonly title: string;
	readonly panels: readonly Panel[];
}

const lines = (title: string, ...queries: Query[]): Panel => ({ title, queries });
const stack = (title: string, ...queries: Query[]): Panel => ({ title, queries, stacked: true });
const times = (title: string, queries: readonly Query[], about?: string): Panel => ({
	title,
	queries,
	unit: 's',
	...(about === undefined ? {} : { about }),
});
const light = (title: string, good: 1 | 0 | 'any', ...queries: Query[]): Panel => ({ title, queries, good });

const overseer: Row = {
	title: 'Overseer',
	panels: [
		stack('Decisions a minute by mode', perMinute('overseer_decisions_total', 'mode')),
		{ ...lines('Skipped share', share('overseer_decisions_total', 'mode="SKIP"', 'skipped')), unit: 'percentunit' },
		stack('Model calls a minute by trigger', perMinute('overseer_model_calls_total', 'trigger')),
		times('Time of a decision', quantiles('overseer_decision_seconds', 'trigger')),
		times('From message to model', quantiles('overseer_message_to_model_seconds')),
		lines('Decisions that failed', perMinute('overseer_decision_failures_total', 'code')),
		stack('Gate looks a minute', perMinute('overseer_gate_evaluations_total', 'result')),
		stack('Gate holds a minute', perMinute('overseer_gate_holds_total', 'reason')),
		times('Gate tick', quantiles('overseer_gate_tick_seconds')),
		stack('Actions by outcome', perMinute('overseer_actions_total', 'tool, outcome')),
		stack('Blocked calls', perMinute('overseer_calls_blocked_total', 'tool, reason')),
		times('Time of a call', quantiles('overseer_tool_seconds', 'tool')),
		lines(
			'Lines a minute',
			perMinute('overseer_chat_total', 'kind'),
			perMinute('overseer_honest_lines_total', '', 'honest'),
			perMinute('overseer_repeated_lines_total', '', 'repeated, dropped'),
		),
		stack('Lines not said', perMinute('overseer_chat_dropped_total', 'reason')),
		lines('Stale', perMinute('overseer_stale_total', 'what')),
		lines(
			'Not understood',
			perMinute('overseer_invalid_output_total', 'reason'),
			perMinute('overseer_prompts_truncated_total', '', 'prompt cut: alarm'),
		),
		lines(
			'Prompt tokens',
			...quantiles('overseer_prompt_tokens_reported', '', 'reported '),
			...quantiles('overseer_prompt_tokens_estimated', '', 'estimated '),
		),
		lines('Reported over estimated', ...quantiles('overseer_prompt_estimate_ratio')),
		lines('Trouble with own stores', perMinute('overseer_tool_trouble_total', 'tool, where')),
	],
};

const models: Row = {
	title: 'Models and Home Assistant',
	panels: [
		stack('Calls by outcome', perMinute('model_calls_total', 'purpose, outcome')),
		times('Time of a model call', quantiles('model_seconds', 'purpose')),
		times('First piece of an answer', quantiles('model_first_token_seconds', 'purpose')),
		stack('Tokens a minute', perMinute('model_tokens_total', 'kind')),
		{ ...stack('US dollars an hour', perHour('model_cost_usd_total', 'purpose')), unit: 'currencyUSD' },
		lines('Calls that a limit stopped', perMinute('model_calls_limited_total', 'limit')),
		stack('Commands to the house', perMinute('home_calls_total', 'domain, outcome')),
		times('Time of a command', quantiles('home_call_seconds', 'domain')),
		lines(
			'Reconnections, missing entities',
			perMinute('home_reconnects_total', '', 'reconnections'),
			level('home_entities_missing', 'missing entities'),
		),
	],
};

const discord: Row = {
	title: 'Discord',
	panels: [
		stack(
			'Messages a minute',
			perMinute('discord_messages_total', 'outcome'),
			perMinute('discord_caught_up_total', '', 'caught up'),
		),
		stack('Lines posted', perMinute('discord_sends_total', 'outcome')),
		times('From bus to channel', quantiles('discord_send_seconds')),
		stack('Interactions', perMinute('discord_interactions_total', 'kind, outcome')),
		times('Time to acknowledge', quantiles('discord_ack_seconds'), 'Three seconds is the limit.'),
		lines('Panels written', perMinute('discord_panel_writes_total', 'kind')),
		stack(
			'Requests',
			perMinute('discord_requests_total', 'status'),
			perMinute('discord_invalid_requests_total', '', 'count towards a ban'),
		),
		lines('Rate limits', perMinute('discord_rate_limited_total', 'scope')),
		lines(
			'Gateway',
			level('discord_gateway_latency_seconds', 'round trip, s'),
			perMinute('discord_reconnects_total', 'kind'),
			perMinute('discord_gateway_errors_total', '', 'errors'),
		),
	],
};

const intake: Row = {
	title: 'Intake',
	panels: [
		stack('Open sessions', level('intake_sessions', '{{state}}', 'state')),
		lines(
			'Events and transitions',
			perMinute('intake_events_total', 'kind'),
			perMinute('intake_transitions_total', 'to', 'to {{to}}'),
		),
		{ ...lines('Rounds to the end', ...quantiles('intake_rounds')), about: 'Four is the most.' },
		stack('Compiled', perMinute('intake_finalizations_total', 'trigger, cause')),
		stack('Facts', perMinute('intake_facts_total', 'verdict'), perMinute('intake_edits_total', '', 'answers edited')),
		stack('Governance', perMinute('intake_verdicts_total', 'outcome')),
		stack(
			'Model calls of intakes',
			perMinute('intake_model_calls_total', 'outcome'),
			perMinute('intake_histories_cut_total', '', 'history cut'),
		),
		stack('Replies that broke a rule', perMinute('intake_replies_noted_total', 'note')),
		lines(
			'Expected failures',
			perMinute('intake_errors_total', 'code'),
			perMinute('intake_unavailable_total', 'reason', 'unavailable: {{reason}}'),
		),
		lines(
			'Deliveries',
			perMinute('intake_deliveries_total', 'outcome'),
			level('intake_inbox_packets', 'packets {{state}}', 'state'),
		),
		stack('Machine interface', perMinute('cxp_answers_total', 'subject')),
	],
};

const fleet: Row = {
	title: 'Fleet',
	panels: [
		stack('Sessions', level('fleet_sessions', '{{state}}', 'state'), level('fleet_sessions_stale', 'fell silent')),
		lines(
			'Questions and news that wait',
			level('fleet_questions_open', 'open questions'),
			level('fleet_behind_events', 'events not told'),
		),
		stack('Reports a minute', perMinute('fleet_reports_total', 'outcome')),
		lines('Turns', perMinute('fleet_wakes_total', 'why, outcome'), level('fleet_wakes_last_hour', 'in the last hour')),
		lines('What holds the next turn', level('fleet_hold', '{{reason}}', 'reason')),
		times('Time of a turn', quantiles('fleet_wake_seconds')),
		lines(
			'Model and tools of the concierge',
			perMinute('fleet_model_calls_total', 'outcome'),
			perMinute('fleet_hub_calls_total', 'code', 'tool {{code}}'),
		),
		{
			...lines('Spent today', level('fleet_spend_today_usd', 'spent'), level('fleet_budget_usd', 'budget')),
			unit: 'currencyUSD',
		},
		lines('Failures in a row', level('fleet_failures_in_row', 'failures')),
	],
};

const machine: Row = {
	title: 'Queues, Redis, HTTP, processes',
	panels: [
		lines('Jobs', level('majordomo_queue_depth', '{{queue}} {{state}}', 'queue, state')),
		times('Wait for a worker', quantiles('majordomo_job_wait_seconds', 'queue')),
		times('Time of a job', quantiles('majordomo_job_run_seconds', 'queue')),
		lines(
			'Trouble with jobs',
			perMinute('majordomo_jobs_failed_total', 'queue', 'failed {{queue}}'),
			perMinute('majordomo_hollow_jobs_total', 'queue', 'hollow {{queue}}'),
			perMinute('majordomo_workers_restarted_total', 'queue', 'worker replaced {{queue}}'),
		),
		times('Since the last sign of life', [level('majordomo_queue_canary_age_seconds', '{{queue}}', 'queue')]),
		{ ...lines('Redis memory', level('redis_memory_bytes', 'used')), unit: 'bytes' },
		lines(
			'Redis connections',
			perMinute('redis_connections_total', '', 'made anew'),
			level('redis_eviction_allowed', 'may evict: alarm'),
		),
		stack('HTTP requests', perMinute('http_requests_total', 'route, status')),
		times('Time of a request', quantiles('http_seconds', 'route')),
		lines(
			'Refused requests, logins, live pages',
			perMinute('http_refused_total', 'reason'),
			perMinute('http_logins_total', 'outcome', 'login {{outcome}}'),
			level('http_streams', 'live pages', '', 'sum'),
		),
		{ ...lines('Memory', ofProcess('process_resident_memory_bytes')), unit: 'bytes' },
		times('Event loop, p99', [ofProcess('nodejs_eventloop_lag_p99_seconds')]),
		lines(
			'CPU seconds a second',
			ofProcess('process_cpu_seconds_total', true),
			perMinute('metrics_misused_total', '', 'measured wrongly'),
		),
	],
};

/** Everything that the dashboard shows, in its order. */
export const ROWS: readonly Row[] = [
	{
		title: 'At a glance',
		panels: [
			light('Discord', 1, level('discord_connected', 'gateway')),
			light('Redis', 1, level('redis_connected', 'answers', '', 'min')),
			light('Home Assistant', 1, level('home_connected', 'answers')),
			light('Parts', 1, level('probe_ok', '{{part}}', 'part', 'min')),
			light('Kill switch', 0, level('house_paused', 'paused')),
			light('Mode', 'any', whichIs('house_mode', 'mode')),
			light('Version', 'any', level('build_info', '{{version}} {{role}}', 'version, role')),
		],
	},
	overseer,
	models,
	discord,
	intake,
	fleet,
	machine,
];
