import { z } from 'zod';
import type { ModelReply } from '../../../core/model/model-port.ts';

/** A finished answer of a model, as stored. */
export const modelReplySchema: z.ZodType<ModelReply> = z.looseObject({
	text: z.string(),
	structured: z.unknown().optional(),
	calls: z.array(z.looseObject({ name: z.string(), arguments: z.unknown() })),
	thinking: z.string().optional(),
	usage: z.looseObject({
		inputTokens: z.number(),
		outputTokens: z.number(),
		cacheReadTokens: z.number().optional(),
		cacheWriteTokens: z.number().optional(),
		costUsd: z.number().optional(),
	}),
	stop: z.enum(['end', 'length', 'tool_use', 'refusal', 'other']),
	model: z.string(),
	durations: z.looseObject({
		totalMs: z.number(),
		firstTokenMs: z.number().optional(),
		loadMs: z.number().optional(),
		promptMs: z.number().optional(),
		evalMs: z.number().optional(),
	}),
	truncated: z.boolean(),
});
