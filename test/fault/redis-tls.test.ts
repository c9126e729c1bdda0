import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedis } from '../../adapters/redis/connection.ts';
import { RedisDenied, RedisUnavailable } from '../../adapters/redis/errors.ts';
import { createStored } from '../../adapters/redis/stored.ts';
import { createBus } from '../../adapters/redis/stores/bus.ts';
import { createLeases } from '../../adapters/redis/stores/leases.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { startChild } from '../support/child.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../support/redis.ts';

const run = promisify(execFile);
const hasOpenssl = await run('openssl', ['version']).then(
	() => true,
	() => false,
);

describe.skipIf(!hasOpenssl)('Redis with TLS and users', () => {
	let dir: string;
	let server: TestRedis;
	const port = 20_000 + (process.pid % 20_000);

	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), 'mj-tls-'));
		const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
		const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
		await run('openssl', [
			'req',
			'-x509',
			'-newkey',
			'rsa:2048',
			'-nodes',
			'-keyout',
			key,
			'-out',
			cert,
			'-days',
			'2',
			...subject,
		]);
		const tls = ['--tls-port', String(port), '--bind', '127.0.0.1', '--tls-cert-file', cert, '--tls-key-file', key];
		server = await startTestRedis({
			own: true,
			flags: [...tls, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no'],
		});
		const admin = await server.connect();
		await admin.handlers.call('ACL', 'SETUSER', 'ana', 'on', '>p@ss/word', '~*', '&*', '+@all');
	});
	afterAll(async () => {
		await server?.stop();
		await rm(dir, { recursive: true, force: true });
	});

	test('OPS-2 rediss with a user works for a process that trusts the certificate', async () => {
		const redis = await server.connect();
		const bus = createBus(redis, createStored(redis), createLeases(redis));
		const url = `rediss://ana:p%40ss%2Fword@127.0.0.1:${port}`;
		const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(dir, 'cert.pem') };
		const child = startChild('test/support/bus-reader-process.ts', [url, server.prefix], env);
		const author = { id: 'u', name: 'n' };
		await bus.publish({ id: 'a', room: 'den', author, bot: false, text: 't', at: 1, mentions: [], source: 's' });
		await eventually('the message over TLS', () => child.lines.includes('a'), 60_000).catch((error) => {
			throw new Error(`${error.message}: ${child.stderr()}`);
		});
		await child.end('SIGKILL');
	});

	test('OPS-2 OPS-17 a certificate that nobody vouches for is refused', async () => {
		const where = parseRedisUrl(`rediss://127.0.0.1:${port}`);
		const redis = createRedis({ where, prefix: 't', commandTimeoutMs: 2_000, log: testLog(), now: Date.now });
		const error = await redis.ready(3_000).catch((problem: unknown) => problem);
		expect(error).toBeInstanceOf(RedisUnavailable);
		expect(String(error)).toMatch(/self.signed/i);
		await redis.close();
	});

	test('OPS-2 OPS-8 a wrong password is told at once, and never repeated', async () => {
		const path = server.where.kind === 'socket' ? server.where.path : '';
		const where = parseRedisUrl(`unix://ana:wrong-secret@${path}`);
		const redis = createRedis({ where, prefix: 't', commandTimeoutMs: 2_000, log: testLog(), now: Date.now });
		const error = await redis.ready(20_000).catch((problem: unknown) => problem);
		expect(error).toBeInstanceOf(RedisDenied);
		expect(String(error)).not.toContain('wrong-secret');
		await redis.close();
	});
});
