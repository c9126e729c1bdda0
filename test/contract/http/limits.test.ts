import { connect, createServer } from 'node:net';
import { Hono } from 'hono';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { closeHouses, openHouse } from './house.ts';

afterEach(closeHouses);

describe('the port', () => {
	test.each(['0.0.0.0', '::', '192.168.1.5', 'majordomo.example'])(
		'OPS-17 %s is refused while no password is set',
		async (host) => {
			await expect(openHouse({ secrets: {}, settings: { host, port: 0, queuesReadOnly: true } })).rejects.toMatchObject(
				{
					code: 'public_bind_refused',
					message: expect.stringContaining('ADMIN_PASSWORD'),
				},
			);
		},
	);

	test('OPS-17 with a password it may be public', async () => {
		const house = await openHouse({ settings: { host: '0.0.0.0', port: 0, queuesReadOnly: true } });
		expect((await fetch(`http://127.0.0.1:${house.server.port}/healthz`)).status).toBe(200);
	});

	test('OPS-17 a port that is taken is named', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => other.once('listening', resolve));
		const { port } = other.address() as { port: number };
		await expect(openHouse({ settings: { host: '127.0.0.1', port, queuesReadOnly: true } })).rejects.toMatchObject({
			code: 'port_in_use',
		});
		other.close();
	});

	test('OPS-17 closing ends open connections and is safe to repeat', async () => {
		const house = await openHouse();
		const idle = connect(house.server.port, '127.0.0.1');
		await new Promise((resolve) => idle.once('connect', resolve));
		const ended = new Promise((resolve) => idle.once('close', resolve));
		idle.resume();
		await house.server.close();
		await ended;
		await house.server.close();
		await expect(house.get('/healthz')).rejects.toThrow();
	});
});

describe('limits', () => {
	test('OPS-17 too many requests of one address wait, health does not', async () => {
		const house = await openHouse({ rate: { burst: 5, perSecond: 2 } });
		const statuses: number[] = [];
		for (let round = 0; round < 7; round++) statuses.push((await house.get('/openapi.json')).status);
		expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
		const refused = await house.get('/readyz');
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
		expect((await house.get('/healthz')).status).toBe(200);
		house.pass(600);
		expect((await house.get('/readyz')).status).toBe(200);
	});

	test('OPS-17 a body that is too large is refused, announced or not', async () => {
		const house = await openHouse();
		expect((await house.post('/login', 'x'.repeat(70_000))).status).toBe(413);
		const chunks = new ReadableStream<Uint8Array>({
			start(controller) {
				for (let round = 0; round < 20; round++) controller.enqueue(new Uint8Array(10_000).fill(97));
				controller.close();
			},
		});
		const answer = await fetch(`${house.server.url}/login`, {
			method: 'POST',
			body: chunks,
			duplex: 'half',
		} as RequestInit);
		expect(answer.status).toBe(413);
	});

	test('OPS-17 an answer that takes too long is given up, and the server goes on', async () => {
		const app = new Hono().get('/', () => new Promise<Response>(() => undefined));
		const house = await openHouse({ routes: [{ path: '/cxp', app }], deadlineMs: 100 });
		const answer = await house.get('/cxp');
		expect([answer.status, await answer.json()]).toEqual([
			503,
			{ error: expect.objectContaining({ code: 'too_slow' }) },
		]);
		expect((await house.get('/healthz')).status).toBe(200);
	});

	test('OPS-17 other parts can allow larger bodies for themselves only', async () => {
		const app = new Hono().post('/', async (c) => c.json({ length: (await c.req.text()).length }));
		const house = await openHouse({ routes: [{ path: '/cxp', app, bodyLimitBytes: 200_000 }] });
		expect(await (await house.post('/cxp', 'x'.repeat(150_000))).json()).toEqual({ length: 150_000 });
		expect((await house.post('/cxpx', 'x'.repeat(150_000))).status).toBe(413);
	});
});

describe('answers', () => {
	test('OPS-17 what is not there is told, with what is', async () => {
		const house = await openHouse();
		const answer = await house.get('/nothing');
		expect(answer.status).toBe(404);
		expect(await answer.json()).toMatchObject({
			error: { code: 'not_found', hint: expect.stringContaining('/healthz') },
		});
	});

	test('OPS-17 a fault inside shows an id and no innards; the log has them', async () => {
		const app = new Hono().get('/', () => {
			throw new Error('inner secret');
		});
		const house = await openHouse({ routes: [{ path: '/cxp', app }] });
		const answer = await house.get('/cxp');
		const text = await answer.text();
		expect(answer.status).toBe(500);
		expect(text).not.toContain('inner secret');
		const line = house.log.lines.find((entry) => entry.level === 'error');
		expect(text).toContain(String(line?.fields['errorId']));
	});

	test('OPS-17 every answer forbids framing, sniffing and foreign scripts', async () => {
		const house = await openHouse();
		for (const path of ['/login', '/healthz', '/nothing', '/admin']) {
			const { headers } = await house.get(path);
			expect(headers.get('content-security-policy')).toContain("script-src 'self'");
			expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
			expect(headers.get('x-content-type-options')).toBe('nosniff');
		}
	});

	test('OPS-17 the API description names every route, those of other parts too', async () => {
		const paths = { '/cxp': { post: { summary: 'A packet.', responses: {} } } };
		const house = await openHouse({ routes: [{ path: '/cxp', app: new Hono(), openapi: { paths } }] });
		const document = (await (await house.get('/openapi.json')).json()) as {
			openapi: string;
			paths: Record<string, unknown>;
		};
		expect(document.openapi).toBe('3.1.0');
		expect(Object.keys(document.paths)).toEqual([
			'/healthz',
			'/readyz',
			'/metrics',
			'/admin',
			'/queues',
			'/room/{room}/rovers/{rover}',
			'/cxp',
		]);
	});

	test.each([
		['its headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\n', 'X-Slow: y\r\n'],
		[
			'its body',
			'POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n',
			'a',
		],
	])('OPS-17 who sends %s drop by drop is cut off, and others are served meanwhile', async (_, start, drop) => {
		const house = await openHouse({ receiveMs: { headers: 400, whole: 600 } });
		const sockets = Array.from({ length: 20 }, () => connect(house.server.port, '127.0.0.1'));
		let cut = 0;
		for (const socket of sockets) {
			socket.on('error', () => undefined).resume();
			socket.once('close', () => {
				cut += 1;
			});
			socket.write(start);
		}
		// Never silent for long: only the time for the whole ends it.
		const dropping = setInterval(() => {
			for (const socket of sockets) if (socket.writable) socket.write(drop);
		}, 50);
		try {
			expect((await house.get('/healthz')).status).toBe(200);
			await eventually('all are cut off', () => cut === sockets.length, 10_000);
			expect((await house.get('/healthz')).status).toBe(200);
		} finally {
			clearInterval(dropping);
			for (const socket of sockets) socket.destroy();
		}
	});

	test('OPS-17 nonsense on the wire does not stop the server', async () => {
		const house = await openHouse();
		for (const noise of [
			'\x16\x03\x01\x02\x00',
			'GET\r\n\r\n',
			`GET / HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
			'GET http://[ HTTP/1.1\r\nHost: a b\r\n\r\n',
		]) {
			const socket = connect(house.server.port, '127.0.0.1');
			socket.on('error', () => undefined).resume();
			socket.write(noise);
			await new Promise((resolve) => {
				socket.once('close', resolve);
				socket.once('data', () => socket.destroy());
			});
		}
		expect((await house.get('/healthz')).status).toBe(200);
	});
});
