import { z } from 'zod';
import { dimension } from './dimension.ts';

/** Questions in one round at most. */
export const MAX_QUESTIONS = 5;
/** Options of one question at most, the two fixed ones included (a Discord radio group holds ten). */
export const MAX_OPTIONS = 10;
/** Value of the option that opens free text. */
export const OTHER = 'other';
/** Value of the option that leaves the matter for later. */
export const LATER = 'later';

const option = z.strictObject({
	/** `o1`, `o2`, … in the order asked, then `other` and `later`; unique in its question. */
	value: z.string(),
	/** At most 100 characters. For `other` and `later` the edge shows its own words in the person's language. */
	label: z.string(),
});

export const question = z.strictObject({
	/** `q<round>.<n>`, unique in the session and fit for a custom id. */
	id: z.string(),
	dimension,
	/** One sentence that ends with a question mark; at most 300 characters. */
	text: z.string(),
	/** `text` has no options. */
	kind: z.enum(['single', 'multi', 'text']),
	/** In the order the model gave, never re-ordered, nothing marked as preferred; empty for `text`. */
	options: z.array(option),
	/** `bank`: one of our standing questions, because the model gave none that could be used. */
	origin: z.enum(['model', 'bank']),
});
export type Question = z.infer<typeof question>;

export const questionSet = z.strictObject({
	/** `r<round>`; stable, so that a card or modal of an older round can be told from the current one. */
	id: z.string(),
	/** Round count when it was asked: 1 to 3. */
	round: z.int(),
	/** 1 to 5, ordered by dimension. */
	questions: z.array(question),
	askedAt: z.number(),
	state: z.enum(['open', 'answered', 'skipped']),
});
export type QuestionSet = z.infer<typeof questionSet>;
