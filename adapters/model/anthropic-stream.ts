import type Anthropic from '@anthropic-ai/sdk';
import type { ModelCall, ModelStop } from '../../core/model/model-port.ts';
import { parseStructured } from './structured.ts';

/** What has arrived of one answer. */
export interface AnthropicAnswer {
	model: string;
	text: string;
	thinking: string;
	calls: ModelCall[];
	stopReason: Anthropic.StopReason | null;
	/** The provider's own end mark; without it the stream broke off. */
	complete: boolean;
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
}

export function createAnthropicAnswer(): AnthropicAnswer {
	return {
		model: '',
		text: '',
		thinking: '',
		calls: [],
		stopReason: null,
		complete: false,
		inputTokens: 0,
		outputTokens: 0,
		cacheReadTokens: 0,
		cacheWriteTokens: 0,
	};
}

/**
 * Folds stream events into an answer. Tool input stays the raw text until its block ends and is kept as text when it
 * is not JSON: the SDK's own helper closes cut JSON and so hides that half of it is missing.
 */
export function createAnthropicFold(answer: AnthropicAnswer): (event: Anthropic.RawMessageStreamEvent) => void {
	const openCalls = new Map<number, { name: string; json: string; input: unknown }>();
	return (event) => {
		switch (event.type) {
			case 'message_start': {
				answer.model = event.message.model;
				readUsage(answer, event.message.usage);
				return;
			}
			case 'content_block_start': {
				const block = event.content_block;
				if (block.type === 'tool_use') openCalls.set(event.index, { name: block.name, json: '', input: block.input });
				else if (block.type === 'text') answer.text += block.text;
				else if (block.type === 'thinking') answer.thinking += block.thinking;
				return;
			}
			case 'content_block_delta': {
				const { delta } = event;
				if (delta.type === 'text_delta') answer.text += delta.text;
				else if (delta.type === 'thinking_delta') answer.thinking += delta.thinking;
				else if (delta.type === 'input_json_delta') {
					const call = openCalls.get(event.index);
					if (call) call.json += delta.partial_json;
				}
				return;
			}
			case 'content_block_stop': {
				const call = openCalls.get(event.index);
				openCalls.delete(event.index);
				if (call) answer.calls.push({ name: call.name, arguments: argumentsOf(call) });
				return;
			}
			case 'message_delta': {
				answer.stopReason = event.delta.stop_reason;
				readUsage(answer, event.usage);
				return;
			}
			case 'message_stop':
				answer.complete = true;
				return;
		}
	};
}

/** `length` also covers a window that filled up during the answer. */
export function stopOf(reason: Anthropic.StopReason | null): ModelStop {
	switch (reason) {
		case 'end_turn':
		case 'stop_sequence':
			return 'end';
		case 'max_tokens':
		case 'model_context_window_exceeded':
			return 'length';
		case 'tool_use':
			return 'tool_use';
		case 'refusal':
			return 'refusal';
		default:
			return 'other';
	}
}

function argumentsOf(call: { json: string; input: unknown }): unknown {
	if (call.json === '') return call.input;
	return parseStructured(call.json) ?? call.json;
}

type UsageUpdate = Pick<
	Partial<Anthropic.MessageDeltaUsage>,
	'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
>;

/** Later figures are totals, not additions; what an event leaves out keeps its value. */
function readUsage(answer: AnthropicAnswer, usage: UsageUpdate | null | undefined): void {
	answer.inputTokens = usage?.input_tokens ?? answer.inputTokens;
	answer.outputTokens = usage?.output_tokens ?? answer.outputTokens;
	answer.cacheReadTokens = usage?.cache_read_input_tokens ?? answer.cacheReadTokens;
	answer.cacheWriteTokens = usage?.cache_creation_input_tokens ?? answer.cacheWriteTokens;
}
