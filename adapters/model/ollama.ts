import { type ChatRequest, type ChatResponse, Ollama } from 'ollama';
import type { Model, ModelCall, ModelReply, ModelRequest, ModelStop } from '../../core/model/model-port.ts';
import { isPromptCut } from '../../core/model/prompt-cut.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { wellFormed, wellFormedDeep } from '../../core/model/well-formed.ts';
import { checkBaseUrl } from './base-url.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { ollamaError } from './ollama-error.ts';
import { createOllamaFetch } from './ollama-fetch.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { parseStructured } from './structured.ts';

export interface OllamaOptions {
	/** Default `http://127.0.0.1:11434`. */
	baseUrl?: string;
	model: string;
	/** Sent with every request; another value makes the server load the model anew. Default 8192. */
	numCtx?: number;
	/** Most tokens of an answer (`num_predict`). Default 1024. */
	maxOutputTokens?: number;
	/** Always sent, because servers think by default where a model can. Default false. */
	think?: boolean | 'low' | 'medium' | 'high';
	/** How long the model stays loaded: seconds (negative: for ever) or a duration such as `10m`. Default -1. */
	keepAlive?: number | string;
	temperature?: number;
	/** For servers that want one; sent as a bearer token. */
	apiKey?: string;
	/** Default: no retries, the caller decides. Only before the first token of an answer. */
	retry?: Partial<RetryPolicy>;
	random?: () => number;
	/** Monotonic milliseconds, for durations. */
	now?: () => number;
	fetch?: typeof fetch;
}

const NANOSECONDS_PER_MS = 1_000_000;

/** A model on an Ollama server, through the official client; throws {@link ModelUrlError} for an unusable address. */
export function createOllamaModel(options: OllamaOptions): Model {
	const baseUrl = checkBaseUrl('ollama base URL', options.baseUrl ?? 'http://127.0.0.1:11434');
	const limits = { contextTokens: options.numCtx ?? 8_192, outputTokens: options.maxOutputTokens ?? 1_024 };
	const now = options.now ?? (() => performance.now());
	const policy = { retries: 0, baseMs: 500, maxWaitMs: 8_000, ...options.retry };
	const keepAlive = unitless(options.keepAlive ?? -1);

	/** One client per call: the library can only abort all streams of a client, and takes no signal. */
	function open(deadline: Deadline) {
		const wire = createOllamaFetch({ fetch: options.fetch ?? fetch, signal: deadline.signal, epochNow: Date.now });
		const headers = options.apiKey ? { Authorization: `Bearer ${options.apiKey}` } : undefined;
		const client = new Ollama({ host: baseUrl, fetch: wire.fetch, headers });
		const explain = (thrown: unknown) =>
			deadline.struck() ??
			ollamaError(thrown, { model: options.model, baseUrl, retryAfterMs: wire.lastRetryAfterMs() });
		return { client, explain };
	}

	function chatRequest(request: ModelRequest): ChatRequest & { stream: true } {
		const numPredict = Math.min(request.maxOutputTokens ?? limits.outputTokens, limits.outputTokens);
		return {
			model: options.model,
			stream: true,
			think: options.think ?? false,
			keep_alive: keepAlive,
			messages: request.messages.map(({ role, content }) => ({ role, content: wellFormed(content) })),
			// The server cannot constrain an answer and offer tools in the same request.
			...(request.schema
				? { format: wellFormedDeep(request.schema.json) }
				: request.tools?.length
					? { tools: request.tools.map((tool) => ({ type: 'function', function: wellFormedDeep(tool) })) }
					: {}),
			options: {
				num_ctx: limits.contextTokens,
				num_predict: numPredict,
				...(options.temperature === undefined ? {} : { temperature: options.temperature }),
			},
		};
	}

	async function complete(request: ModelRequest): Promise<ModelReply> {
		const startedAt = now();
		const deadline = createDeadline({ deadlineMs: request.deadlineMs, signal: request.signal, now });
		let firstTokenMs: number | undefined;
		const attempt = async (): Promise<ModelReply> => {
			const { client, explain } = open(deadline);
			let text = '';
			let thinking = '';
			const calls: ModelCall[] = [];
			let last: ChatResponse | undefined;
			try {
				for await (const chunk of await client.chat(chatRequest(request))) {
					const message: Partial<ChatResponse['message']> = chunk.message ?? {};
					text += message.content ?? '';
					thinking += message.thinking ?? '';
					for (const call of message.tool_calls ?? []) {
						calls.push({ name: String(call?.function?.name ?? ''), arguments: call?.function?.arguments });
					}
					if (firstTokenMs === undefined && (text !== '' || thinking !== '' || calls.length > 0)) {
						firstTokenMs = now() - startedAt;
						request.onFirstToken?.();
					}
					last = chunk;
				}
			} catch (thrown) {
				throw explain(thrown);
			}
			if (last === undefined) throw explain(new TypeError('empty stream'));
			return reply(request, last, { text, thinking, calls });
		};
		try {
			const answer = await withRetries(
				deadline,
				policy,
				options.random ?? Math.random,
				attempt,
				() => firstTokenMs === undefined,
			);
			return { ...answer, durations: { ...answer.durations, totalMs: now() - startedAt, firstTokenMs } };
		} catch (error) {
			deadline.abort();
			throw error;
		} finally {
			deadline.release();
		}
	}

	function reply(
		request: ModelRequest,
		last: ChatResponse,
		said: { text: string; thinking: string; calls: ModelCall[] },
	): ModelReply {
		const stop = stopOf(last.done_reason, said.calls.length > 0);
		const inputTokens = last.prompt_eval_count ?? 0;
		return {
			text: said.text,
			structured: request.schema && stop !== 'length' ? parseStructured(said.text) : undefined,
			calls: stop === 'length' ? [] : said.calls,
			thinking: said.thinking === '' ? undefined : said.thinking,
			usage: { inputTokens, outputTokens: last.eval_count ?? 0, costUsd: 0 },
			stop,
			model: last.model ?? options.model,
			durations: {
				totalMs: 0,
				loadMs: milliseconds(last.load_duration),
				promptMs: milliseconds(last.prompt_eval_duration),
				evalMs: milliseconds(last.eval_duration),
			},
			truncated: isPromptCut({
				estimatedTokens: estimatePromptTokens(request.messages),
				reportedTokens: inputTokens,
				...limits,
			}),
		};
	}

	return {
		id: `ollama/${options.model}`,
		limits,
		complete,
		async check(deadlineMs) {
			const deadline = createDeadline({ deadlineMs, now });
			const { client, explain } = open(deadline);
			try {
				const [{ version }, shown] = await deadline.race(
					Promise.all([client.version(), client.show({ model: options.model })]),
				);
				const size = shown.details?.parameter_size ?? 'unknown size';
				return { ok: true, detail: `Ollama ${version} at ${baseUrl} has ${options.model} (${size})` };
			} catch (thrown) {
				const error = explain(thrown);
				deadline.abort();
				return { ok: false, error };
			} finally {
				deadline.release();
			}
		},
	};
}

function stopOf(reason: string | undefined, hasCalls: boolean): ModelStop {
	if (reason === 'length') return 'length';
	if (reason === 'stop' || reason === undefined) return hasCalls ? 'tool_use' : 'end';
	return 'other';
}

function milliseconds(nanoseconds: number | undefined): number | undefined {
	return typeof nanoseconds === 'number' ? nanoseconds / NANOSECONDS_PER_MS : undefined;
}

/** "-1" and "300" are refused as durations without a unit; as numbers they are seconds. */
function unitless(keepAlive: number | string): number | string {
	return typeof keepAlive === 'string' && /^-?\d+$/.test(keepAlive) ? Number(keepAlive) : keepAlive;
}
