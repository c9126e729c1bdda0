import { z } from 'zod';
import { milliseconds } from './primitives.ts';
import { serviceUrl } from './service-url.ts';

/** US dollars for a million tokens. */
const price = z.strictObject({
	input: z.number().min(0).describe('US dollars for a million tokens of prompt.'),
	output: z.number().min(0).describe('US dollars for a million tokens of answer.'),
	cacheRead: z.number().min(0).default(0).describe('US dollars for a million prompt tokens read from the cache.'),
	cacheWrite: z.number().min(0).default(0).describe('US dollars for a million prompt tokens written to the cache.'),
});

const ollama = z.strictObject({
	url: serviceUrl.default('http://127.0.0.1:11434').describe('Where Ollama listens.'),
	numCtx: z
		.int()
		.min(2_048)
		.default(8_192)
		.describe('Window in tokens. One constant for every call: another value makes the server load the model anew.'),
	think: z
		.union([z.boolean(), z.enum(['low', 'medium', 'high'])])
		.default(false)
		.describe('Thinking before the answer: true, false, low, medium or high.'),
	keepAliveSeconds: z.int().default(-1).describe('How long the model stays loaded after a call; -1 = for good.'),
	temperature: z.number().min(0).max(2).default(0.4).describe('0 = always the likeliest word, 2 = wild.'),
});

const anthropic = z.strictObject({
	url: serviceUrl
		.optional()
		.describe("Another address than Anthropic's own, such as a proxy.")
		.meta({ examples: ['https://proxy.example.net'] }),
	contextTokens: z.int().min(4_096).default(200_000).describe("The model's window in tokens."),
});

export const modelSettings = z.strictObject({
	provider: z.enum(['ollama', 'anthropic']).default('ollama').describe('Who answers: ollama or anthropic.'),
	name: z.string().min(1).default('qwen3:8b').describe('The model, as its provider names it.'),
	ollama: ollama.prefault({}).describe('A model on a machine of yours.'),
	anthropic: anthropic.prefault({}).describe("Anthropic's API; the key comes from ANTHROPIC_API_KEY."),
	checkDeadlineMs: milliseconds.default(5_000).describe('Longest wait for the provider to say that it is there.'),
	prices: z
		.record(z.string(), price)
		.default({})
		.describe('Prices by provider/model. Without one the cost of a paid model is unknown.')
		.meta({ examples: [{ 'anthropic/claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 } }] }),
});

export type Price = z.infer<typeof price>;
