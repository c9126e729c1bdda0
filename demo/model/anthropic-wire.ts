import { parseJson } from './loopback-http.ts';
import { chunksOf, type PlannedAnswer } from './planned-answer.ts';

interface WireContext {
	id: string;
	model: string;
	/** A tool the request insists on: text that is JSON goes out as its input. */
	forcedTool: string | undefined;
	/** Tokens a marked system prompt puts into or takes from the cache. */
	cacheReadTokens: number;
	cacheWriteTokens: number;
}

type Block =
	| { type: 'thinking'; thinking: string; signature: string }
	| { type: 'text'; text: string }
	| { type: 'tool_use'; id: string; name: string; input: unknown };

export function sse(event: string, data: object): string {
	return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The pieces of a `/v1/messages` stream. */
export function anthropicStream(answer: PlannedAnswer, context: WireContext): { pieces: string[]; closing: string[] } {
	const start = { ...wholeMessage([], null, answer, context), stop_details: null };
	const pieces = [
		sse('message_start', {
			type: 'message_start',
			message: { ...start, usage: { ...start.usage, output_tokens: 1 } },
		}),
		sse('ping', { type: 'ping' }),
	];
	for (const [index, block] of blocksOf(answer, context).entries()) {
		pieces.push(sse('content_block_start', { type: 'content_block_start', index, content_block: emptied(block) }));
		for (const delta of deltasOf(block)) {
			pieces.push(sse('content_block_delta', { type: 'content_block_delta', index, delta }));
		}
		pieces.push(sse('content_block_stop', { type: 'content_block_stop', index }));
	}
	const closing = [
		sse('message_delta', {
			type: 'message_delta',
			delta: { stop_reason: stopReason(answer, context), stop_sequence: null, ...stopDetails(answer) },
			usage: { output_tokens: answer.outputTokens },
		}),
		sse('message_stop', { type: 'message_stop' }),
	];
	return { pieces, closing };
}

/** The same as one object, for requests without `stream`. */
export function anthropicWhole(answer: PlannedAnswer, context: WireContext): object {
	return {
		...wholeMessage(blocksOf(answer, context), stopReason(answer, context), answer, context),
		...stopDetails(answer),
	};
}

function wholeMessage(content: Block[], stop: string | null, answer: PlannedAnswer, context: WireContext) {
	return {
		id: context.id,
		type: 'message',
		role: 'assistant',
		model: context.model,
		content,
		stop_reason: stop,
		stop_sequence: null,
		usage: {
			input_tokens: Math.max(0, answer.promptTokens - context.cacheReadTokens - context.cacheWriteTokens),
			cache_read_input_tokens: context.cacheReadTokens,
			cache_creation_input_tokens: context.cacheWriteTokens,
			output_tokens: answer.outputTokens,
		},
	};
}

function blocksOf(answer: PlannedAnswer, context: WireContext): Block[] {
	const blocks: Block[] = [];
	if (answer.thinking !== '') blocks.push({ type: 'thinking', thinking: answer.thinking, signature: '' });
	const forcedInput = context.forcedTool === undefined ? undefined : parseJson(answer.text);
	if (context.forcedTool !== undefined && typeof forcedInput === 'object') {
		blocks.push({ type: 'tool_use', id: 'toolu_1', name: context.forcedTool, input: forcedInput });
	} else if (answer.text !== '') {
		blocks.push({ type: 'text', text: answer.text });
	}
	for (const [index, call] of answer.calls.entries()) {
		blocks.push({ type: 'tool_use', id: `toolu_${index + 1}`, name: call.name, input: call.arguments });
	}
	return blocks;
}

function emptied(block: Block): object {
	switch (block.type) {
		case 'thinking':
			return { ...block, thinking: '' };
		case 'text':
			return { ...block, text: '' };
		case 'tool_use':
			return { ...block, input: {} };
	}
}

function deltasOf(block: Block): object[] {
	switch (block.type) {
		case 'thinking':
			return chunksOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
		case 'text':
			return chunksOf(block.text).map((text) => ({ type: 'text_delta', text }));
		case 'tool_use':
			return chunksOf(JSON.stringify(block.input ?? {})).map((part) => ({
				type: 'input_json_delta',
				partial_json: part,
			}));
	}
}

function stopReason(answer: PlannedAnswer, context: WireContext): string {
	if (answer.stop === 'refusal') return 'refusal';
	if (answer.stop === 'length') return 'max_tokens';
	const hasCall = blocksOf(answer, context).some((block) => block.type === 'tool_use');
	return hasCall ? 'tool_use' : 'end_turn';
}

function stopDetails(answer: PlannedAnswer): object {
	return { stop_details: answer.stop === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null };
}
