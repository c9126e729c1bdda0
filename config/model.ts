import { z } from 'zod';
import { milliseconds, serviceUrl } from './primitives.ts';

/** US dollars for a million tokens. */
const price = z.strictObject({
	input: z.number().min(0),
	output: z.number().min(0),
	cacheRead: z.number().min(0).default(0),
	cacheWrite: z.number().min(0).default(0),
});

export const modelSettings = z.strictObject({
	provider: z.enum(['ollama', 'anthropic']).default('ollama'),
	name: z.string().min(1).default('qwen3:8b'),
	ollama: z
		.strictObject({
			url: serviceUrl.default('http://127.0.0.1:11434'),
			/** One constant for every call: another value makes the server load the model anew. */
			numCtx: z.int().min(2_048).default(8_192),
			think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).default(false),
			keepAliveSeconds: z.int().default(-1),
			temperature: z.number().min(0).max(2).default(0.4),
		})
		.prefault({}),
	anthropic: z
		.strictObject({ url: serviceUrl.optional(), contextTokens: z.int().min(4_096).default(200_000) })
		.prefault({}),
	checkDeadlineMs: milliseconds.default(5_000),
	prices: z.record(z.string(), price).default({}),
});

export type ModelSettings = z.infer<typeof modelSettings>;
export type Price = z.infer<typeof price>;
