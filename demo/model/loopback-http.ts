import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackHttp {
	url: string;
	port: number;
	/** Ends every connection, open streams included. */
	close(): Promise<void>;
}

const MAX_BODY_BYTES = 8_000_000;

/** An HTTP server on 127.0.0.1; port 0 takes a free one. Handler failures become a 500, never an unhandled error. */
export async function createLoopbackHttp(
	port: number,
	handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackHttp> {
	const server = createServer((request, response) => {
		response.on('error', () => {});
		request.on('error', () => {});
		handle(request, response).catch((error: unknown) => {
			if (!response.headersSent) sendJson(response, 500, { error: String(error) });
			else response.destroy();
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});
	server.on('error', () => {});
	const address = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}`,
		port: address.port,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The whole body as text; undefined when it is larger than any real request. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of request) {
		bytes += part.length;
		if (bytes > MAX_BODY_BYTES) return undefined;
		parts.push(part);
	}
	return Buffer.concat(parts).toString('utf8');
}

export function parseJson(text: string | undefined): unknown {
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
