import type { HttpDeps } from '../../../adapters/http/deps.ts';
import { createHttpServer, type HttpServer } from '../../../adapters/http/server.ts';
import { createMetrics, type MetricsRegistry } from '../../../adapters/observe/metrics.ts';
import { settingsSchema } from '../../../config/schema.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';

/** What `fetch` takes as a body here. */
export type Body = string | URLSearchParams;

export const PASSWORD = 'correct horse battery';

export interface House {
	readonly server: HttpServer;
	readonly metrics: MetricsRegistry;
	readonly log: ReturnType<typeof createMemoryLog>;
	/** Moves the house's clock on. */
	pass(ms: number): void;
	get(path: string, headers?: Record<string, string>): Promise<Response>;
	post(path: string, body?: Body, headers?: Record<string, string>): Promise<Response>;
	login(password?: string, headers?: Record<string, string>): Promise<Response>;
	/** Logs in and gives the cookie header. */
	cookie(): Promise<string>;
}

const running: HttpServer[] = [];

/** A real server on a free port, with a clock that the test moves. */
export async function openHouse(over: Partial<HttpDeps> = {}): Promise<House> {
	const log = createMemoryLog();
	const metrics = createMetrics({ processMetrics: false });
	let now = Date.parse('2026-05-01T12:00:00Z');
	const server = await createHttpServer({
		settings: { ...settingsSchema.parse({}).http, port: 0 },
		secrets: { adminPassword: PASSWORD },
		probes: [],
		metrics,
		log,
		clock: { now: () => now },
		about: { name: () => 'Majordomo', version: '1.2.3', role: 'all' },
		...over,
	});
	running.push(server);
	const call = (method: string, path: string, headers: Record<string, string>, body?: Body) =>
		fetch(server.url + path, { method, headers, redirect: 'manual', body });
	const login: House['login'] = (password = PASSWORD, headers = {}) =>
		call('POST', '/login', headers, new URLSearchParams({ password, next: '/admin' }));
	return {
		server,
		metrics,
		log,
		login,
		pass: (ms) => {
			now += ms;
		},
		get: (path, headers = {}) => call('GET', path, headers),
		post: (path, body, headers = {}) => call('POST', path, headers, body),
		cookie: async () => (await login()).headers.getSetCookie()[0]!.split(';')[0]!,
	};
}

/** For `afterEach`: closes what the test opened. */
export async function closeHouses(): Promise<void> {
	await Promise.all(running.splice(0).map((server) => server.close()));
}
