import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createQueues } from '../../../jobs/queues.ts';
import { startTestRedis, testLog } from '../../support/redis.ts';
import { closeHouses, openHouse } from './house.ts';

afterEach(closeHouses);

/** Sends a path as it stands; `fetch` would tidy it up first. */
function rawGet(port: number, path: string, cookie: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let answer = '';
		const socket = connect(port, '127.0.0.1');
		socket.on('data', (chunk) => {
			answer += chunk;
		});
		socket.once('error', reject);
		socket.once('close', () => resolve(answer));
		socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`);
	});
}

const UP = ['..', '%2e%2e', '%2E.', '..%5c', '.%00.', '....//..'];
const TARGETS = ['package.json', 'etc/passwd', 'compose.yaml'];

test('OPS-17 no way of writing a path leads out of the pages, however often it goes up', async () => {
	const redis = await startTestRedis();
	const connection = await redis.connect();
	const queues = createQueues({ connection: connection.handlers, prefix: connection.prefix, log: testLog() });
	try {
		const house = await openHouse({ queues: [...queues.all], rate: { burst: 10_000, perSecond: 10_000 } });
		const cookie = await house.cookie();
		const board = await rawGet(house.server.port, '/queues', cookie);
		expect(board).toMatch(/^HTTP\/1\.1 200/);
		for (const base of ['/queues/static', '/admin', '/room', ''])
			for (const up of UP)
				for (const target of TARGETS)
					for (const separator of ['/', '%2f']) {
						const path = `${base}/${Array(9).fill(up).join(separator)}${separator}${target}`;
						const answer = await rawGet(house.server.port, path, cookie);
						expect(answer.split('\r\n')[0], path).toMatch(/^HTTP\/1\.1 (?:[345]\d\d)/);
						expect(answer, path).not.toMatch(/"majordomo",|root:x:0|appendfsync/);
					}
		expect((await house.get('/healthz')).status).toBe(200);
	} finally {
		await queues.close();
		await redis.stop();
	}
}, 60_000);
