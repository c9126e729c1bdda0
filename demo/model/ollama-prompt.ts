import { estimatePromptTokens, estimateTokens } from '../../core/model/token-estimate.ts';
import { isRecord } from './loopback-http.ts';
import type { ScriptedPrompt } from './model-script.ts';

/** The estimate leans upwards; a server reports true counts. */
const TRUE_SHARE = 0.8;

export interface OllamaPrompt {
	prompt: ScriptedPrompt;
	promptTokens: number;
}

interface Turn {
	role: 'system' | 'user' | 'assistant';
	content: string;
}

/** The refusal a real server gives for a body like this; undefined when it is fine. */
export function ollamaComplaint(body: unknown): { status: number; error: string } | undefined {
	if (!isRecord(body)) return { status: 400, error: 'invalid character in request body' };
	if (typeof body['model'] !== 'string' || body['model'] === '') return { status: 400, error: 'model is required' };
	if (!Array.isArray(body['messages'])) return { status: 400, error: 'json: cannot unmarshal messages' };
	const keepAlive = body['keep_alive'];
	if (typeof keepAlive === 'string' && !/^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(keepAlive)) {
		return { status: 400, error: `time: missing unit in duration "${keepAlive}"` };
	}
	for (const message of body['messages']) {
		if (!isRecord(message) || typeof message['role'] !== 'string') return { status: 400, error: 'invalid role' };
		if (typeof message['content'] !== 'string') return { status: 400, error: 'json: cannot unmarshal content' };
		for (const call of Array.isArray(message['tool_calls']) ? message['tool_calls'] : []) {
			if (typeof call?.function?.arguments === 'string') {
				return { status: 400, error: 'json: cannot unmarshal string into Go struct field .arguments' };
			}
		}
	}
	return undefined;
}

/**
 * The prompt a model would see. Like the real server it drops whole messages from the front when they do not fit
 * `num_ctx`, keeps all system messages and the last one, and says nothing about it.
 */
export function readOllamaPrompt(body: Record<string, unknown>): OllamaPrompt {
	const options = isRecord(body['options']) ? body['options'] : {};
	const numCtx = typeof options['num_ctx'] === 'number' ? options['num_ctx'] : 4_096;
	const tools = Array.isArray(body['tools']) ? body['tools'] : [];
	const toolTokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
	const size = (turns: Turn[]) => Math.round((estimatePromptTokens(turns) + toolTokens) * TRUE_SHARE);
	let turns = turnsOf(body);
	while (size(turns) > numCtx) {
		const drop = turns.findIndex((turn, index) => turn.role !== 'system' && index < turns.length - 1);
		if (drop < 0) break;
		turns = turns.filter((_, index) => index !== drop);
	}
	const fits = size(turns) <= numCtx;
	return {
		promptTokens: fits ? size(turns) : Math.floor(numCtx / 2),
		prompt: {
			system: turns
				.filter((turn) => turn.role === 'system')
				.map((turn) => turn.content)
				.join('\n\n'),
			messages: turns.filter((turn) => turn.role !== 'system'),
			schema: body['format'],
			tools: tools.map((tool) => String(tool?.function?.name ?? '')),
		},
	};
}

function turnsOf(body: Record<string, unknown>): Turn[] {
	const messages = Array.isArray(body['messages']) ? body['messages'] : [];
	return messages.map((message) => ({
		role: message.role === 'system' || message.role === 'assistant' ? message.role : 'user',
		content: String(message.content),
	}));
}
