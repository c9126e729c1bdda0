import type { InboxDraft } from './inbox-item.ts';
import type { Question, QuestionAnswer } from './question.ts';
import type { DeliveryResult } from './session-control.ts';
import type { Presser } from './settle-question.ts';

export type Pressed =
	/** It counts, and is on its way. */
	| { readonly kind: 'taken'; readonly question: Question }
	/** Somebody or something was faster, or there is nothing to retry: the question says what happened. */
	| { readonly kind: 'late'; readonly question: Question }
	| { readonly kind: 'invalid'; readonly why: string }
	| { readonly kind: 'unknown' };

/** Where people's answers come in. No model stands between a person and a session. Rejects with `RedisUnavailable`. */
export interface QuestionDesk {
	answer(questionId: string, given: QuestionAnswer, by: Presser): Promise<Pressed>;
	/** An answer in a person's own words. */
	answerInWords(questionId: string, words: string, by: Presser): Promise<Pressed>;
	/** Brings an answer that did not arrive on its way again. */
	retry(questionId: string, by: Presser): Promise<Pressed>;
}

export type PersonDraft = Pick<InboxDraft, 'id' | 'kind' | 'mode' | 'text'>;

/** Where people's messages to sessions come in, and their wish to abort or stop one. */
export interface MessageDesk {
	/**
	 * Puts it on its way; how it fared further on comes over the outbox under the item's id. The same id twice is sent once.
	 */
	send(sessionId: string, item: PersonDraft, by: Presser): Promise<DeliveryResult>;
}
