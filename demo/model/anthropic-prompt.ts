import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { isRecord } from './loopback-http.ts';
import type { ScriptedPrompt } from './model-script.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** An escaped half of a surrogate pair without its other half. */
const LONE_ESCAPE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i;

/** Why the real API would answer 400 to this body; undefined when it would not. */
export function anthropicComplaint(bodyText: string, body: unknown): string | undefined {
	if (LONE_ESCAPE.test(bodyText)) return 'The request body is not valid JSON: no low surrogate in string';
	if (!isRecord(body)) return 'The request body is not valid JSON';
	if (typeof body['model'] !== 'string') return 'model: Field required';
	if (typeof body['max_tokens'] !== 'number' || body['max_tokens'] < 1) return 'max_tokens: Field required';
	const messages = body['messages'];
	if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
	if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
	if (messages.at(-1)?.role === 'assistant') return 'This model does not support assistant message prefill.';
	for (const [index, message] of messages.entries()) {
		if (message?.role !== 'user' && message?.role !== 'assistant') return `messages.${index}.role: unexpected value`;
		if (!hasToolBlock(message.content) && contentText(message.content).trim() === '')
			return `messages.${index}: text content must be non-empty`;
	}
	return complaintAboutTools(body['tools']) ?? complaintAboutFormat(body['output_config']);
}

/** Calls and their results need no words. */
function hasToolBlock(content: unknown): boolean {
	return Array.isArray(content) && content.some((block) => block?.type === 'tool_use' || block?.type === 'tool_result');
}

function complaintAboutTools(tools: unknown): string | undefined {
	if (!Array.isArray(tools)) return undefined;
	const names = tools.map((tool) => String(tool?.name));
	const odd = names.find((name) => !TOOL_NAME.test(name));
	if (odd !== undefined) return `tools: name "${odd}" does not match the pattern`;
	if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
	for (const tool of tools) {
		if (tool?.input_schema?.type !== 'object') return 'tools: input_schema.type must be object';
		const open = tool.strict === true ? openObject(tool.input_schema) : undefined;
		if (open !== undefined) return `tools: ${open}`;
	}
	return undefined;
}

function complaintAboutFormat(config: unknown): string | undefined {
	const format = isRecord(config) ? config['format'] : undefined;
	if (format === undefined || format === null) return undefined;
	if (!isRecord(format) || format['type'] !== 'json_schema') return 'output_config.format.type: unexpected value';
	const open = openObject(format['schema']);
	return open === undefined ? undefined : `output_config.format.schema: ${open}`;
}

/** Strict schemas must close every object and use no length or range limits. */
function openObject(schema: unknown): string | undefined {
	if (Array.isArray(schema)) return schema.map(openObject).find((found) => found !== undefined);
	if (!isRecord(schema)) return undefined;
	if (schema['type'] === 'object' && schema['additionalProperties'] !== false) {
		return "For 'object' type, 'additionalProperties' must be explicitly set to false";
	}
	for (const key of ['maxLength', 'minLength', 'maxItems', 'minimum', 'maximum', 'pattern', 'oneOf']) {
		if (key in schema && !isRecord(schema[key])) return `property '${key}' is not supported`;
	}
	return openObject(Object.values(schema));
}

export function readAnthropicPrompt(body: Record<string, unknown>): { prompt: ScriptedPrompt; promptTokens: number } {
	const system = contentText(body['system']);
	const messages = (Array.isArray(body['messages']) ? body['messages'] : []).map((message) => ({
		role: String(message.role),
		content: contentText(message.content),
	}));
	const forced = forcedToolName(body);
	const tools: { name: string; input_schema: unknown }[] = Array.isArray(body['tools']) ? body['tools'] : [];
	const config = isRecord(body['output_config']) ? body['output_config'] : {};
	const format = isRecord(config['format']) ? config['format'] : {};
	return {
		promptTokens: estimatePromptTokens([
			{ role: 'system', content: system },
			...messages.map(({ content }) => ({ role: 'user' as const, content })),
		]),
		prompt: {
			system,
			messages,
			schema: format['schema'] ?? tools.find((tool) => tool.name === forced)?.input_schema,
			tools: forced === undefined ? tools.map((tool) => tool.name) : [],
		},
	};
}

/** The one tool the request insists on. */
export function forcedToolName(body: Record<string, unknown>): string | undefined {
	const choice = body['tool_choice'];
	return isRecord(choice) && choice['type'] === 'tool' ? String(choice['name']) : undefined;
}

function contentText(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((block) => (block?.type === 'text' ? String(block.text) : '')).join('\n');
}
