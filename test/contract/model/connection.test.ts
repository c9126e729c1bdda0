import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createOllamaModel } from '../../../adapters/model/ollama.ts';
import { ask } from './model-contract.ts';

/** Answers in two writes, so that the end of the stream comes after the last line has been read. */
async function withCountingServer(run: (url: string) => Promise<void>): Promise<number> {
	const sockets = new Set<unknown>();
	const server = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/x-ndjson' });
		response.write(
			`${JSON.stringify({ message: { role: 'assistant', content: 'ok' }, done: true, done_reason: 'stop' })}\n`,
		);
		setTimeout(() => response.end(), 5);
	});
	server.on('connection', (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
	return sockets.size;
}

test('a server that never ends a finished stream is hung up on', async () => {
	let isClosed = false;
	const server = createServer((_, response) => {
		response.on('close', () => {
			isClosed = true;
		});
		response.writeHead(200, { 'content-type': 'application/x-ndjson' });
		response.write(
			`${JSON.stringify({ message: { role: 'assistant', content: 'ok' }, done: true, done_reason: 'stop' })}\n`,
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const model = createOllamaModel({
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		model: 'm',
	});
	expect((await model.complete(ask())).text).toBe('ok');
	for (let tries = 0; tries < 1_000 && !isClosed; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
	expect(isClosed).toBe(true);
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

test('finished answers give their connection back for the next call', async () => {
	const connections = await withCountingServer(async (baseUrl) => {
		const model = createOllamaModel({ baseUrl, model: 'm' });
		for (let call = 0; call < 20; call += 1) {
			expect((await model.complete(ask())).text).toBe('ok');
			await new Promise((resolve) => setTimeout(resolve, 15));
		}
	});
	expect(connections).toBeLessThan(10);
});
