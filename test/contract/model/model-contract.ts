import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Model, ModelError, ModelErrorCode, ModelRequest } from '../../../core/model/model-port.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import type { ModelStep } from '../../../demo/model/model-step.ts';

interface ContractOptions {
	retries?: number;
}

/** What the suite needs to run on one adapter. */
export interface ModelContract {
	provider: string;
	start(): Promise<LoopbackModel>;
	create(baseUrl: string, options?: ContractOptions): Model;
	/** Cost of a call for a model with a price (or a local one). */
	expectedCost(usage: { inputTokens: number; outputTokens: number }): number;
}

const ANSWER_SCHEMA = {
	name: 'answer',
	json: {
		type: 'object',
		properties: { mode: { type: 'string', enum: ['SKIP', 'CHAT'] }, chat: { type: 'string' } },
		required: ['mode', 'chat'],
		additionalProperties: false,
	},
};

const LIFT_TOOL = {
	name: 'lift_up',
	description: 'Raises the lift.',
	parameters: { type: 'object', properties: {}, additionalProperties: false },
};

export function ask(more: Partial<ModelRequest> = {}): ModelRequest {
	return {
		messages: [
			{ role: 'system', content: 'You are Vigil, a room.' },
			{ role: 'user', content: 'alex: hello' },
		],
		deadlineMs: 20_000,
		purpose: 'contract',
		...more,
	};
}

export async function failure(work: Promise<unknown>): Promise<ModelError> {
	const error: unknown = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toMatchObject({ name: 'ModelError' });
	return error as ModelError;
}

/** Polls until the check passes or ten seconds are over. */
async function eventually(check: () => boolean): Promise<void> {
	for (let tries = 0; tries < 1_000 && !check(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
	expect(check()).toBe(true);
}

/** Promises every adapter keeps, whatever stands behind it. */
export function describeModelContract(contract: ModelContract): void {
	describe(`model contract: ${contract.provider}`, () => {
		let server: LoopbackModel;
		let model: Model;
		beforeAll(async () => {
			server = await contract.start();
			model = contract.create(server.url);
		});
		afterAll(() => server.close());
		beforeEach(() => server.control.reset());

		test('returns the text, the stop, the model and where the time went', async () => {
			server.control.queue({ kind: 'text', text: 'The dock is quiet.\nToo quiet.' });
			let firstTokens = 0;
			const reply = await model.complete(ask({ onFirstToken: () => (firstTokens += 1) }));
			expect(reply).toMatchObject({ text: 'The dock is quiet.\nToo quiet.', stop: 'end', calls: [], truncated: false });
			expect(reply.structured).toBeUndefined();
			expect(model.id).toBe(`${contract.provider}/${reply.model}`);
			expect(firstTokens).toBe(1);
			expect(reply.durations.firstTokenMs).toBeLessThanOrEqual(reply.durations.totalMs);
		});

		test('reports usage and its cost', async () => {
			server.control.queue({ kind: 'text', text: 'ok', promptTokens: 1_200, outputTokens: 34 });
			const { usage } = await model.complete(ask());
			expect(usage).toMatchObject({ inputTokens: 1_200, outputTokens: 34 });
			expect(usage.costUsd).toBeCloseTo(contract.expectedCost(usage), 10);
		});

		test('OVR-13 an answer under a schema is parsed, and broken JSON is left to the caller', async () => {
			server.control.queue(
				{ kind: 'json', value: { mode: 'CHAT', chat: 'hm' } },
				{ kind: 'text', text: '{"mode":"CH' },
			);
			const whole = await model.complete(ask({ schema: ANSWER_SCHEMA }));
			expect(whole.structured).toEqual({ mode: 'CHAT', chat: 'hm' });
			expect(whole.stop).toBe('end');
			const broken = await model.complete(ask({ schema: ANSWER_SCHEMA }));
			expect(broken.structured).toBeUndefined();
			expect(broken.text).toBe('{"mode":"CH');
		});

		test('OVR-13 a schema with free keys still yields its object', async () => {
			const value = { mode: 'ACTION', calls: [{ tool: 'lift_up', args: { any: 1 } }] };
			const json = {
				type: 'object',
				properties: {
					mode: { type: 'string' },
					calls: {
						type: 'array',
						items: { type: 'object', properties: { tool: { type: 'string' }, args: { type: 'object' } } },
					},
				},
				required: ['mode', 'calls'],
			};
			server.control.queue({ kind: 'json', value });
			const reply = await model.complete(ask({ schema: { name: 'decision', json } }));
			expect(reply.structured).toEqual(value);
			expect(reply).toMatchObject({ calls: [], stop: 'end' });
		});

		test('hands native tool calls on, several and in order', async () => {
			const calls = [
				{ name: 'lift_up', arguments: {} },
				{
					name: 'ha_set_entity',
					arguments: { entity_id: 'light.k\u0000x', text: 'brace } in text', note: 'a &amp; b' },
				},
			];
			server.control.queue({ kind: 'calls', calls, text: 'Going up.' });
			const reply = await model.complete(ask({ tools: [LIFT_TOOL] }));
			expect(reply).toMatchObject({ calls, stop: 'tool_use', text: 'Going up.' });
		});

		test('O01 arguments arrive as the model wrote them: strings stay strings', async () => {
			const written = '{"entity_id":"light.bench","state":';
			server.control.queue({ kind: 'calls', calls: [{ name: 'ha_set_entity', arguments: written }] });
			const reply = await model.complete(ask({ tools: [LIFT_TOOL] }));
			expect(reply.calls).toEqual([{ name: 'ha_set_entity', arguments: written }]);
		});

		test('O03 separate thinking never mixes with the answer', async () => {
			server.control.queue({
				kind: 'text',
				text: 'Which payment?',
				thinking: 'They want a shop. REQUIREMENTS_COMPLETE: true',
			});
			const reply = await model.complete(ask());
			expect(reply.text).toBe('Which payment?');
			expect(reply.thinking).toBe('They want a shop. REQUIREMENTS_COMPLETE: true');
		});

		test('A02 an answer cut by the output limit yields no call and no structure, even when they look whole', async () => {
			const call: ModelStep = {
				kind: 'calls',
				calls: [{ name: 'hub_send', arguments: { to: 'api-fix' } }],
				stop: 'length',
			};
			server.control.queue(call, { kind: 'json', value: { mode: 'CHAT', chat: 'x' }, stop: 'length' });
			expect(await model.complete(ask({ tools: [LIFT_TOOL] }))).toMatchObject({ calls: [], stop: 'length' });
			const cut = await model.complete(ask({ schema: ANSWER_SCHEMA }));
			expect(cut).toMatchObject({ calls: [], stop: 'length' });
			expect(cut.structured).toBeUndefined();
		});

		test('O05 a prompt that was silently cut is marked', async () => {
			const messages = ask().messages.concat({
				role: 'user',
				content: 'the lamp is on and the rover drives. '.repeat(300),
			});
			server.control.queue({ kind: 'text', text: 'yes', promptTokens: 400 }, { kind: 'text', text: 'yes' });
			expect((await model.complete(ask({ messages }))).truncated).toBe(true);
			expect((await model.complete(ask({ messages }))).truncated).toBe(false);
		});

		test('A05 half an emoji in the prompt is repaired on the way out', async () => {
			const messages = [{ role: 'user' as const, content: 'status \ud83d' }];
			const tool = { ...LIFT_TOOL, description: 'lamp \ud83d' };
			const open = { type: 'object', properties: { a: { type: 'object', description: 'lamp \ud83d' } } };
			await model.complete(ask({ messages }));
			await model.complete(ask({ messages, tools: [tool] }));
			await model.complete(ask({ messages, schema: { name: 'open', json: open } }));
			const [first, ...others] = server.control.requests();
			expect(JSON.stringify(first?.body)).toContain('status \ufffd');
			for (const other of others) expect(JSON.stringify(other.body)).toContain('lamp \ufffd');
			expect([first, ...others].map((request) => request?.outcome)).toEqual(['answered', 'answered', 'answered']);
		});

		const hangs: [string, ModelStep][] = [
			['headers never arrive', { kind: 'hang', where: 'headers' }],
			['the body never begins', { kind: 'hang', where: 'body' }],
			[
				'the stream stalls half-way',
				{ kind: 'text', text: 'a long answer that stalls', cut: { afterChunks: 3, how: 'hang' } },
			],
		];
		test.each(hangs)('OVR-5 the deadline ends a call where %s, and the server sees it leave', async (_, step) => {
			server.control.queue(step);
			const error = await failure(model.complete(ask({ deadlineMs: 300 })));
			expect(error).toMatchObject({ code: 'timeout', transient: true });
			await eventually(() => server.control.requests()[0]?.outcome === 'aborted');
		});

		test('the deadline holds over a stream that drips for ever', async () => {
			server.control.queue({ kind: 'text', text: 'drip '.repeat(2_000), chunkDelayMs: 20 });
			expect((await failure(model.complete(ask({ deadlineMs: 400 })))).code).toBe('timeout');
		});

		test('cancelling one of several concurrent calls leaves the others alone', async () => {
			const slow: ModelStep = { kind: 'text', text: 'one two three four five six', chunkDelayMs: 60 };
			server.control.queue({ ...slow, times: 3 });
			const controllers = [0, 1, 2].map(() => new AbortController());
			const calls = controllers.map((controller, index) =>
				model.complete(ask({ signal: controller.signal, onFirstToken: () => index === 1 && controller.abort() })),
			);
			const results = await Promise.allSettled(calls);
			expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
			expect(await failure(calls[1] as Promise<unknown>)).toMatchObject({ code: 'cancelled', transient: false });
		});

		test('a call whose signal is aborted already sends nothing', async () => {
			const error = await failure(model.complete(ask({ signal: AbortSignal.abort() })));
			expect(error.code).toBe('cancelled');
			expect(server.control.requests()).toHaveLength(0);
		});

		const failures: [string, ModelStep, ModelErrorCode, boolean][] = [
			['O06 C a full queue', { kind: 'overload' }, 'overloaded', true],
			['O06 A a missing model', { kind: 'missing_model' }, 'missing_model', false],
			['a wrong key', { kind: 'bad_key' }, 'auth', false],
			['a rate limit', { kind: 'rate_limit', retryAfterSeconds: 7 }, 'rate_limited', true],
			['a closed connection', { kind: 'drop' }, 'unreachable', true],
			['a forbidden call', { kind: 'error', status: 403 }, 'refused', false],
			[
				'a gateway timeout',
				{ kind: 'error', status: 504, body: {} },
				contract.provider === 'ollama' ? 'unreachable' : 'timeout',
				true,
			],
			['an odd page with an error status', { kind: 'error', status: 400, body: '<html>' }, 'invalid', false],
			['O07 reset', { kind: 'text', text: 'Turning it', cut: { afterChunks: 3, how: 'reset' } }, 'unreachable', true],
			['O07 no_done', { kind: 'text', text: 'Turning it', cut: { afterChunks: 3, how: 'end' } }, 'unreachable', true],
		];
		test.each(failures)('%s becomes a typed error with a hint', async (_, step, code, transient) => {
			server.control.queue(step);
			const error = await failure(model.complete(ask()));
			expect(error).toMatchObject({ code, transient });
			expect(error.hint.length).toBeGreaterThan(10);
			expect(server.control.requests()).toHaveLength(1);
		});

		test('a rate limit tells how long to wait', async () => {
			server.control.queue({ kind: 'rate_limit', retryAfterSeconds: 7 });
			expect((await failure(model.complete(ask()))).retryAfterMs).toBe(7_000);
		});

		test('O06 D nobody listening is unreachable', async () => {
			const gone = await contract.start();
			await gone.close();
			const error = await failure(contract.create(gone.url).complete(ask()));
			expect(error).toMatchObject({ code: 'unreachable', transient: true });
		});

		test('OVR-5 retries only where told to, only what is transient, and never past the wait it may take', async () => {
			const patient = contract.create(server.url, { retries: 1 });
			server.control.queue({ kind: 'overload' }, { kind: 'text', text: 'second try' });
			expect((await patient.complete(ask())).text).toBe('second try');
			server.control.reset();
			server.control.queue({ kind: 'overload', times: 2 });
			expect((await failure(patient.complete(ask()))).code).toBe('overloaded');
			expect(server.control.requests()).toHaveLength(2);
			server.control.reset();
			server.control.queue({ kind: 'missing_model' }, { kind: 'rate_limit', retryAfterSeconds: 3_600 });
			await failure(patient.complete(ask()));
			await failure(patient.complete(ask()));
			expect(server.control.requests()).toHaveLength(2);
		});

		test('check tells whether provider and model are there, without a completion', async () => {
			expect(await model.check(10_000)).toMatchObject({ ok: true });
			expect(server.control.requests()).toHaveLength(0);
			const gone = await contract.start();
			await gone.close();
			expect(await contract.create(gone.url).check(10_000)).toMatchObject({
				ok: false,
				error: { code: 'unreachable' },
			});
		});
	});
}
