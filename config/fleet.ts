import { z } from 'zod';
import { milliseconds, snowflake, timeZone } from './primitives.ts';
import { parseSchedule, schedule } from './schedule.ts';

const concierge = z.strictObject({
	model: z
		.string()
		.regex(/^(none|(ollama|anthropic)\/\S+)$/, 'provider/model such as anthropic/claude-haiku-4-5, or none')
		.optional()
		.describe(
			'Its model as provider/model; the common model when absent. none: waiting and failed sessions are reported by code alone.',
		)
		.meta({ examples: ['anthropic/claude-haiku-4-5'] }),
	thinking: z
		.enum(['off', 'low', 'medium', 'high'])
		.default('off')
		.describe('Thinking before the answer: off, low, medium or high.'),
	wakesPerHour: z.int().min(1).max(3_600).default(60).describe('Digests in an hour at most; more have to wait.'),
	heartbeat: schedule
		.refine((text) => {
			const parsed = parseSchedule(text);
			return !parsed.ok || parsed.schedule.kind !== 'cron';
		}, 'a plain interval such as every 15m, or off')
		.default('every 15m')
		.describe('Look at the fleet when nothing else woke it for this long, or off.'),
	dailyBudgetUsd: z
		.number()
		.min(0)
		.default(1)
		.describe('US dollars for digests in one day of the time zone; 0 = no limit. Questions of people go through.'),
	coalesceMs: milliseconds.max(600_000).default(5_000).describe('A burst within this time is one digest.'),
	retryMs: milliseconds
		.min(1_000)
		.default(60_000)
		.describe('When a digest that was held back by the hourly limit or a failure is tried again.'),
	tickMs: milliseconds.min(1_000).default(30_000).describe('How often it is looked whether anything is due.'),
	turnDeadlineMs: milliseconds.min(5_000).default(120_000).describe('Longest time for one digest or question.'),
	maxRounds: z.int().min(1).max(20).default(6).describe('Times that one digest or question may ask for tools.'),
	maxOutputTokens: z.int().min(256).max(8_192).default(1_000).describe('Longest answer of the model in tokens.'),
	memoryTokens: z
		.int()
		.min(1_000)
		.default(6_000)
		.describe('Size of its memory in estimated tokens; older turns become a summary.'),
	digestTokens: z.int().min(500).default(3_000).describe('Size of one digest in estimated tokens at most.'),
});

export const fleetSettings = z.strictObject({
	channelId: snowflake
		.optional()
		.describe('Discord channel of the fleet: status line, cards and threads. Without it the fleet is off.'),
	ownerUserIds: z
		.array(snowflake)
		.max(20)
		.default([])
		.describe('People who are mentioned when a session without an owner of its own needs somebody.'),
	operatorRoleIds: z
		.array(snowflake)
		.max(20)
		.default([])
		.describe('Roles that may answer, message, start and stop sessions, besides admins.'),
	timeZone: timeZone.default('UTC').describe('Time zone of the budget day, e.g. Europe/Berlin.'),
	staleAfterMs: milliseconds
		.min(10_000)
		.default(600_000)
		.describe('A session that reports nothing for this long is marked as stale.'),
	staleRunningAfterMs: milliseconds
		.min(10_000)
		.default(7_200_000)
		.describe(
			'The same for one that is known to run a command: its agent says nothing until that ends. Until then its line says what it runs. Less than `staleAfterMs` counts as that.',
		),
	keepEndedMs: milliseconds.min(60_000).default(86_400_000).describe('How long an ended session stays in the list.'),
	cardAfterMs: milliseconds
		.max(3_600_000)
		.default(20_000)
		.describe('The concierge may word a need first for this long; then its card is posted by code.'),
	reminderAfterMs: z
		.array(milliseconds.min(60_000))
		.max(3)
		.default([900_000, 3_600_000, 14_400_000])
		.describe(
			'When an open question is brought up again, counted from the last time; then only the status line shows it.',
		),
	feed: z
		.strictObject({
			maxEvents: z.int().min(1_000).max(1_000_000).default(50_000).describe('Events kept at most.'),
			maxAgeMs: milliseconds.min(3_600_000).default(1_209_600_000).describe('Events older than this are dropped.'),
		})
		.prefault({})
		.describe('The record of what happened in the fleet.'),
	ingest: z
		.strictObject({
			maxInbox: z.int().min(1).max(1_000).default(100).describe('Messages that may wait for one session.'),
			pollMs: milliseconds.max(60_000).default(25_000).describe('How long an empty inbox keeps a reporter waiting.'),
		})
		.prefault({})
		.describe('Reports over HTTP. Their tokens come from FLEET_TOKENS.'),
	pi: z
		.strictObject({
			command: z.string().min(1).default('pi').describe('The pi coding agent: a name on PATH or a path.'),
			directories: z
				.array(z.string().min(1))
				.max(100)
				.default([])
				.describe('Folders in which, or below which, sessions may be started. None: nothing can be started.')
				.meta({ examples: [['/home/me/projects']] }),
			provider: z
				.string()
				.optional()
				.describe("pi's provider; its own default when absent.")
				.meta({ examples: ['anthropic'] }),
			model: z
				.string()
				.optional()
				.describe("pi's model; its own default when absent.")
				.meta({ examples: ['claude-sonnet-4-5'] }),
			maxSessions: z.int().min(0).max(50).default(4).describe('Sessions that run at once on this machine.'),
			readyTimeoutMs: milliseconds.min(1_000).default(30_000).describe('Longest wait for a new session to answer.'),
		})
		.prefault({})
		.describe('Sessions that are started from Discord.'),
	concierge: concierge.prefault({}).describe('The agent that watches the fleet.'),
});

export type FleetSettings = z.infer<typeof fleetSettings>;
export type ConciergeSettings = FleetSettings['concierge'];
