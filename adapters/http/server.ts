import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createHttpApp } from './app.ts';
import { assertBind, PortInUseError } from './bind.ts';
import type { HttpDeps } from './deps.ts';

export interface HttpServer {
	/** Address to open, with the port that was really taken. */
	readonly url: string;
	readonly port: number;
	/** Stops listening, ends live pages, lets running requests finish for a moment, then cuts them. */
	close(): Promise<void>;
}

/** Time that running requests get at the end, in milliseconds. */
const GRACE_MS = 2_000;

/**
 * The one HTTP port of the house.
 * @throws {PublicBindError} for an address that is reachable from outside while no admin password is set.
 * @throws {PortInUseError} when something listens there.
 */
export async function createHttpServer(deps: HttpDeps): Promise<HttpServer> {
	const { host, port } = deps.settings;
	assertBind(host, deps.secrets);
	const { app, close: endStreams } = createHttpApp(deps);
	const receiveMs = deps.receiveMs ?? { headers: 10_000, whole: 15_000 };
	const server = createAdaptorServer({
		fetch: app.fetch,
		serverOptions: {
			requestTimeout: receiveMs.whole,
			headersTimeout: receiveMs.headers,
			keepAliveTimeout: 5_000,
			connectionsCheckingInterval: Math.min(5_000, receiveMs.headers / 2),
			maxHeaderSize: 16 * 1_024,
		},
	}) as Server;
	server.maxConnections = 500;
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) =>
			reject(error.code === 'EADDRINUSE' ? new PortInUseError(host, port) : error),
		);
		server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
	});
	server.on('error', (error) => deps.log.error({ error }, 'http server'));
	const address = server.address();
	const taken = typeof address === 'object' && address !== null ? address.port : port;
	const shown =
		host === '0.0.0.0' || host === '::'
			? 'localhost'
			: host.includes(':') && !host.startsWith('[')
				? `[${host}]`
				: host;
	deps.metrics.gauge('build_info', 1, { version: deps.about.version, role: deps.about.role });
	return {
		url: `http://${shown}:${taken}`,
		port: taken,
		async close() {
			if (!server.listening) return;
			endStreams();
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeIdleConnections();
			const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
			await closed;
			clearTimeout(timer);
		},
	};
}
