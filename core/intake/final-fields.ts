import { z } from 'zod';

export const FIELD_NAMES = [
	'REQUIREMENTS_COMPLETE',
	'PROLOG_FACTS',
	'ESCALATE_TO',
	'TASK_SUMMARY',
	'PROJECT_NAME',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** What a model's reply gave as fields. A field that is absent was not given as a field, whatever the prose says. */
export const finalFields = z.strictObject({
	REQUIREMENTS_COMPLETE: z.boolean().optional(),
	PROLOG_FACTS: z.string().optional(),
	ESCALATE_TO: z.string().optional(),
	TASK_SUMMARY: z.string().optional(),
	PROJECT_NAME: z.string().optional(),
});
export type FinalFields = z.infer<typeof finalFields>;
