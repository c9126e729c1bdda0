import { z } from 'zod';
import type { UploadedFile } from '../messages/message-body.ts';
import type { RestServices } from '../rest/rest-context.ts';
import { ControlError } from './control-error.ts';

/** One thing the control API can do: `POST /control/<name>` with this input as JSON. */
export interface Operation<Input extends z.ZodType, Output> {
	input: Input;
	run(services: ControlServices, input: z.output<Input>): Output | Promise<Output>;
}

export interface ControlServices extends RestServices {
	/** Puts roles, members, channels and switches back to what they were at the start. */
	restore(): void;
	sidePanels: { title: string; url: string }[];
}

/** Keeps the types of an operation together. */
export function operation<Input extends z.ZodType, Output>(
	input: Input,
	run: Operation<Input, Output>['run'],
): Operation<Input, Output> {
	return { input, run };
}

/** Numbers and booleans arrive as text in a query. */
export const number = z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number());
export const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());

/** A file as JSON: `text` for text, `base64` for anything. */
export const fileInput = z
	.object({
		name: z.string().min(1).max(260),
		contentType: z.string().optional(),
		text: z.string().optional(),
		base64: z.string().optional(),
	})
	.refine((file) => (file.text === undefined) !== (file.base64 === undefined), 'give either text or base64');

export function toUpload(file: z.output<typeof fileInput>, index: number): UploadedFile {
	const bytes = file.base64 === undefined ? Buffer.from(file.text ?? '') : Buffer.from(file.base64, 'base64');
	return { index, name: file.name, contentType: file.contentType ?? '', bytes: new Uint8Array(bytes) };
}

/** Checks input against the operation's schema. Throws ControlError `invalid` naming every problem. */
export function parseInput<Input extends z.ZodType>(schema: Input, raw: unknown): z.output<Input> {
	const parsed = schema.safeParse(raw ?? {});
	if (parsed.success) return parsed.data;
	const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
	throw new ControlError('invalid', problems.join('; '));
}
