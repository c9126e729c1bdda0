import { z } from 'zod';
import { dimension } from '../dimension.ts';

/** A question as the model gave it, before any rule. Without `dimension` its place is found later. */
export const rawQuestion = z.strictObject({
	dimension: dimension.optional(),
	text: z.string(),
	kind: z.enum(['single', 'multi', 'text']),
	options: z.array(z.string()),
});
export type RawQuestion = z.infer<typeof rawQuestion>;
