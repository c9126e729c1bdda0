import type Anthropic from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { ModelError, type ModelMessage, type ModelRequest } from '../../core/model/model-port.ts';
import { wellFormed, wellFormedDeep } from '../../core/model/well-formed.ts';
import { isClosedSchema } from './closed-schema.ts';

export interface AnthropicRequestSettings {
	model: string;
	maxOutputTokens: number;
	/** `enabled` takes `thinkingTokens` as its budget. */
	thinking?: 'disabled' | 'adaptive' | 'enabled';
	effort?: 'low' | 'medium' | 'high';
	/** Room for thinking, on top of the answer: 1 024 at least. */
	thinkingTokens?: number;
}

export type AnthropicBody = Anthropic.MessageCreateParamsStreaming;

/** The name of the tool that carries a structured answer, where the schema is too open for the strict format. */
export function answerToolName(request: ModelRequest): string | undefined {
	if (request.schema === undefined || isClosedSchema(request.schema.json)) return undefined;
	return request.schema.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer';
}

/** The wire body for a request; throws {@link ModelError} `invalid` for a schema the provider cannot take. */
export function anthropicBody(request: ModelRequest, settings: AnthropicRequestSettings): AnthropicBody {
	const system = request.messages
		.filter((message) => message.role === 'system' && message.content.trim() !== '')
		.map((message) => wellFormed(message.content))
		.join('\n\n');
	const answerTool = answerToolName(request);
	const strictFormat = request.schema !== undefined && answerTool === undefined;
	// A forced tool and thinking exclude each other, and some models think by default.
	const thinking = answerTool === undefined ? settings.thinking : 'disabled';
	const room = thinking === 'adaptive' || thinking === 'enabled' ? (settings.thinkingTokens ?? 0) : 0;
	return {
		model: settings.model,
		max_tokens: Math.min(request.maxOutputTokens ?? settings.maxOutputTokens, settings.maxOutputTokens) + room,
		stream: true,
		...(system === ''
			? {}
			: { system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } } as const] }),
		messages: alternatingMessages(request.messages),
		...outputConfig(strictFormat ? request.schema?.json : undefined, settings.effort),
		...(answerTool === undefined ? offeredTools(request) : forcedTool(answerTool, request)),
		...thinkingConfig(thinking, room),
	};
}

/**
 * System text lives elsewhere, roles alternate, nothing is empty, a person begins and a person ends: what the API
 * (and models without prefill) demand of a conversation.
 */
function alternatingMessages(messages: readonly ModelMessage[]): Anthropic.MessageParam[] {
	const merged: { role: 'user' | 'assistant'; content: string }[] = [];
	for (const { role, content } of messages) {
		if (role === 'system' || content.trim() === '') continue;
		const previous = merged.at(-1);
		if (previous?.role === role) previous.content += `\n\n${wellFormed(content)}`;
		else merged.push({ role, content: wellFormed(content) });
	}
	if (merged[0]?.role !== 'user') merged.unshift({ role: 'user', content: '(The conversation begins.)' });
	if (merged.at(-1)?.role === 'assistant') merged.push({ role: 'user', content: '(It is your turn.)' });
	return merged;
}

function outputConfig(
	schema: object | undefined,
	effort: AnthropicRequestSettings['effort'],
): { output_config?: Anthropic.OutputConfig } {
	if (schema === undefined && effort === undefined) return {};
	const config: Anthropic.OutputConfig = effort === undefined ? {} : { effort };
	if (schema !== undefined) {
		config.format = { type: 'json_schema', schema: strictSchema(schema) };
	}
	return { output_config: config };
}

function strictSchema(schema: object): { [key: string]: unknown } {
	try {
		return { ...transformJSONSchema({ ...wellFormedDeep(schema) }) };
	} catch (cause) {
		throw new ModelError('invalid', 'the answer schema cannot be enforced', {
			transient: false,
			hint: 'Give every part of the schema a type.',
			cause,
		});
	}
}

function offeredTools(request: ModelRequest): { tools?: Anthropic.Tool[] } {
	if (request.schema !== undefined || !request.tools?.length) return {};
	return {
		tools: wellFormedDeep(request.tools).map(({ name, description, parameters }) => {
			const strict = isClosedSchema(parameters);
			const schema = strict ? strictSchema(parameters) : parameters;
			return { name, description, input_schema: { ...schema, type: 'object' }, ...(strict ? { strict } : {}) };
		}),
	};
}

function forcedTool(name: string, request: ModelRequest): Pick<AnthropicBody, 'tools' | 'tool_choice'> {
	return {
		tools: [
			{
				name,
				description: 'Gives the answer.',
				input_schema: { ...wellFormedDeep(request.schema?.json), type: 'object' },
			},
		],
		tool_choice: { type: 'tool', name, disable_parallel_tool_use: true },
	};
}

function thinkingConfig(
	kind: AnthropicRequestSettings['thinking'],
	room: number,
): { thinking?: Anthropic.ThinkingConfigParam } {
	if (kind === undefined) return {};
	return { thinking: kind === 'enabled' ? { type: kind, budget_tokens: room } : { type: kind } };
}
