import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { estimateTokens } from '../../core/model/token-estimate.ts';
import { anthropicComplaint, forcedToolName, readAnthropicPrompt } from './anthropic-prompt.ts';
import { anthropicStream, anthropicWhole, sse } from './anthropic-wire.ts';
import { serveControl } from './control-routes.ts';
import { createLoopbackHttp, isRecord, parseJson, readBody, sendJson } from './loopback-http.ts';
import type { LoopbackModel, LoopbackModelOptions } from './loopback-model.ts';
import { createModelControl, type ReceivedRequest } from './model-control.ts';
import type { ModelStep } from './model-step.ts';
import { isAnswering, planAnswer } from './planned-answer.ts';
import { createScript } from './script/script.ts';
import { playAccident, writeStream } from './stream-writer.ts';

const SSE = 'text/event-stream; charset=utf-8';
/** Shorter prompts are never cached. */
const SMALLEST_CACHED_TOKENS = 1_024;

/** A server that speaks Anthropic's Messages API and answers by script or by order; see docs/demo-model.md. */
export async function createLoopbackAnthropic(options: LoopbackModelOptions = {}): Promise<LoopbackModel> {
	const now = options.now ?? Date.now;
	const control = createModelControl(now);
	const script = options.script ?? createScript();
	const has = (model: string) => options.models === undefined || options.models.includes(model);
	const cached = new Set<string>();
	let lastRequest = 0;

	/** A marked system prompt is written to the cache once and read from it afterwards. */
	function cacheUse(body: Record<string, unknown>, promptTokens: number) {
		const marked = JSON.stringify(body['system'] ?? '').includes('"cache_control"');
		if (!marked || estimateTokens(JSON.stringify(body['system'])) < SMALLEST_CACHED_TOKENS)
			return { cacheReadTokens: 0, cacheWriteTokens: 0 };
		const key = JSON.stringify([body['model'], body['tools'], body['system']]);
		const share = Math.floor(promptTokens / 2);
		if (cached.has(key)) return { cacheReadTokens: share, cacheWriteTokens: 0 };
		cached.add(key);
		return { cacheReadTokens: 0, cacheWriteTokens: share };
	}

	async function messages(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
		const bodyText = (await readBody(request)) ?? '';
		const body = parseJson(bodyText);
		const fail = (status: number, type: string, message: string) => {
			control.record({ path: '/v1/messages', body: body ?? bodyText, step: 'complaint' }).outcome = 'failed';
			sendError(response, id, status, type, message);
		};
		if (!hasKey(request)) return fail(401, 'authentication_error', 'x-api-key header is required');
		if (!request.headers['anthropic-version']) return fail(400, 'invalid_request_error', 'anthropic-version: required');
		const complaint = anthropicComplaint(bodyText, body);
		if (complaint !== undefined || !isRecord(body)) return fail(400, 'invalid_request_error', complaint ?? 'bad body');
		const step: ModelStep = has(String(body['model'])) ? control.take() : { kind: 'missing_model' };
		const entry = control.record({ path: '/v1/messages', body, step: step.kind });
		if (step.delayMs) await sleep(step.delayMs, undefined, { ref: false });
		entry.outcome = await play(step, body, entry, response, id);
	}

	async function play(
		step: ModelStep,
		body: Record<string, unknown>,
		entry: ReceivedRequest,
		response: ServerResponse,
		id: string,
	): Promise<ReceivedRequest['outcome']> {
		if (response.destroyed) return 'aborted';
		const model = String(body['model']);
		if (!isAnswering(step)) {
			if (step.kind === 'raw' || step.kind === 'hang' || step.kind === 'drop') {
				return playAccident(control, response, step, SSE);
			}
			refuse(step, model, response, id);
			return 'failed';
		}
		const { prompt, promptTokens } = readAnthropicPrompt(body);
		const answer = await planAnswer(step, prompt, script, { promptTokens, chunkDelayMs: options.chunkDelayMs ?? 0 });
		entry.answer = answer.text;
		const context = { id, model, forcedTool: forcedToolName(body), ...cacheUse(body, answer.promptTokens) };
		if (body['stream'] !== true) {
			sendJson(response, 200, anthropicWhole(answer, context), { 'request-id': id });
			return 'answered';
		}
		return writeStream(
			control,
			response,
			{
				contentType: SSE,
				...anthropicStream(answer, context),
				errorPiece: sse('error', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
				chunkDelayMs: answer.chunkDelayMs,
				cut: answer.cut,
			},
			entry,
		);
	}

	const http = await createLoopbackHttp(options.port ?? 0, async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		if (await serveControl(control, url, request, response)) return;
		const id = `req_${++lastRequest}`;
		if (request.method === 'POST' && url.pathname === '/v1/messages') return messages(request, response, id);
		const asked = /^\/v1\/models\/([^/]+)$/.exec(url.pathname)?.[1];
		if (request.method === 'GET' && asked !== undefined) {
			const model = decodeURIComponent(asked);
			if (!hasKey(request)) {
				return sendError(response, id, 401, 'authentication_error', 'x-api-key header is required');
			}
			if (!has(model)) return sendError(response, id, 404, 'not_found_error', `model: ${model}`);
			return sendJson(response, 200, {
				type: 'model',
				id: model,
				display_name: model,
				created_at: '2026-01-01T00:00:00Z',
			});
		}
		sendError(response, id, 404, 'not_found_error', 'Not found');
	});

	return {
		url: http.url,
		port: http.port,
		control,
		close() {
			control.reset();
			return http.close();
		},
	};
}

/** The API takes a key in its own header or as a bearer token. */
function hasKey(request: IncomingMessage): boolean {
	return Boolean(request.headers['x-api-key']) || /^Bearer \S+/.test(request.headers.authorization ?? '');
}

function sendError(
	response: ServerResponse,
	id: string,
	status: number,
	type: string,
	message: string,
	headers: Record<string, string> = {},
): void {
	const body = { type: 'error', error: { type, message }, request_id: id };
	sendJson(response, status, body, { 'request-id': id, ...headers });
}

function refuse(
	step: Exclude<ModelStep, { kind: 'text' | 'json' | 'calls' | 'script' | 'refuse' | 'raw' | 'hang' | 'drop' }>,
	model: string,
	response: ServerResponse,
	id: string,
): void {
	switch (step.kind) {
		case 'error':
			if (step.body !== undefined) sendJson(response, step.status, step.body, { 'request-id': id, ...step.headers });
			else sendError(response, id, step.status, 'api_error', `error ${step.status}`, step.headers);
			break;
		case 'overload':
			sendError(response, id, 529, 'overloaded_error', 'Overloaded');
			break;
		case 'rate_limit':
			sendError(response, id, 429, 'rate_limit_error', 'This request would exceed your rate limit.', {
				'retry-after': String(step.retryAfterSeconds ?? 30),
				'anthropic-ratelimit-requests-remaining': '0',
			});
			break;
		case 'missing_model':
			sendError(response, id, 404, 'not_found_error', `model: ${model}`);
			break;
		case 'bad_key':
			sendError(response, id, 401, 'authentication_error', 'invalid x-api-key');
			break;
	}
}
