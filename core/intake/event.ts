import { z } from 'zod';
import { governanceVerdict } from './governance-port.ts';
import { suspendReason, unavailableReason } from './session.ts';

/** `id`: message id, interaction id or packet id; the same id again has no effect. */
const human = { id: z.string().min(1), author: z.strictObject({ id: z.string(), bot: z.boolean() }) };

/** Everything that can happen to a session. JSON throughout. */
export const intakeEvent = z.discriminatedUnion('kind', [
	/** The wish itself. */
	z.strictObject({ kind: z.literal('intent'), ...human, text: z.string() }),
	/** Free text. `whole`: an answer by itself (a packet), else it waits for the quiet period. */
	z.strictObject({ kind: z.literal('message'), ...human, text: z.string(), whole: z.boolean() }),
	/** A form. It is one answer together with text that waits. `setId` older than the open set: refused with `stale_form`. */
	z.strictObject({
		kind: z.literal('form'),
		...human,
		setId: z.string(),
		entries: z.array(z.strictObject({ questionId: z.string(), values: z.array(z.string()), text: z.string() })),
		/** The form's one free field. */
		text: z.string(),
	}),
	/** A message that the platform says was edited by its author. `id` is the message's. */
	z.strictObject({ kind: z.literal('message_edited'), ...human, text: z.string() }),
	z.strictObject({ kind: z.literal('message_deleted'), messageId: z.string() }),
	/** Do not wait for the quiet period. */
	z.strictObject({ kind: z.literal('send_now'), ...human }),
	z.strictObject({ kind: z.literal('skip_round'), ...human }),
	z.strictObject({ kind: z.literal('finish_now'), ...human }),
	/** A new text for an earlier answer; allowed until the packet is locked. */
	z.strictObject({ kind: z.literal('edit_answer'), ...human, turnId: z.string(), text: z.string() }),
	z.strictObject({ kind: z.literal('lock'), ...human }),
	z.strictObject({ kind: z.literal('invite'), ...human, personId: z.string() }),
	/** `author` absent: an operator, or code because the thread is gone. */
	z.strictObject({
		kind: z.literal('cancel'),
		id: z.string(),
		author: human.author.optional(),
		reason: z.enum(['discarded', 'operator', 'thread_deleted', 'expired']),
	}),
	/** Time has passed; send it at `wakeAt(session)` or later, as often as you like. */
	z.strictObject({ kind: z.literal('tick') }),
	z.strictObject({
		kind: z.literal('model_reply'),
		callId: z.string(),
		text: z.string(),
		structured: z.unknown().optional(),
	}),
	/** `transient`: worth a second try at once. */
	z.strictObject({
		kind: z.literal('model_failed'),
		callId: z.string(),
		reason: unavailableReason,
		transient: z.boolean(),
		/** With `limit`: when it opens again. */
		opensAt: z.number().optional(),
	}),
	z.strictObject({ kind: z.literal('suspend'), reason: suspendReason.exclude(['assistant_unavailable']) }),
	/** The thread is open again, or the assistant is back. */
	z.strictObject({ kind: z.literal('resume') }),
	z.strictObject({ kind: z.literal('governance'), packetId: z.string(), verdict: governanceVerdict }),
	z.strictObject({ kind: z.literal('delivered'), packetId: z.string() }),
	z.strictObject({ kind: z.literal('undeliverable'), packetId: z.string() }),
]);
export type IntakeEvent = z.infer<typeof intakeEvent>;
export type EventOf<Kind extends IntakeEvent['kind']> = Extract<IntakeEvent, { kind: Kind }>;
