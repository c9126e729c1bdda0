import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedis } from '../../../adapters/redis/connection.ts';
import { RedisDenied, RedisUnavailable } from '../../../adapters/redis/errors.ts';
import { checkPolicy, RedisUnfit } from '../../../adapters/redis/policy.ts';
import { createScript } from '../../../adapters/redis/script.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

describe('connection to Redis', () => {
	let server: TestRedis;

	beforeAll(async () => {
		server = await startTestRedis({ own: true });
	});
	afterAll(() => server.stop());

	test('OPS-15 where nobody listens, ready gives up at its deadline and commands fail at once', async () => {
		const redis = createRedis({
			where: { kind: 'socket', path: '/nonexistent/redis.sock' },
			prefix: 't',
			commandTimeoutMs: 600_000,
			log: testLog(),
			now: Date.now,
		});
		await expect(redis.ready(300)).rejects.toThrow(/unix:\/nonexistent\/redis\.sock does not answer.*ENOENT/);
		await expect(redis.ask((client) => client.get('x'))).rejects.toBeInstanceOf(RedisUnavailable);
		await redis.close();
		await expect(redis.ask((client) => client.get('x'))).rejects.toMatchObject({
			code: 'redis_unavailable',
			reason: 'closed',
		});
	});

	test('OPS-15 a dead Redis does not flood the log', async () => {
		const lines: object[] = [];
		const redis = createRedis({
			where: { kind: 'socket', path: '/nonexistent/redis.sock' },
			prefix: 't',
			commandTimeoutMs: 500,
			log: testLog((_, fields) => lines.push(fields)),
			now: () => 0,
		});
		let errors = 0;
		redis.handlers.on('error', () => {
			errors += 1;
		});
		await eventually('some failed tries', () => errors >= 4);
		expect(lines).toHaveLength(1);
		await redis.close();
	});

	test('OPS-2 a missing password is an error of its own and is told at once', async () => {
		const admin = await server.connect();
		await admin.handlers.call('CONFIG', 'SET', 'requirepass', 'secret-word');
		const redis = createRedis({
			where: server.where,
			prefix: 't',
			commandTimeoutMs: 2_000,
			log: testLog(),
			now: Date.now,
		});
		await expect(redis.ready(10_000)).rejects.toBeInstanceOf(RedisDenied);
		await redis.close();
		await admin.handlers.call('CONFIG', 'SET', 'requirepass', '');
	});

	test('Q09 a Redis that evicts is refused, allowed on request, and noeviction passes', async () => {
		const redis = await server.connect();
		expect(await checkPolicy(redis, { allowEviction: false })).toMatchObject({
			eviction: 'noeviction',
			persistence: 'aof',
			findings: [],
		});
		await redis.handlers.config('SET', 'maxmemory-policy', 'allkeys-lru');
		await expect(checkPolicy(redis, { allowEviction: false })).rejects.toThrow(/allkeys-lru.*noeviction/s);
		await expect(checkPolicy(redis, { allowEviction: false })).rejects.toBeInstanceOf(RedisUnfit);
		expect((await checkPolicy(redis, { allowEviction: true })).findings.map((item) => item.severity)).toEqual([
			'warning',
		]);
		await redis.handlers.config('SET', 'maxmemory-policy', 'noeviction');
	});

	test('Q09 where CONFIG is forbidden, INFO tells; where both are, the report says that it is unknown', async () => {
		const admin = await server.connect();
		const redis = await server.connect();
		await admin.handlers.call('ACL', 'SETUSER', 'default', '-config');
		expect(await checkPolicy(redis, { allowEviction: false })).toMatchObject({
			eviction: 'noeviction',
			persistence: 'aof',
		});
		await admin.handlers.call('ACL', 'SETUSER', 'default', '-info');
		expect(await checkPolicy(redis, { allowEviction: false })).toMatchObject({
			eviction: 'unknown',
			persistence: 'unknown',
			version: 'unknown',
		});
		await admin.handlers.call('ACL', 'SETUSER', 'default', '+@all');
	});

	test('Q02 a script works after Redis forgot it', async () => {
		const redis = await server.connect();
		const script = createScript("return {KEYS[1], ARGV[1], 'x'}");
		expect(await redis.run(script, ['k'], [1])).toEqual(['k', '1', 'x']);
		await redis.handlers.script('FLUSH');
		expect(await redis.run(script, ['k'], [2])).toEqual(['k', '2', 'x']);
	});

	test('Q10 stores and topics add no connection for each use', async () => {
		const redis = await server.connect();
		const count = async () =>
			String(await redis.handlers.client('LIST'))
				.trim()
				.split('\n').length;
		const before = await count();
		const removers = Array.from({ length: 50 }, (_, index) =>
			redis.topics.listen(`topic-${index % 5}`, () => undefined),
		);
		await eventually('the one subscriber', async () => (await count()) === before + 1);
		await Promise.all(removers.map((remove) => remove()));
		for (let index = 0; index < 100; index += 1) await redis.ask((client) => client.set('x', index));
		expect(await count()).toBe(before + 1);
	});

	test('Q05 Q02 everybody who asked hears that Redis is back, and can stop hearing', async () => {
		const redis = await server.connect();
		let times = 0;
		const remove = redis.onReady(() => {
			times += 1;
		});
		expect(times).toBe(1);
		redis.handlers.disconnect(true);
		await eventually('the second time', () => times === 2);
		remove();
		redis.handlers.disconnect(true);
		await eventually('it is back', () => redis.handlers.status === 'ready');
		expect(times).toBe(2);
	});

	test('OPS-15 a listener hears of the gap after its connection was cut', async () => {
		const redis = await server.connect();
		let gaps = 0;
		const heard: string[] = [];
		redis.topics.listen(
			'news',
			(payload) => heard.push(payload),
			() => (gaps += 1),
		);
		await eventually('a first word', async () => (await redis.handlers.publish('news', 'one')) > 0);
		await redis.handlers.client('KILL', 'TYPE', 'pubsub');
		await eventually('the gap', () => gaps === 1);
		heard.length = 0;
		await redis.handlers.publish('news', 'two');
		await eventually('the next word', () => heard.includes('two'));
	});

	test('OPS-15 close ends although a worker sits in a blocking read', async () => {
		const redis = await server.connect();
		const worker = redis.workers('blocked');
		const blocked = worker.blpop('nothing', 0).catch((error) => String(error));
		await redis.close();
		expect(await blocked).toMatch(/closed/i);
	});
});
