import { z } from 'zod';
import { milliseconds } from './primitives.ts';

const burst = z.strictObject({
	messages: z.int().min(2).default(5).describe('Messages that make a burst.'),
	people: z.int().min(1).default(2).describe('From at least this many people.'),
	windowMs: milliseconds.default(20_000).describe('Within this time.'),
});

const topicChange = z.strictObject({
	maxSimilarity: z
		.number()
		.min(0)
		.max(1)
		.default(0.08)
		.describe('Word-set similarity (0 to 1) under which new talk counts as another topic.'),
	minMessages: z.int().min(1).default(3).describe('New messages that are needed to judge.'),
	minWords: z.int().min(1).default(8).describe('Different words that are needed to judge.'),
	quietMs: milliseconds.default(60_000).describe('Rest after a change of topic.'),
});

const challenge = z.strictObject({
	extraPhrases: z
		.array(z.string().min(2).max(60))
		.max(50)
		.default([])
		.describe('Phrases that count as a dare, besides the built-in ones.'),
	freshMs: milliseconds.default(30_000).describe('A dare older than this is let go.'),
});

export const gateSettings = z.strictObject({
	tickMs: z.int().min(1_000).max(3_000).default(2_000).describe('How often the gate looks. No model is asked.'),
	heartbeatMs: milliseconds
		.min(5_000)
		.default(30_000)
		.describe('A decision at least this often while people are there.'),
	idleHeartbeatMs: milliseconds.default(600_000).describe('The same while nobody is there; 0 = none.'),
	unsolicitedGapMs: milliseconds
		.default(5_000)
		.describe('Rest after a decision before the next one that nobody addressed to it.'),
	activeForMs: milliseconds.default(300_000).describe('How long a person counts as there after their last message.'),
	leaseMs: milliseconds
		.min(3_000)
		.max(10_000)
		.default(7_000)
		.describe('How long a process that died keeps its rooms from the others.'),
	debounceMs: milliseconds
		.default(1_500)
		.describe('Changes in the room that undo themselves within this time are no event.'),
	burst: burst.prefault({}).describe('Many messages in a short time.'),
	topicChange: topicChange.prefault({}).describe('The talk turns to something else.'),
	challenge: challenge.prefault({}).describe('Somebody dares it.'),
});
