import { z } from 'zod';
import { gateSettings } from './gate.ts';
import { milliseconds, timeZone } from './primitives.ts';

const name = z
	.string()
	.trim()
	.min(2)
	.max(32)
	.regex(/^[\p{L}\p{N}][\p{L}\p{N} _.'-]*$/u, "letters, digits, spaces and _ . ' - only");

const cooldowns = z.strictObject({
	liftMs: milliseconds.default(25_000).describe('Lift, up or down.'),
	neatoMs: milliseconds.default(30_000).describe('Vacuum, whatever the command.'),
	lightMs: milliseconds.default(5_000).describe('Lamps and outlets.'),
	scriptMs: milliseconds.default(10_000).describe('Home Assistant scripts.'),
	memoryMs: milliseconds.default(10_000).describe('The three notes.'),
	chatMs: milliseconds.default(8_000).describe('Speech that nobody asked for.'),
	buttonBoxMs: milliseconds.default(60_000).describe('The button box.'),
});

const decision = z.strictObject({
	deadlineMs: milliseconds.min(1_000).max(600_000).default(60_000).describe('Longest time for one whole decision.'),
	maxToolCalls: z.int().min(1).max(5).default(1).describe('Tool calls that one decision may make.'),
	staleAfterMs: milliseconds
		.min(1_000)
		.default(60_000)
		.describe('Speech that nobody asked for is dropped when what caused it is older than this.'),
	maxOutputTokens: z.int().min(64).max(4_096).default(400).describe('Longest answer of the model in tokens.'),
});

const window = z.strictObject({
	maxTurns: z.int().min(8).max(200).default(40).describe('Messages at most.'),
	maxAgeMs: milliseconds.default(600_000).describe('Messages not older than this.'),
	minHumans: z.int().min(5).max(20).default(5).describe('The last messages of people that stay in whatever their age.'),
	maxBotLines: z
		.int()
		.min(1)
		.max(10)
		.default(2)
		.describe("The bot's own lines at most, so that it cannot push people out."),
	tokenBudget: z
		.int()
		.min(500)
		.default(3_500)
		.describe('Size of the whole prompt in estimated tokens; oldest goes first.'),
});

const chat = z.strictObject({
	maxLength: z.int().min(50).max(1_900).default(400).describe('Longest line in characters.'),
	repeatSimilarity: z
		.number()
		.min(0.5)
		.max(1)
		.default(0.85)
		.describe('Similarity (0 to 1) to a recent own line from which a line counts as repeated and is dropped.'),
	repeatLookback: z.int().min(1).max(20).default(5).describe('Own lines that are compared.'),
	showActions: z.boolean().default(false).describe('A small line in the channel for each tool that ran.'),
	honestLineEveryMs: milliseconds.default(60_000).describe('At most one "I cannot think now" line in this time.'),
});

export const overseerSettings = z.strictObject({
	runtime: z
		.enum(['overseer', 'commentary', 'off'])
		.default('overseer')
		.describe('overseer: sees, decides, acts. commentary: only talks about the rovers. off: neither.'),
	stage: z
		.enum(['off', 'observe', 'chat', 'full'])
		.default('observe')
		.describe('off: nothing runs. observe: decides and only logs. chat: speech and memory. full: everything.'),
	name: name.default('Overseer').describe('Its name: in chat, prompts, panels and when people call it.'),
	aliases: z.array(name).max(10).default(['bot']).describe('Further names it hears.'),
	timeZone: timeZone.default('UTC').describe('Time zone of the room, e.g. Europe/Berlin.'),
	gate: gateSettings.prefault({}).describe('When it wakes. Changes of this part apply from the next tick.'),
	decision: decision.prefault({}).describe('One run of the model.'),
	window: window.prefault({}).describe('What of the conversation the model sees.'),
	chat: chat.prefault({}).describe('What it says.'),
	cooldowns: cooldowns.prefault({}).describe('Rest after an attempt, by kind of tool, in milliseconds.'),
	budget: z
		.strictObject({
			perMinute: z.int().min(0).default(6).describe('Physical actions of a room in a minute.'),
			perHour: z.int().min(0).default(60).describe('Physical actions of a room in an hour.'),
		})
		.prefault({})
		.describe('How much it may do.'),
	backoff: z
		.strictObject({
			firstMs: milliseconds
				.min(100)
				.default(5_000)
				.describe('Rest after the first failed model call; doubles from there.'),
			maxMs: milliseconds.default(300_000).describe('Longest rest.'),
		})
		.prefault({})
		.describe('When the model fails.'),
	verifyMs: z
		.strictObject({
			light: milliseconds.default(4_000).describe('Lamps and outlets.'),
			neato: milliseconds.default(15_000).describe('Vacuum.'),
			lift: milliseconds.default(8_000).describe('Lift: until it moves.'),
		})
		.prefault({})
		.describe('How long an action has to show in the state before it counts as unconfirmed, in milliseconds.'),
	vote: z
		.strictObject({
			tie: z.enum(['on', 'off']).default('on').describe('What counts when as many want it quiet as want it on.'),
		})
		.prefault({})
		.describe('People can vote it quiet.'),
	buttonBox: z
		.strictObject({
			enabled: z.boolean().default(false).describe('Offer the button box at all.'),
			maxAmount: z.int().min(1).max(25).default(5).describe('Largest single adjustment.'),
		})
		.prefault({})
		.describe('A physical box with four counters.'),
	audit: z
		.strictObject({
			retainMs: milliseconds.default(30 * 86_400_000).describe('How long rows are kept.'),
			maxRows: z.int().min(100).default(20_000).describe('Rows kept at most.'),
		})
		.prefault({})
		.describe('The record of every call that was tried.'),
	panel: z
		.strictObject({
			minEditMs: milliseconds.min(1_000).default(5_000).describe('The live panel is edited at most this often.'),
		})
		.prefault({})
		.describe('The live panel in the admin channel.'),
});

export type OverseerSettings = z.infer<typeof overseerSettings>;
export type Stage = OverseerSettings['stage'];
export type Runtime = OverseerSettings['runtime'];
