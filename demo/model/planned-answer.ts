import { estimateTokens } from '../../core/model/token-estimate.ts';
import type { ModelScript, ScriptedPrompt } from './model-script.ts';
import type { ModelStep, StreamCut } from './model-step.ts';

/** An answer before it is put into a provider's wire format. */
export interface PlannedAnswer {
	text: string;
	thinking: string;
	calls: { name: string; arguments: unknown }[];
	stop: 'end' | 'length' | 'refusal';
	promptTokens: number;
	outputTokens: number;
	chunkDelayMs: number;
	cut?: StreamCut;
}

type AnsweringStep = Extract<ModelStep, { kind: 'text' | 'json' | 'calls' | 'script' | 'refuse' }>;

/** Steps that lead to a well-formed answer; the others are the transport's business. */
export function isAnswering(step: ModelStep): step is AnsweringStep {
	return ['text', 'json', 'calls', 'script', 'refuse'].includes(step.kind);
}

export async function planAnswer(
	step: AnsweringStep,
	prompt: ScriptedPrompt,
	script: ModelScript,
	defaults: { promptTokens: number; chunkDelayMs: number },
): Promise<PlannedAnswer> {
	const said = await saidBy(step, prompt, script);
	const figures: Partial<Extract<AnsweringStep, { kind: 'text' }>> =
		step.kind === 'refuse' ? {} : { ...step, kind: 'text' };
	const output = said.text + (said.thinking ?? '') + said.calls.map((call) => JSON.stringify(call)).join('');
	return {
		text: said.text,
		thinking: figures.thinking ?? said.thinking ?? '',
		calls: said.calls,
		stop: step.kind === 'refuse' ? 'refusal' : (figures.stop ?? 'end'),
		promptTokens: figures.promptTokens ?? defaults.promptTokens,
		outputTokens: figures.outputTokens ?? Math.max(1, estimateTokens(output)),
		chunkDelayMs: figures.chunkDelayMs ?? defaults.chunkDelayMs,
		cut: figures.cut,
	};
}

async function saidBy(
	step: AnsweringStep,
	prompt: ScriptedPrompt,
	script: ModelScript,
): Promise<{ text: string; thinking?: string; calls: PlannedAnswer['calls'] }> {
	switch (step.kind) {
		case 'text':
			return { text: step.text, calls: [] };
		case 'json':
			return { text: JSON.stringify(step.value), calls: [] };
		case 'calls':
			return {
				text: step.text ?? '',
				calls: step.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
			};
		case 'refuse':
			return { text: 'I cannot help with that.', calls: [] };
		case 'script': {
			const answer = await script(prompt);
			return { ...answer, calls: answer.calls ?? [] };
		}
	}
}

/** Pieces of about a token each, as a streaming model sends them; joined again they are the text. */
export function chunksOf(text: string): string[] {
	return text.match(/\s*\S{1,6}|\s+$/g) ?? (text === '' ? [] : [text]);
}
