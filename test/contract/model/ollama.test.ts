import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOllamaModel } from '../../../adapters/model/ollama.ts';
import type { Model } from '../../../core/model/model-port.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { ask, describeModelContract, failure } from './model-contract.ts';

const MODEL = 'mistral-small:24b';

describeModelContract({
	provider: 'ollama',
	start: () => createLoopbackOllama(),
	create: (baseUrl, options) =>
		createOllamaModel({
			baseUrl,
			model: MODEL,
			retry: { retries: options?.retries ?? 0, baseMs: 10, maxWaitMs: 2_000 },
		}),
	expectedCost: () => 0,
});

describe('Ollama', () => {
	let server: LoopbackModel;
	let model: Model;
	beforeAll(async () => {
		server = await createLoopbackOllama({ models: [MODEL] });
		model = createOllamaModel({ baseUrl: server.url, model: MODEL, keepAlive: '-1', temperature: 0.3 });
	});
	afterAll(() => server.close());
	beforeEach(() => server.control.reset());

	test('OVR-10 every request carries the same window, a bound on output, no thinking and a legal keep_alive', async () => {
		await model.complete(ask());
		await model.complete(ask({ maxOutputTokens: 50, tools: [{ name: 'a', description: '', parameters: {} }] }));
		await model.complete(ask({ maxOutputTokens: 999_999 }));
		const bodies = server.control.requests().map((request) => request.body);
		for (const body of bodies) {
			expect(body).toMatchObject({
				stream: true,
				think: false,
				keep_alive: -1,
				options: { num_ctx: 8_192, temperature: 0.3 },
			});
		}
		expect(bodies).toMatchObject([1_024, 50, 1_024].map((num_predict) => ({ options: { num_predict } })));
	});

	test('OVR-13 schema and tools are never sent together', async () => {
		const schema = { name: 's', json: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } };
		const tools = [{ name: 'lift_up', description: 'up', parameters: { type: 'object', properties: {} } }];
		await model.complete(ask({ schema, tools }));
		await model.complete(ask({ tools }));
		const [withSchema, withTools] = server.control.requests().map((request) => request.body);
		expect(withSchema).toMatchObject({ format: schema.json });
		expect(withSchema).not.toHaveProperty('tools');
		expect(withTools).toMatchObject({ tools: [{ type: 'function', function: { name: 'lift_up' } }] });
		expect(withTools).not.toHaveProperty('format');
	});

	test('O05 a prompt over the window is cut by the server without a word, and we notice', async () => {
		const line = { role: 'user' as const, content: 'sam: the lamp is on and the rover drives around. '.repeat(20) };
		const messages = [...ask().messages, ...Array.from({ length: 50 }, () => line)];
		server.control.queue({ kind: 'calls', calls: [{ name: 'ha_set_entity', arguments: {} }] });
		const reply = await model.complete(ask({ messages }));
		expect(reply.usage.inputTokens).toBeLessThanOrEqual(8_192);
		expect(reply.truncated).toBe(true);
	});

	test.each([
		['a 400 naming the context size', 400, 'input length exceeds the context length'],
		['a 500 that lost the user turn', 500, 'template: no user query found in messages'],
	])('O05 %s is the same thing said aloud', async (_, status, error) => {
		server.control.queue({ kind: 'error', status, body: { error } });
		expect(await failure(model.complete(ask()))).toMatchObject({ code: 'truncated', transient: false });
	});

	test.each([
		['mentions of missing tool support', 400, 'registry.ollama.ai/x does not support tools', 'invalid', false],
		['a call that the server could not parse', 500, 'error parsing tool call: raw=...', 'invalid', true],
	] as const)('%s', async (_, status, error, code, transient) => {
		server.control.queue({ kind: 'error', status, body: { error } });
		expect(await failure(model.complete(ask()))).toMatchObject({ code, transient });
	});

	test('O06 a missing model names model, host and cure', async () => {
		const error = await failure(createOllamaModel({ baseUrl: server.url, model: 'gone:1b' }).complete(ask()));
		expect(error.code).toBe('missing_model');
		expect(error.hint).toContain('ollama pull gone:1b');
		expect(error.hint).toContain(server.url);
		const check = await createOllamaModel({ baseUrl: server.url, model: 'gone:1b' }).check(10_000);
		expect(check).toMatchObject({ ok: false, error: { code: 'missing_model' } });
	});

	const text = (content: string, more: object = { done: false }) =>
		JSON.stringify({ message: { role: 'assistant', content }, ...more });

	test.each([
		['error_line', [text('REQUIREMENTS_COMPLETE: tr'), '{"error":"an error was encountered"}'], 'invalid', true],
		['no_done', [text('Turning')], 'unreachable', true],
		['half a line', [text('Turning'), '{"message":{"role":"assi'], 'unreachable', true],
		['a null line', [text('Turning'), 'null'], 'unreachable', true],
		['a web page with status 200', ['<html>', '</html>'], 'invalid', false],
		['nothing at all', [], 'unreachable', true],
	] as const)('O07 %s is an error, never half an answer', async (_, lines, code, transient) => {
		server.control.queue({ kind: 'raw', lines: [...lines] });
		expect(await failure(model.complete(ask()))).toMatchObject({ code, transient });
	});

	test('O07 done_reason alone counts as complete', async () => {
		server.control.queue({ kind: 'raw', lines: [text('ok', { done_reason: 'stop' })] });
		expect(await model.complete(ask())).toMatchObject({ text: 'ok', stop: 'end' });
	});

	test('O07 a retry happens before the first token only', async () => {
		const patient = createOllamaModel({ baseUrl: server.url, model: MODEL, retry: { retries: 1, baseMs: 10 } });
		server.control.queue({ kind: 'drop' }, { kind: 'text', text: 'fine' });
		expect((await patient.complete(ask())).text).toBe('fine');
		server.control.queue({ kind: 'text', text: 'half an answer', cut: { afterChunks: 2, how: 'reset' } });
		await failure(patient.complete(ask()));
		expect(server.control.requests()).toHaveLength(3);
	});

	test('O10 a number too large for JavaScript is already wrong on arrival, so ids must be strings', async () => {
		const line =
			'{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"relay","arguments":{"thread_id":1523456789012345678}}}]},"done":true,"done_reason":"stop"}';
		server.control.queue({ kind: 'raw', lines: [line] });
		const { calls } = await model.complete(ask());
		expect(calls[0]?.arguments).toEqual({ thread_id: 1_523_456_789_012_345_600 });
	});

	test('a call without arguments, with null and with an empty string arrives as that', async () => {
		const calls = [{ name: 'a' }, { name: 'b', arguments: null }, { name: 'c', arguments: '' }];
		server.control.queue({ kind: 'calls', calls });
		expect((await model.complete(ask())).calls.map((call) => call.arguments)).toEqual([undefined, null, '']);
	});
});
