import { z } from 'zod';
import type { QuestionAnswer } from '../../../core/fleet/question.ts';
import type { ReportedQuestion } from '../../../core/fleet/report.ts';
import type { PiEvent } from './pi-event.ts';

/** Name of the tool that our extension gives to pi. */
export const ASK_TOOL = 'ask_person';

/** How long a text field of a report may be. */
const TEXT_MAX = 15_000;
const LABEL_MAX = 4_000;

/** Arguments of the asking tool. */
export const askArguments = z.object({
	question: z.string(),
	context: z.string().optional(),
	choices: z
		.array(z.object({ label: z.string(), description: z.string().optional() }))
		.catch([])
		.default([]),
	multi: z.boolean().catch(false).default(false),
});
export type AskArguments = z.infer<typeof askArguments>;

/** A dialog that pi shows and waits for. */
export interface PiDialog {
	readonly ref: string;
	readonly method: 'select' | 'confirm' | 'input' | 'editor';
	/** Call during which it was opened, where there is one. */
	readonly callId?: string;
	readonly question: ReportedQuestion;
}

type UiRequest = Extract<PiEvent, { type: 'extension_ui_request' }>;
const METHODS: ReadonlySet<string> = new Set(['select', 'confirm', 'input', 'editor']);

/** The dialog behind a request of an extension; undefined for notices, titles and widgets, which wait for nobody. */
export function readDialog(
	request: UiRequest,
	call: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> } | undefined,
): PiDialog | undefined {
	if (!METHODS.has(request.method)) return undefined;
	const method = request.method as PiDialog['method'];
	const asked = call?.name === ASK_TOOL ? askArguments.safeParse(call.args) : undefined;
	const question = asked?.success ? fromTool(request, asked.data) : fromDialog(request, method);
	return { ref: request.id, method, ...(call === undefined ? {} : { callId: call.id }), question };
}

/** The tool's own arguments say more than the dialog that they became. */
function fromTool(request: UiRequest, asked: AskArguments): ReportedQuestion {
	const choices = asked.choices.slice(0, 100).flatMap(({ label, description }) => {
		if (label === '') return [];
		const value = label.slice(0, LABEL_MAX);
		return [
			{ label: value, value, ...(description === undefined ? {} : { description: cut(description, LABEL_MAX) }) },
		];
	});
	return {
		ref: request.id,
		kind: choices.length > 0 ? 'choice' : 'text',
		text: said(asked.question, request.title),
		...(asked.context ? { context: cut(asked.context, TEXT_MAX) } : {}),
		choices,
		multi: asked.multi && choices.length > 1,
		freeText: true,
	};
}

function fromDialog(request: UiRequest, method: PiDialog['method']): ReportedQuestion {
	const common = { ref: request.id, text: said(request.title, request.message), multi: false };
	if (method === 'confirm') {
		const context = request.title ? request.message : undefined;
		return {
			...common,
			kind: 'permission',
			...(context ? { context: cut(context, TEXT_MAX) } : {}),
			choices: [
				{ label: 'Allow', value: 'allow' },
				{ label: 'Deny', value: 'deny' },
			],
			freeText: false,
		};
	}
	const options = (request.options ?? []).filter((option) => option !== '').slice(0, 100);
	if (method === 'select' && options.length > 0) {
		const choices = options.map((option) => ({ label: cut(option, LABEL_MAX), value: cut(option, LABEL_MAX) }));
		return { ...common, kind: 'choice', choices, freeText: true };
	}
	const context = request.prefill ?? request.placeholder;
	return {
		...common,
		kind: 'text',
		choices: [],
		freeText: true,
		...(context ? { context: cut(context, TEXT_MAX) } : {}),
	};
}

/** What goes back into pi for an answer. Several choices go one a line. */
export function dialogResponse(dialog: PiDialog, answer: QuestionAnswer): Record<string, unknown> {
	const base = { type: 'extension_ui_response', id: dialog.ref };
	if (dialog.method === 'confirm') return { ...base, confirmed: answer.values[0] === 'allow' };
	const words = answer.text?.trim() ? [answer.text.trim()] : [];
	return { ...base, value: [...answer.values, ...words].join('\n') };
}

export function cancelResponse(dialog: PiDialog): Record<string, unknown> {
	return { type: 'extension_ui_response', id: dialog.ref, cancelled: true };
}

function said(...texts: (string | undefined)[]): string {
	return cut(texts.find((text) => text?.trim())?.trim() ?? 'A question without words', TEXT_MAX);
}

function cut(text: string, max: number): string {
	return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
