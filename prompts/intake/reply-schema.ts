import { DIMENSIONS } from '../../core/intake/dimension.ts';
import { MAX_QUESTIONS } from '../../core/intake/question.ts';
import type { CallPurpose } from '../../core/intake/session.ts';
import type { JsonSchema } from '../../core/model/model-port.ts';

const text = { type: 'string' } as const;

const questions = {
	type: 'array',
	maxItems: MAX_QUESTIONS,
	items: {
		type: 'object',
		properties: {
			dimension: { type: 'string', enum: [...DIMENSIONS] },
			text,
			kind: { type: 'string', enum: ['single', 'multi', 'text'] },
			options: { type: 'array', items: text },
		},
		required: ['dimension', 'text', 'kind', 'options'],
		additionalProperties: false,
	},
} as const;

const fields = {
	REQUIREMENTS_COMPLETE: { type: 'boolean' },
	PROJECT_NAME: text,
	TASK_SUMMARY: text,
	ESCALATE_TO: text,
	PROLOG_FACTS: {
		type: 'array',
		items: {
			type: 'object',
			properties: { fact: text, quote: text },
			required: ['fact', 'quote'],
			additionalProperties: false,
		},
	},
} as const;

/** The form of a reply where the provider can force one; `core/intake/reply/structured-reply.ts` reads it. */
export function intakeReplySchema(purpose: CallPurpose): { name: string; json: JsonSchema } {
	const properties = purpose === 'ask' ? { questions, ...fields } : fields;
	// While asking, the fields other than the marker may stay empty; all keys are there because providers want them so.
	return {
		name: purpose === 'ask' ? 'intake_questions' : 'intake_result',
		json: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
	};
}
