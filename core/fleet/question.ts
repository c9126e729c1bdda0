import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What a person gave as answer. */
export const questionAnswer = z.object({
	/** Values of the choices taken; empty for words alone. */
	values: z.array(z.string()),
	/** Own words. */
	text: z.string().optional(),
});
export type QuestionAnswer = z.infer<typeof questionAnswer>;

const person = z.object({ who: z.string(), whoId: z.string() });

export const questionChoice = z.object({ label: z.string(), value: z.string(), description: z.string().optional() });
export type QuestionChoice = z.infer<typeof questionChoice>;

/**
 * One question of a session, as stored. It never expires by being answered for somebody: it ends answered by a person,
 * closed because the session moved on, or lost with the session's process.
 */
export const question = z.object({
	/** Ours, short enough for a button; the same when the same question is reported again. */
	id: z.string(),
	sessionId: z.string(),
	sessionName: z.string(),
	/** The agent's own id of it. */
	ref: z.string(),
	kind: z.enum(['choice', 'text', 'permission']),
	text: z.string(),
	context: z.string().optional(),
	choices: z.array(questionChoice),
	multi: z.boolean(),
	freeText: z.boolean(),
	openedAt: z.number(),
	/** Order key of the report that opened it. */
	order: z.number(),
	state: z.enum(['open', 'answered', 'closed', 'lost']),
	/** When it left `open`. */
	settledAt: z.number().optional(),
	/** Who answered; absent when it was answered at the agent's own terminal. */
	answeredBy: person.optional(),
	answer: questionAnswer.optional(),
	/** Way of the answer to the session: `pending` from the press until the session's adapter confirms. */
	delivery: z.enum(['none', 'pending', 'delivered', 'failed']),
	deliveryTries: z.number(),
	/** Why it was not delivered, one line. */
	deliveryError: z.string().optional(),
	reminders: z.number(),
	lastRemindedAt: z.number().optional(),
	/** Grows with every change; a store writes only over the revision that was read. */
	revision: z.number(),
});
export type Question = z.infer<typeof question>;

/** Id of a question: `q` and 15 hex digits, the same for the same native question of the same session. */
export function questionId(sessionId: string, ref: string): string {
	return `q${createHash('sha256')
		.update(JSON.stringify([sessionId, ref]))
		.digest('hex')
		.slice(0, 15)}`;
}
