import { z } from 'zod';
import { wakeWhy } from './concierge-state.ts';
import { hubResult, proposedHubCall } from './hub-call.ts';

/** One answer of the model with what its calls gave; the two are one piece and never parted. */
export const memoryStep = z.object({
	said: z.string().optional(),
	calls: z.array(proposedHubCall),
	/** One result a call, in order; fewer after a crash, the lacking ones then count as interrupted. */
	results: z.array(hubResult),
});
export type MemoryStep = z.infer<typeof memoryStep>;

/** One wake or question with all that came of it. */
export const memoryTurn = z.object({
	/** Id of the wake. */
	id: z.string(),
	at: z.number(),
	why: wakeWhy,
	/** The digest or question as the model saw it, or its one-line stand-in once folded. */
	input: z.string(),
	folded: z.boolean(),
	steps: z.array(memoryStep),
	/** Its words to the person who asked. */
	answer: z.string().optional(),
});
export type MemoryTurn = z.infer<typeof memoryTurn>;

/** The concierge's bounded conversation. */
export const conciergeMemory = z.object({
	/** What is left of turns that were dropped. */
	summary: z.string(),
	turns: z.array(memoryTurn),
});
export type ConciergeMemory = z.infer<typeof conciergeMemory>;

export const FRESH_MEMORY: ConciergeMemory = { summary: '', turns: [] };
