import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveControl } from './control-routes.ts';
import { createLoopbackHttp, isRecord, parseJson, readBody, sendJson } from './loopback-http.ts';
import type { LoopbackModel, LoopbackModelOptions } from './loopback-model.ts';
import { createModelControl, type ReceivedRequest } from './model-control.ts';
import type { ModelStep } from './model-step.ts';
import { ollamaComplaint, readOllamaPrompt } from './ollama-prompt.ts';
import { ollamaStream, ollamaWhole } from './ollama-wire.ts';
import { isAnswering, planAnswer } from './planned-answer.ts';
import { createScript } from './script/script.ts';
import { playAccident, writeStream } from './stream-writer.ts';

const NDJSON = 'application/x-ndjson';
const VERSION = '0.12.0';

/** A server that speaks Ollama's API and answers by script or by order; see docs/demo-model.md. */
export async function createLoopbackOllama(options: LoopbackModelOptions = {}): Promise<LoopbackModel> {
	const now = options.now ?? Date.now;
	const control = createModelControl(now);
	const script = options.script ?? createScript();
	const has = (model: string) => options.models === undefined || options.models.includes(model);
	const names = options.models ?? ['scripted:latest'];
	const card = (name: string) => modelCard(name, now(), options.parameterSize ?? 'a page of rules');

	async function chat(bodyText: string | undefined, response: ServerResponse): Promise<void> {
		const startedAt = now();
		const body = parseJson(bodyText);
		const complaint = ollamaComplaint(body);
		if (complaint || !isRecord(body)) {
			control.record({ path: '/api/chat', body: body ?? bodyText, step: 'complaint' }).outcome = 'failed';
			sendJson(response, complaint?.status ?? 400, { error: complaint?.error ?? 'bad request' });
			return;
		}
		const model = String(body['model']);
		const step: ModelStep = has(model) ? control.take() : { kind: 'missing_model' };
		const entry = control.record({ path: '/api/chat', body, step: step.kind });
		if (step.delayMs) await sleep(step.delayMs, undefined, { ref: false });
		entry.outcome = await play(step, body, { model, startedAt }, entry, response);
	}

	async function play(
		step: ModelStep,
		body: Record<string, unknown>,
		context: { model: string; startedAt: number },
		entry: ReceivedRequest,
		response: ServerResponse,
	): Promise<ReceivedRequest['outcome']> {
		if (response.destroyed) return 'aborted';
		if (!isAnswering(step)) {
			if (step.kind === 'raw' || step.kind === 'hang' || step.kind === 'drop') {
				return playAccident(control, response, step, NDJSON);
			}
			const refusal = refusalOf(step, context.model);
			sendJson(response, refusal.status, refusal.body, refusal.headers);
			return 'failed';
		}
		const { prompt, promptTokens } = readOllamaPrompt(body);
		const answer = await planAnswer(step, prompt, script, { promptTokens, chunkDelayMs: options.chunkDelayMs ?? 0 });
		entry.answer = answer.text;
		if (body['stream'] === false) {
			sendJson(response, 200, ollamaWhole(answer, { ...context, now }));
			return 'answered';
		}
		return writeStream(
			control,
			response,
			{
				contentType: NDJSON,
				...ollamaStream(answer, { ...context, now }),
				errorPiece: `${JSON.stringify({ error: 'an error was encountered while running the model' })}\n`,
				chunkDelayMs: answer.chunkDelayMs,
				cut: answer.cut,
			},
			entry,
		);
	}

	const http = await createLoopbackHttp(options.port ?? 0, async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		if (await serveControl(control, url, request, response)) return;
		const route = `${request.method} ${url.pathname}`;
		switch (route) {
			case 'GET /':
			case 'HEAD /':
				response.end('Ollama is running');
				return;
			case 'GET /api/version':
				return sendJson(response, 200, { version: VERSION });
			case 'GET /api/tags':
				return sendJson(response, 200, { models: names.map((name) => card(name)) });
			case 'GET /api/ps':
				return sendJson(response, 200, { models: names.map((name) => card(name)) });
			case 'POST /api/show': {
				const body = parseJson(await readBody(request));
				const name = isRecord(body) ? String(body['model'] ?? body['name'] ?? '') : '';
				if (!has(name)) return sendJson(response, 404, { error: `model '${name}' not found` });
				return sendJson(response, 200, {
					details: card(name).details,
					model_info: { 'general.architecture': 'scripted', 'scripted.context_length': 32_768 },
					capabilities: ['completion', 'tools', 'thinking'],
				});
			}
			case 'POST /api/chat':
				return chat(await readBody(request), response);
			default:
				return sendJson(response, 404, { error: '404 page not found' });
		}
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

function modelCard(name: string, at: number, parameterSize: string) {
	return {
		name,
		model: name,
		modified_at: new Date(at).toISOString(),
		size: 1,
		digest: '0'.repeat(64),
		details: { family: 'scripted', format: 'rules', parameter_size: parameterSize, quantization_level: 'none' },
	};
}

function refusalOf(
	step: Exclude<ModelStep, { kind: 'text' | 'json' | 'calls' | 'script' | 'refuse' | 'raw' | 'hang' | 'drop' }>,
	model: string,
): { status: number; body: unknown; headers?: Record<string, string> } {
	switch (step.kind) {
		case 'error':
			return { status: step.status, body: step.body ?? { error: `error ${step.status}` }, headers: step.headers };
		case 'overload':
			return { status: 503, body: { error: 'server busy, please try again.  maximum pending requests exceeded' } };
		case 'rate_limit':
			return {
				status: 429,
				body: { error: 'too many requests' },
				headers: { 'retry-after': String(step.retryAfterSeconds ?? 30) },
			};
		case 'missing_model':
			return { status: 404, body: { error: `model '${model}' not found` } };
		case 'bad_key':
			return { status: 401, body: { error: 'unauthorized' } };
	}
}
