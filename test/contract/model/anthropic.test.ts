import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAnthropicModel } from '../../../adapters/model/anthropic.ts';
import { anthropicThinking, type ThinkingLevel } from '../../../adapters/model/anthropic-thinking.ts';
import { settingsSchema } from '../../../config/schema.ts';
import type { Model } from '../../../core/model/model-port.ts';
import { createLoopbackAnthropic } from '../../../demo/model/loopback-anthropic.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createModel } from '../../../main-model.ts';
import { ask, describeModelContract, failure } from './model-contract.ts';

const MODEL = 'claude-haiku-4-5';
const PRICE = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

function create(baseUrl: string, more: Partial<Parameters<typeof createAnthropicModel>[0]> = {}): Model {
	return createAnthropicModel({
		baseUrl,
		apiKey: 'test-key',
		model: MODEL,
		price: () => PRICE,
		retry: { retries: 0, baseMs: 10, maxWaitMs: 2_000 },
		...more,
	});
}

describeModelContract({
	provider: 'anthropic',
	start: () => createLoopbackAnthropic(),
	create: (baseUrl, options) =>
		create(baseUrl, { retry: { retries: options?.retries ?? 0, baseMs: 10, maxWaitMs: 2_000 } }),
	expectedCost: (usage) => (usage.inputTokens * 1 + usage.outputTokens * 5) / 1_000_000,
});

describe('Anthropic', () => {
	let server: LoopbackModel;
	let model: Model;
	beforeAll(async () => {
		server = await createLoopbackAnthropic();
		model = create(server.url);
	});
	afterAll(() => server.close());
	beforeEach(() => server.control.reset());

	const SSE_START =
		'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":500,"output_tokens":1}}}\n';
	const SSE_TEXT =
		'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Two sessions"}}\n';
	const sseError = (type: string) => `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"x"}}\n`;

	test.each([
		['overloaded_error', 'overloaded'],
		['api_error', 'overloaded'],
		['rate_limit_error', 'rate_limited'],
	])('A01 %s inside a 200 stream is classified by its type', async (type, code) => {
		server.control.queue({ kind: 'raw', lines: [SSE_START, SSE_TEXT, sseError(type)] });
		const error = await failure(model.complete(ask()));
		expect(error).toMatchObject({ code, transient: true, usage: { inputTokens: 500 } });
	});

	test('A01 it is retried with a bound, the partial text is dropped and the failed try is paid for', async () => {
		const patient = create(server.url, { retry: { retries: 3, baseMs: 1, maxWaitMs: 50 }, random: () => 0 });
		server.control.queue(
			{ kind: 'raw', lines: [SSE_START, SSE_TEXT, sseError('overloaded_error')], times: 2 },
			{ kind: 'text', text: 'All is well.', promptTokens: 500, outputTokens: 10 },
		);
		const reply = await patient.complete(ask());
		expect(reply.text).toBe('All is well.');
		expect(reply.usage).toMatchObject({ inputTokens: 1_500, outputTokens: 12 });
		server.control.reset();
		server.control.always({ kind: 'overload' });
		expect((await failure(patient.complete(ask()))).code).toBe('overloaded');
		expect(server.control.requests()).toHaveLength(4);
	});

	test('A02 the half tool input of a cut answer goes nowhere', async () => {
		server.control.queue({
			kind: 'raw',
			lines: [
				SSE_START,
				'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"hub_send","input":{}}}\n',
				'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"to\\":\\"api-fix\\",\\"text\\":\\"please ru"}}\n',
				'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n',
				'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":20}}\n',
				'event: message_stop\ndata: {"type":"message_stop"}\n',
			],
		});
		expect(await model.complete(ask())).toMatchObject({ stop: 'length', calls: [] });
	});

	test('a refusal is a reply, not an error', async () => {
		server.control.queue({ kind: 'refuse' });
		const reply = await model.complete(ask({ schema: { name: 's', json: { type: 'object', properties: {} } } }));
		expect(reply).toMatchObject({ stop: 'refusal', calls: [] });
		expect(reply.structured).toBeUndefined();
	});

	test('system text is flattened on top, neighbours merge, nothing is empty, a person begins and ends', async () => {
		await model.complete(
			ask({
				messages: [
					{ role: 'system', content: 'Identity.' },
					{ role: 'assistant', content: 'An old line.' },
					{ role: 'user', content: 'one' },
					{ role: 'system', content: 'Blocked.' },
					{ role: 'user', content: '   ' },
					{ role: 'user', content: 'two' },
					{ role: 'assistant', content: 'last' },
				],
			}),
		);
		const body = server.control.requests()[0]?.body as { system: { text: string }[]; messages: unknown };
		expect(body.system).toMatchObject([{ text: 'Identity.\n\nBlocked.', cache_control: { type: 'ephemeral' } }]);
		expect(body.messages).toEqual([
			{ role: 'user', content: expect.stringMatching(/.+/) },
			{ role: 'assistant', content: 'An old line.' },
			{ role: 'user', content: 'one\n\ntwo' },
			{ role: 'assistant', content: 'last' },
			{ role: 'user', content: expect.stringMatching(/.+/) },
		]);
	});

	test('OVR-13 a closed schema is enforced strictly, limits and oneOf included', async () => {
		const call = (tool: string, args: object) => ({
			type: 'object',
			properties: { tool: { const: tool }, args: { type: 'object', additionalProperties: false, ...args } },
			required: ['tool', 'args'],
			additionalProperties: false,
		});
		const json = {
			type: 'object',
			properties: {
				chat: { type: 'string', maxLength: 400 },
				calls: {
					type: 'array',
					maxItems: 1,
					items: {
						oneOf: [call('lift_up', { properties: {} }), call('say', { properties: { text: { type: 'string' } } })],
					},
				},
			},
			required: ['calls'],
			additionalProperties: false,
		};
		await model.complete(ask({ schema: { name: 'decision', json } }));
		const [request] = server.control.requests();
		expect(request?.outcome).toBe('answered');
		expect(request?.body).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
		expect(request?.body).not.toHaveProperty('tools');
	});

	test('the cache is written once, read afterwards, and billed at its own price', async () => {
		const messages = [
			{ role: 'system' as const, content: 'You are a room. '.repeat(400) },
			{ role: 'user' as const, content: 'hi' },
		];
		server.control.always({ kind: 'text', text: 'ok', promptTokens: 2_000, outputTokens: 10 });
		const first = (await model.complete(ask({ messages }))).usage;
		const second = (await model.complete(ask({ messages }))).usage;
		expect(first).toMatchObject({ inputTokens: 1_000, cacheWriteTokens: 1_000, cacheReadTokens: 0 });
		expect(second).toMatchObject({ inputTokens: 1_000, cacheWriteTokens: 0, cacheReadTokens: 1_000 });
		expect(first.costUsd).toBeCloseTo((1_000 + 1_000 * 1.25 + 50) / 1_000_000, 10);
		expect(second.costUsd).toBeCloseTo((1_000 + 1_000 * 0.1 + 50) / 1_000_000, 10);
	});

	test('FLT-8 a thinking level is a budget or an effort, as the model takes it, and leaves the answer its room', async () => {
		const sent = async (name: string, level: ThinkingLevel) => {
			await create(server.url, { model: name, maxOutputTokens: 500, ...anthropicThinking(name, level) }).complete(
				ask(),
			);
			return server.control.requests().at(-1)?.body;
		};
		expect(await sent('claude-haiku-4-5', 'low')).toMatchObject({
			thinking: { type: 'enabled', budget_tokens: 1_024 },
			max_tokens: 1_524,
		});
		expect(await sent('claude-sonnet-4-5-20250929', 'high')).toMatchObject({
			thinking: { type: 'enabled', budget_tokens: 8_192 },
			max_tokens: 8_692,
		});
		const later = await sent('claude-opus-4-6', 'medium');
		expect(later).toMatchObject({
			thinking: { type: 'adaptive' },
			output_config: { effort: 'medium' },
			max_tokens: 4_596,
		});
		const off = await sent(MODEL, 'off');
		expect(off).toMatchObject({ max_tokens: 500 });
		expect(off).not.toHaveProperty('thinking');
		// A forced tool forbids thinking, and then it takes no room.
		const open = { name: 'anything', json: { type: 'object' } };
		const model = create(server.url, { maxOutputTokens: 500, ...anthropicThinking(MODEL, 'low') });
		await model.complete(ask({ schema: open }));
		expect(server.control.requests().at(-1)?.body).toMatchObject({ thinking: { type: 'disabled' }, max_tokens: 500 });
		expect(model.limits).toMatchObject({ outputTokens: 500, thinkingTokens: 1_024 });
		// The house makes it so.
		const settings = settingsSchema.parse({
			model: { provider: 'anthropic', name: MODEL, anthropic: { url: server.url } },
		});
		await createModel(settings, { anthropicApiKey: 'test-key' }, 'medium').complete(ask());
		expect(server.control.requests().at(-1)?.body).toMatchObject({ thinking: { budget_tokens: 4_096 } });
	});

	test('without a price the cost is unknown, not zero', async () => {
		expect((await create(server.url, { price: undefined }).complete(ask())).usage.costUsd).toBeUndefined();
	});

	test('OPS-4 a price that was reloaded counts from the next call on', async () => {
		const settings = settingsSchema.parse({
			model: { provider: 'anthropic', name: MODEL, anthropic: { url: server.url } },
		});
		let prices = settings.model.prices;
		const model = createModel(settings, { anthropicApiKey: 'test-key' }, 'off', () => prices);
		expect((await model.complete(ask())).usage.costUsd).toBeUndefined();
		prices = { [`anthropic/${MODEL}`]: PRICE };
		expect((await model.complete(ask())).usage.costUsd).toBeGreaterThan(0);
	});

	test('a reached spend limit is not worth retrying', async () => {
		const patient = create(server.url, { retry: { retries: 2, baseMs: 1 } });
		const error = { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } };
		server.control.queue({ kind: 'error', status: 429, body: { type: 'error', error } });
		expect(await failure(patient.complete(ask()))).toMatchObject({ code: 'rate_limited', transient: false });
		expect(server.control.requests()).toHaveLength(1);
	});

	test.each([
		[402, 'billing_error', 'invalid'],
		[413, 'request_too_large', 'truncated'],
		[500, 'api_error', 'overloaded'],
		[400, 'invalid_request_error', 'truncated'],
	])('%i %s', async (status, type, code) => {
		const message = status === 400 ? 'prompt is too long: 210000 tokens > 200000 maximum' : 'x';
		server.control.queue({ kind: 'error', status, body: { type: 'error', error: { type, message } } });
		expect((await failure(model.complete(ask()))).code).toBe(code);
	});

	test('without a key nothing is sent', async () => {
		const keyless = create(server.url, { apiKey: '' });
		expect((await failure(keyless.complete(ask()))).code).toBe('auth');
		expect(await keyless.check(1_000)).toMatchObject({ ok: false, error: { code: 'auth' } });
		expect(server.control.requests()).toHaveLength(0);
	});
});
