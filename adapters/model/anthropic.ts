import Anthropic from '@anthropic-ai/sdk';
import type { Price } from '../../config/model.ts';
import { costUsd } from '../../core/model/cost.ts';
import {
	type Model,
	ModelError,
	type ModelReply,
	type ModelRequest,
	type ModelUsage,
} from '../../core/model/model-port.ts';
import { isPromptCut } from '../../core/model/prompt-cut.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { anthropicError, brokenOff } from './anthropic-error.ts';
import { type AnthropicRequestSettings, answerToolName, anthropicBody } from './anthropic-request.ts';
import { type AnthropicAnswer, createAnthropicAnswer, createAnthropicFold, stopOf } from './anthropic-stream.ts';
import { checkBaseUrl } from './base-url.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { parseStructured } from './structured.ts';

export interface AnthropicOptions {
	/** Default `https://api.anthropic.com`. */
	baseUrl?: string;
	apiKey: string;
	model: string;
	/** Default 200 000. */
	contextTokens?: number;
	/** Most tokens of an answer (`max_tokens`). Default 1024. */
	maxOutputTokens?: number;
	/** Left out unless given: which kinds a model accepts differs. */
	thinking?: AnthropicRequestSettings['thinking'];
	effort?: AnthropicRequestSettings['effort'];
	thinkingTokens?: AnthropicRequestSettings['thinkingTokens'];
	/** Without one the cost of a call is undefined. */
	/** Asked at each call, as prices may change while running. */
	price?: () => Price | undefined;
	/** Default: one retry, waits up to 20 s. What a broken stream had said is thrown away. */
	retry?: Partial<RetryPolicy>;
	random?: () => number;
	/** Monotonic milliseconds, for durations. */
	now?: () => number;
	fetch?: typeof fetch;
}

/** The SDK's own limit must never strike before ours. */
const SDK_TIMEOUT_SLACK_MS = 5_000;

/** A Claude model through the official SDK; throws {@link ModelUrlError} for an unusable address. */
export function createAnthropicModel(options: AnthropicOptions): Model {
	const baseURL = checkBaseUrl('anthropic base URL', options.baseUrl ?? 'https://api.anthropic.com');
	const limits = {
		contextTokens: options.contextTokens ?? 200_000,
		outputTokens: options.maxOutputTokens ?? 1_024,
		...(options.thinkingTokens === undefined ? {} : { thinkingTokens: options.thinkingTokens }),
	};
	const now = options.now ?? (() => performance.now());
	const policy = { retries: 1, baseMs: 500, maxWaitMs: 20_000, ...options.retry };
	const settings = { ...options, maxOutputTokens: limits.outputTokens };
	const client = new Anthropic({
		baseURL,
		apiKey: options.apiKey,
		authToken: null,
		// Retries are ours: the SDK waits as long as a header says and repeats timeouts.
		maxRetries: 0,
		// Its log lines hold pieces of answers.
		logLevel: 'off',
		openTelemetry: false,
		...(options.fetch ? { fetch: options.fetch } : {}),
	});

	const callOptions = (deadline: Deadline) => ({
		signal: deadline.signal,
		timeout: Math.ceil(deadline.remainingMs()) + SDK_TIMEOUT_SLACK_MS,
		maxRetries: 0,
	});

	async function complete(request: ModelRequest): Promise<ModelReply> {
		const startedAt = now();
		if (options.apiKey === '') throw missingKey();
		const body = anthropicBody(request, settings);
		const deadline = createDeadline({ deadlineMs: request.deadlineMs, signal: request.signal, now });
		const tries: AnthropicAnswer[] = [];
		let firstTokenMs: number | undefined;
		const attempt = async (): Promise<AnthropicAnswer> => {
			const answer = createAnthropicAnswer();
			tries.push(answer);
			const fold = createAnthropicFold(answer);
			try {
				for await (const event of await client.messages.create(body, callOptions(deadline))) {
					fold(event);
					if (firstTokenMs === undefined && event.type === 'content_block_delta') {
						firstTokenMs = now() - startedAt;
						request.onFirstToken?.();
					}
				}
			} catch (thrown) {
				throw deadline.struck() ?? anthropicError(thrown, Date.now());
			}
			// The SDK ends an aborted stream without an error.
			if (!answer.complete) throw deadline.struck() ?? brokenOff(undefined);
			return answer;
		};
		try {
			const answer = await withRetries(deadline, policy, options.random ?? Math.random, attempt);
			return {
				...reply(request, answer),
				usage: usageOf(tries),
				durations: { totalMs: now() - startedAt, firstTokenMs },
			};
		} catch (error) {
			deadline.abort();
			throw withUsage(error, usageOf(tries));
		} finally {
			deadline.release();
		}
	}

	function reply(request: ModelRequest, answer: AnthropicAnswer): Omit<ModelReply, 'usage' | 'durations'> {
		const stop = stopOf(answer.stopReason);
		const answerTool = answerToolName(request);
		// A call cut by the output limit can look whole, so with that stop reason none is handed on.
		const calls = stop === 'length' || stop === 'refusal' ? [] : answer.calls;
		const forced = answerTool === undefined ? undefined : calls.find((call) => call.name === answerTool);
		const structuredText = forced === undefined ? answer.text : asText(forced.arguments);
		const wantsStructure = request.schema !== undefined && stop !== 'length' && stop !== 'refusal';
		return {
			text: structuredText,
			structured: wantsStructure ? parseStructured(structuredText) : undefined,
			calls: answerTool === undefined ? calls : [],
			thinking: answer.thinking === '' ? undefined : answer.thinking,
			stop: forced !== undefined && stop === 'tool_use' ? 'end' : stop,
			model: answer.model || options.model,
			truncated: isPromptCut({
				estimatedTokens: estimatePromptTokens(request.messages),
				reportedTokens: answer.inputTokens + answer.cacheReadTokens + answer.cacheWriteTokens,
				...limits,
			}),
		};
	}

	function usageOf(tries: readonly AnthropicAnswer[]): ModelUsage {
		const sum = (pick: (answer: AnthropicAnswer) => number) => tries.reduce((total, answer) => total + pick(answer), 0);
		const tokens = {
			inputTokens: sum((answer) => answer.inputTokens),
			outputTokens: sum((answer) => answer.outputTokens),
			cacheReadTokens: sum((answer) => answer.cacheReadTokens),
			cacheWriteTokens: sum((answer) => answer.cacheWriteTokens),
		};
		return { ...tokens, costUsd: costUsd(tokens, options.price?.()) };
	}

	return {
		id: `anthropic/${options.model}`,
		limits,
		complete,
		async check(deadlineMs) {
			if (options.apiKey === '') return { ok: false, error: missingKey() };
			const deadline = createDeadline({ deadlineMs, now });
			try {
				const model = await deadline.race(client.models.retrieve(options.model, {}, callOptions(deadline)));
				return { ok: true, detail: `${model.id} is reachable at ${baseURL}` };
			} catch (thrown) {
				const error = deadline.struck() ?? anthropicError(thrown, Date.now());
				deadline.abort();
				return { ok: false, error };
			} finally {
				deadline.release();
			}
		},
	};
}

function missingKey(): ModelError {
	return new ModelError('auth', 'no API key is set', {
		transient: false,
		hint: 'Set ANTHROPIC_API_KEY in the environment.',
	});
}

function asText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

function withUsage(error: unknown, usage: ModelUsage): unknown {
	if (!(error instanceof ModelError) || usage.inputTokens + usage.outputTokens === 0) return error;
	const { code, message, transient, hint, retryAfterMs, cause } = error;
	return new ModelError(code, message, { transient, hint, retryAfterMs, usage, cause });
}
