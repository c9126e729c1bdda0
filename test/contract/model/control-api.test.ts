import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoopbackAnthropic } from '../../../demo/model/loopback-anthropic.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';

/** Only fetch and the documented paths: what a stranger has. */
describe.each([
	['ollama', () => createLoopbackOllama(), '/api/chat', {}],
	[
		'anthropic',
		() => createLoopbackAnthropic(),
		'/v1/messages',
		{ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
	],
] as const)('control API of the loopback %s', (provider, start, path, headers) => {
	let server: LoopbackModel;
	beforeAll(async () => {
		server = await start();
	});
	afterAll(() => server.close());
	beforeEach(() => server.control.reset());

	const post = (to: string, body: unknown, signal?: AbortSignal) =>
		fetch(server.url + to, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { 'content-type': 'application/json', ...headers },
			signal,
		});
	const chat = (content: string, more: object = {}) =>
		post(path, { model: 'm', max_tokens: 50, stream: false, messages: [{ role: 'user', content }], ...more });
	const textOf = async (response: Response): Promise<string> => {
		const body = (await response.json()) as { message: { content: string }; content: { text: string }[] };
		return provider === 'ollama' ? body.message.content : (body.content[0]?.text ?? '');
	};
	const requests = async (query = '') => {
		const answer = await (await fetch(`${server.url}/control/requests${query}`)).json();
		return (answer as { requests: { id: number; outcome: string; body: { messages: unknown } }[] }).requests;
	};

	test('queued outputs come in order, then the script has the word again', async () => {
		expect((await post('/control/queue', { kind: 'text', text: 'one' })).status).toBe(200);
		await post('/control/queue', {
			steps: [
				{ kind: 'text', text: 'two', times: 2 },
				{ kind: 'json', value: { a: 1 } },
			],
		});
		const said: string[] = [];
		for (let turn = 0; turn < 5; turn += 1) said.push(await textOf(await chat('hello')));
		expect(said).toEqual(['one', 'two', 'two', '{"a":1}', expect.stringMatching(/scripted model/)]);
	});

	test('a standing step answers everything until it is lifted', async () => {
		await post('/control/always', { step: { kind: 'overload' } });
		expect((await chat('x')).status).toBe(provider === 'ollama' ? 503 : 529);
		await post('/control/queue', { kind: 'text', text: 'queued goes first' });
		expect(await textOf(await chat('x'))).toBe('queued goes first');
		expect((await chat('x')).status).toBe(provider === 'ollama' ? 503 : 529);
		await post('/control/always', { step: null });
		expect((await chat('x')).status).toBe(200);
	});

	test('every request can be read whole, and waited for', async () => {
		await chat('first');
		const [first] = await requests();
		expect(first).toMatchObject({ outcome: 'answered', body: { messages: [{ role: 'user', content: 'first' }] } });
		const waiting = requests(`?after=${first?.id}&wait_ms=10000`);
		await chat('second');
		expect(await waiting).toMatchObject([{ body: { messages: [{ role: 'user', content: 'second' }] } }]);
		expect(await requests()).toHaveLength(2);
		await post('/control/reset', {});
		expect(await requests()).toEqual([]);
	});

	test('hanging answers can be let go', async () => {
		await post('/control/queue', { kind: 'hang', where: 'body' });
		const hanging = chat('x', { stream: true }).then((response) => response.text());
		hanging.catch(() => {});
		for (let tries = 0; tries < 500 && server.control.state().hanging === 0; tries += 1) {
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		expect(await (await post('/control/release', {})).json()).toEqual({ released: 1 });
		await expect(hanging).rejects.toThrow();
		expect((await requests())[0]?.outcome).toBe('failed');
	});

	test('orders that make no sense are refused with the place of the mistake', async () => {
		for (const body of [
			{ kind: 'sing' },
			{ steps: [] },
			{ kind: 'text' },
			{ kind: 'text', text: 'x', delayMs: -1 },
			'x',
		]) {
			const answer = await post('/control/queue', body);
			expect(answer.status).toBe(400);
			expect(await answer.json()).toMatchObject({
				problems: [{ path: expect.any(String), message: expect.any(String) }],
			});
		}
		const nested = await post('/control/queue', {
			steps: [
				{ kind: 'text', text: 'x' },
				{ kind: 'text', text: 5 },
			],
		});
		expect(JSON.stringify(await nested.json())).toContain('steps.1');
		expect((await post('/control/always', { step: { kind: 'error', status: 7 } })).status).toBe(400);
		expect((await fetch(`${server.url}/control/nowhere`)).status).toBe(404);
		expect(server.control.state().queued).toBe(0);
	});

	test('bad requests get the complaint that the real service has for them', async () => {
		expect((await post(path, { messages: [] })).status).toBe(400);
		const broken = await fetch(server.url + path, { method: 'POST', body: '{', headers });
		expect(broken.status).toBe(400);
		expect((await requests()).map((request) => request.outcome)).toEqual(['failed', 'failed']);
	});
});
