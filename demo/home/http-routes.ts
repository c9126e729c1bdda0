import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ClientPool } from './client-pool.ts';
import { expandEntry } from './compressed-state.ts';
import type { HomeControl } from './control.ts';
import { createControlRoutes } from './control-routes.ts';
import type { House } from './house.ts';
import { describeConfig } from './server-info.ts';
import type { WorldFeed } from './world-feed.ts';

export interface HttpDeps {
	readonly house: House;
	readonly pool: ClientPool;
	readonly control: HomeControl;
	readonly feed: WorldFeed;
}

const pageFiles: Readonly<Record<string, readonly [file: string, type: string]>> = {
	'/': ['index.html', 'text/html; charset=utf-8'],
	'/room.css': ['room.css', 'text/css; charset=utf-8'],
	'/room.js': ['room.js', 'text/javascript; charset=utf-8'],
	'/draw-room.js': ['draw-room.js', 'text/javascript; charset=utf-8'],
};

const maxBodyBytes = 1_000_000;

/** The HTTP side of the loopback Home Assistant: its REST interface, the control requests, the page and its live feed. */
export function createHttpRoutes({ house, pool, control, feed }: HttpDeps): RequestListener {
	const controls = createControlRoutes(control);

	async function answerControl(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
		if (request.method === 'GET') {
			const { status, body } = controls.get(name);
			sendJson(response, status, body);
			return;
		}
		// A page of another origin cannot send this type without asking first, and is never allowed to.
		if (!request.headers['content-type']?.startsWith('application/json')) {
			sendJson(response, 415, { error: 'content_type', message: 'send application/json' });
			return;
		}
		const body = await readJson(request);
		const { status, body: answer } =
			body === undefined ? { status: 400, body: { error: 'invalid_json' } } : await controls.post(name, body);
		sendJson(response, status, answer);
	}

	function answerRest(request: IncomingMessage, response: ServerResponse, path: string): void {
		const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
		if (!pool.isTokenValid(token)) {
			sendJson(response, 401, { message: '401: Unauthorized' });
			return;
		}
		house.tick();
		const entityId = path.startsWith('/api/states/') ? path.slice('/api/states/'.length) : undefined;
		const entry = entityId === undefined ? undefined : house.table.entries().get(entityId);
		if (path === '/api/') sendJson(response, 200, { message: 'API running.' });
		else if (path === '/api/config') sendJson(response, 200, describeConfig(house));
		else if (path === '/api/states') sendJson(response, 200, [...house.table.entries().values()].map(expandEntry));
		else if (entry) sendJson(response, 200, expandEntry(entry));
		else sendJson(response, 404, { message: 'Entity not found.' });
	}

	async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = new URL(request.url ?? '/', 'http://localhost').pathname;
		if (path.startsWith('/control/')) {
			await answerControl(request, response, path.slice('/control/'.length));
			return;
		}
		if (path === '/events') {
			feed.follow(response);
			return;
		}
		if (path.startsWith('/api/')) {
			if (pool.isDown()) response.destroy();
			else answerRest(request, response, path);
			return;
		}
		const file = Object.hasOwn(pageFiles, path) ? pageFiles[path] : undefined;
		if (!file) {
			sendJson(response, 404, { error: 'not_found' });
			return;
		}
		const content = await readFile(new URL(`./page/${file[0]}`, import.meta.url));
		response.writeHead(200, { 'content-type': file[1], 'cache-control': 'no-store', ...pagePolicy });
		response.end(content);
	}

	return (request, response) => {
		route(request, response).catch((error: unknown) => {
			if (response.headersSent) response.destroy();
			else sendJson(response, 500, { error: 'internal', message: error instanceof Error ? error.message : 'unknown' });
		});
	};
}

/** Nothing but the page's own files runs in it; it may be framed, because the demo shows it beside the chat. */
const pagePolicy = {
	'content-security-policy': "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
	'x-content-type-options': 'nosniff',
};

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
	response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > maxBodyBytes) return undefined;
		chunks.push(chunk);
	}
	try {
		return size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
	} catch {
		return undefined;
	}
}
