import { z } from 'zod';
import { cxpSettings, inboxSettings } from './intake-edges.ts';
import { languageWords } from './intake-words.ts';
import { milliseconds, snowflake } from './primitives.ts';

const facts = z.strictObject({
	predicates: z
		.record(
			z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'lower-case letters, digits and _'),
			z.strictObject({
				arities: z.array(z.int().min(0).max(8)).min(1).describe('How many arguments it may have.'),
				dimension: z.enum(['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7']).describe('Kind of requirement.'),
				label: z.string().min(1).max(60).describe('How a requirement of this kind starts where people read it.'),
			}),
		)
		.default({})
		.describe(
			'Further kinds of facts that may be handed on, or built-in ones changed. All others are set aside and shown.',
		),
	maxFacts: z.int().min(1).max(2_000).default(500).describe('Facts in one block at most.'),
});

const model = z.strictObject({
	attemptTimeoutMs: milliseconds
		.min(1_000)
		.max(600_000)
		.default(10_000)
		.describe('Longest time for one try of the model. Slow local models need more.'),
	maxOutputTokens: z.int().min(256).max(8_192).default(1_500).describe('Longest answer in tokens.'),
	tokenBudget: z
		.int()
		.min(2_000)
		.default(24_000)
		.describe('Size of the whole prompt in estimated tokens. The history is only cut beyond it, and that is logged.'),
	retryAfterMs: milliseconds
		.min(1_000)
		.default(15_000)
		.describe('First wait before an unreachable model is tried again.'),
	retryAtMostEveryMs: milliseconds.min(1_000).default(300_000).describe('Longest such wait.'),
});

export const intakeSettings = z.strictObject({
	enabled: z.boolean().default(true).describe('Whether intakes can be started.'),
	channels: z
		.array(
			z.strictObject({
				channelId: snowflake.describe('Channel in which intakes may be started.'),
				only: z.boolean().default(false).describe('Every plain message there starts one.'),
			}),
		)
		.max(50)
		.default([])
		.describe('Intake channels on Discord. /intake start works elsewhere too.'),
	privateThreads: z.boolean().default(true).describe('Open private threads; public ones where that is not possible.'),
	adminChannelId: snowflake.optional().describe('Channel for notices that need somebody.'),
	language: z.string().min(2).max(8).default('en').describe('Word lists and standing questions to use first.'),
	review: z
		.enum(['on', 'off'])
		.default('on')
		.describe('on: the person locks before it leaves. The machine interface has none unless asked.'),
	reviewTimeoutMs: milliseconds
		.min(60_000)
		.default(86_400_000)
		.describe('A review that nobody touches locks itself after this.'),
	quietMs: milliseconds
		.max(120_000)
		.default(6_000)
		.describe('Messages in a row are one answer when no further one comes for this long.'),
	maxTextChars: z
		.int()
		.min(1_000)
		.max(262_144)
		.default(65_536)
		.describe('Longest single text of a person in characters.'),
	maxAttachmentBytes: z
		.int()
		.min(0)
		.max(1_048_576)
		.default(65_536)
		.describe('Longest text file that can be an answer.'),
	maxRecompiles: z
		.int()
		.min(0)
		.max(20)
		.default(5)
		.describe('How often the result may be compiled again after edits in the review.'),
	retention: z
		.strictObject({
			allowKeep: z.boolean().default(false).describe('Whether a requester may keep the conversation after handover.'),
			keepMs: milliseconds.default(2_592_000_000).describe('How long a kept conversation stays.'),
			idleMs: milliseconds
				.min(3_600_000)
				.default(604_800_000)
				.describe('An intake that nobody answers is closed after this.'),
			graceMs: milliseconds
				.max(86_400_000)
				.default(900_000)
				.describe('After the end the conversation can still be kept or exported for so long; then it is deleted.'),
			auditMs: milliseconds
				.min(3_600_000)
				.default(7_776_000_000)
				.describe('How long rows of the trail are kept. They hold no conversation.'),
		})
		.prefault({})
		.describe('How long conversations are stored.'),
	ephemeral: z
		.boolean()
		.default(false)
		.describe('Work without INTAKE_KEYS: a key of this process only, so a restart loses every intake. One process.'),
	readinessMs: milliseconds
		.min(200)
		.max(60_000)
		.default(5_000)
		.describe('When no worker takes what was said in this time, the person is told that the assistant is unavailable.'),
	governanceDir: z
		.string()
		.optional()
		.describe('Folder with further articles (*.pl) that a packet has to pass; docs/governance.md explains them.')
		.meta({ examples: ['config/articles'] }),
	inbox: inboxSettings.prefault({}).describe('The inbox of the business analyst.'),
	cxp: cxpSettings.prefault({}).describe('The machine interface.'),
	model: model.prefault({}).describe('How the model is asked.'),
	facts: facts.prefault({}).describe('Which facts are handed on.'),
	words: z
		.record(z.string().min(2).max(8), languageWords)
		.default({})
		.describe('Word lists of further languages, or built-in ones replaced: what means a user interface, what negates.'),
});

export type IntakeSettings = z.infer<typeof intakeSettings>;
