import { chunksOf, type PlannedAnswer } from './planned-answer.ts';

const NANOSECONDS_PER_MS = 1_000_000;

interface WireContext {
	model: string;
	now: () => number;
	startedAt: number;
}

/** The pieces of a `/api/chat` stream: thinking, text, calls, and the closing line with the figures. */
export function ollamaStream(answer: PlannedAnswer, context: WireContext): { pieces: string[]; closing: string[] } {
	const line = (message: object, more: object = { done: false }) =>
		`${JSON.stringify({
			model: context.model,
			created_at: new Date(context.now()).toISOString(),
			message: { role: 'assistant', content: '', ...message },
			...more,
		})}\n`;
	const pieces = [
		...chunksOf(answer.thinking).map((thinking) => line({ thinking })),
		...chunksOf(answer.text).map((content) => line({ content })),
		...answer.calls.map((call) => line({ tool_calls: [toolCall(call)] })),
	];
	return { pieces, closing: [line({}, closingFigures(answer, context))] };
}

/** The same as one object, for `stream: false`. */
export function ollamaWhole(answer: PlannedAnswer, context: WireContext): object {
	return {
		model: context.model,
		created_at: new Date(context.now()).toISOString(),
		message: {
			role: 'assistant',
			content: answer.text,
			...(answer.thinking === '' ? {} : { thinking: answer.thinking }),
			...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(toolCall) }),
		},
		...closingFigures(answer, context),
	};
}

function toolCall(call: { name: string; arguments: unknown }): object {
	return { function: { name: call.name, ...(call.arguments === undefined ? {} : { arguments: call.arguments }) } };
}

function closingFigures(answer: PlannedAnswer, context: WireContext): object {
	const totalMs = Math.max(1, context.now() - context.startedAt);
	return {
		done: true,
		done_reason: answer.stop === 'length' ? 'length' : 'stop',
		total_duration: Math.round(totalMs * NANOSECONDS_PER_MS),
		load_duration: 1_000_000,
		prompt_eval_count: answer.promptTokens,
		prompt_eval_duration: Math.round(totalMs * 0.4 * NANOSECONDS_PER_MS),
		eval_count: answer.outputTokens,
		eval_duration: Math.round(totalMs * 0.5 * NANOSECONDS_PER_MS),
	};
}
