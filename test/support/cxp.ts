import { randomUUID } from 'node:crypto';
import { createCxp } from '../../adapters/http/cxp/cxp.ts';
import { createHttpServer } from '../../adapters/http/server.ts';
import { createMetrics } from '../../adapters/observe/metrics.ts';
import { signPacket } from '../../core/intake/packet-signature.ts';
import { type IntakeBench, intakeTestSettings, openIntake } from './intake.ts';
import type { TestRedis } from './redis.ts';
import { testLog } from './redis.ts';

const TOKEN = 'the-token-of-the-shop';
export const OTHER_TOKEN = 'the-token-of-the-portal';
export const SHOP_KEY = { id: 'k1', secret: 'the-secret-of-the-shop' };

export interface CxpAnswer {
	readonly status: number;
	readonly headers: Headers;
	// The tests say what they expect of it.
	readonly body: Record<string, unknown> & { code?: string; subject?: string; sessionId?: string; reason?: string };
}

export interface CxpHouse {
	readonly bench: IntakeBench;
	readonly url: string;
	/** Signs and posts. */
	post(packet: object, how?: { token?: string; sign?: boolean; at?: number; nonce?: string }): Promise<CxpAnswer>;
	/** Posts text as it is. */
	raw(text: string, token?: string): Promise<CxpAnswer>;
	call(method: string, path: string, token?: string): Promise<CxpAnswer>;
	close(): Promise<void>;
}

async function answerOf(response: Response): Promise<CxpAnswer> {
	return { status: response.status, headers: response.headers, body: (await response.json()) as CxpAnswer['body'] };
}

/** The machine interface on a real port, with everything behind it. */
export async function openCxp(
	server: TestRedis,
	options: Parameters<typeof openIntake>[1] & { packetsPerMinute?: number; answerWaitMs?: number } = {},
): Promise<CxpHouse> {
	const settings = options.settings ?? intakeTestSettings();
	settings.cxp.packetsPerMinute = options.packetsPerMinute ?? 10_000;
	settings.cxp.answerWaitMs = options.answerWaitMs ?? 8_000;
	const bench = await openIntake(server, { ...options, settings });
	const metrics = createMetrics({ processMetrics: false });
	const clock = { now: Date.now };
	const cxp = createCxp({
		...bench.stores,
		desk: bench.desk,
		store: bench.stores.work,
		onMove: bench.stores.work.onMove,
		settings: () => settings,
		callers: { shop: TOKEN, portal: OTHER_TOKEN },
		packetKeys: [
			{ owner: 'shop', ...SHOP_KEY },
			{ owner: 'portal', id: 'k1', secret: 'the-secret-of-the-portal' },
		],
		clock,
		random: { next: Math.random, id: () => randomUUID() },
		log: options.log ?? testLog(),
		metrics,
	});
	const http = await createHttpServer({
		settings: { host: '127.0.0.1', port: 0, queuesReadOnly: true },
		secrets: {},
		probes: [],
		metrics,
		routes: [cxp],
		rate: { burst: 10_000, perSecond: 10_000 },
		log: options.log ?? testLog(),
		clock,
		about: { name: () => 'Majordomo', version: '0', role: 'all' },
	});
	const authorization = (token: string) => ({ authorization: `Bearer ${token}` });
	const raw: CxpHouse['raw'] = async (body, token = TOKEN) =>
		answerOf(await fetch(`${http.url}/cxp`, { method: 'POST', body, headers: authorization(token) }));
	return {
		bench,
		url: http.url,
		raw,
		post(packet, { token = TOKEN, sign = true, at = Date.now(), nonce = randomUUID() } = {}) {
			const key = token === TOKEN ? SHOP_KEY : { id: 'k1', secret: 'the-secret-of-the-portal' };
			return raw(JSON.stringify(sign ? signPacket(packet, key, at, nonce) : packet), token);
		},
		call: async (method, path, token = TOKEN) =>
			answerOf(await fetch(`${http.url}${path}`, { method, headers: authorization(token) })),
		async close() {
			await cxp.close();
			await http.close();
			await bench.close();
			metrics.stop();
		},
	};
}

export const intentPacket = (body = 'a shop for mugs', more: object = {}) => ({
	from: 'HUMAN',
	to: 'U:Cx',
	subject: 'intent',
	body,
	...more,
});
export const responsePacket = (sessionId: string | undefined, body = 'only blue ones', more: object = {}) => ({
	...intentPacket(body),
	subject: 'response',
	...(sessionId === undefined ? {} : { sessionId }),
	...more,
});
