import type { FinalFields } from '../final-fields.ts';
import type { RawQuestion } from './raw-question.ts';

export interface IntakeReply {
	readonly fields: FinalFields;
	readonly questions: readonly RawQuestion[];
	readonly notes: readonly string[];
	/** Nothing in it: no field, no question. */
	readonly empty: boolean;
}
