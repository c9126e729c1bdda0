import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis, type RedisConnection, type RedisSettings } from '../../adapters/redis/connection.ts';
import { findOnPath, isServerBinary, probeBinary, type ServerBinary } from '../../adapters/redis/server/binary.ts';
import { startPrivateServer } from '../../adapters/redis/server/private-server.ts';
import { preparePlace } from '../../adapters/redis/server/socket-path.ts';
import { isAlive } from '../../adapters/redis/server/start-lock.ts';
import { parseRedisUrl, type RedisTarget } from '../../adapters/redis/target.ts';
import type { Log } from '../../core/ports.ts';

/** A log that says nothing, or hands each line to `hear`. */
export function testLog(hear: (level: string, fields: object, message: string) => void = () => undefined): Log {
	const level = (name: string) => (fields: object, message: string) => hear(name, fields, message);
	const log: Log = {
		debug: level('debug'),
		info: level('info'),
		warn: level('warn'),
		error: level('error'),
		child: () => log,
	};
	return log;
}

/** One real Redis for a test file. */
export interface TestRedis {
	readonly where: RedisTarget;
	readonly prefix: string;
	/** A connection that has answered once; it is closed by `stop`. */
	connect(overrides?: Partial<RedisSettings>): Promise<RedisConnection>;
	/** Removes everything under the prefix; call it between tests. */
	flush(): Promise<void>;
	stop(): Promise<void>;
	/** SIGKILL, as the kernel does when memory runs out. */
	killHard(): Promise<void>;
	/** Starts it again after `killHard`, or kills it first; `empty` throws its files away. */
	restart(options?: { empty?: boolean; flags?: readonly string[] }): Promise<void>;
	/** Freezes the process for so long. */
	pause(ms: number): Promise<void>;
	/** Process id of the private server. */
	pid(): number;
}

/** The server program: the one that `npm test` found, else one on PATH. */
export async function testBinary(env: NodeJS.ProcessEnv = process.env): Promise<ServerBinary> {
	if (env.TEST_REDIS_BINARY) {
		const given = await probeBinary(env.TEST_REDIS_BINARY, env.TEST_REDIS_LIBRARIES || undefined);
		if (isServerBinary(given)) return given;
		throw new Error(`TEST_REDIS_BINARY: ${given.why}`);
	}
	const { found } = await findOnPath(env.PATH ?? '');
	if (!found) throw new Error('no redis-server on PATH; run the tests with `npm test`, which finds one');
	return found;
}

/**
 * A private server on a socket in a temporary folder. With REDIS_URL in the environment that one is used under a prefix
 * of its own, unless `own` is set: tests that kill their Redis must not kill somebody else's.
 */
export async function startTestRedis(
	options: { own?: boolean; flags?: readonly string[]; binary?: ServerBinary } = {},
): Promise<TestRedis> {
	const prefix = `t${randomUUID().slice(0, 8)}`;
	const url = options.own || options.flags || options.binary ? undefined : process.env.REDIS_URL;
	const dir = await mkdtemp(join(tmpdir(), 'mj-redis-'));
	const place = await preparePlace(dir);
	const where: RedisTarget = url ? parseRedisUrl(url) : { kind: 'socket', path: place.socket };
	const connections: RedisConnection[] = [];
	let serverPid = url ? 0 : await startPrivateServer(options.binary ?? (await testBinary()), place, options.flags);

	function pid(): number {
		if (url) throw new Error('this test needs a server of its own: startTestRedis({ own: true })');
		return serverPid;
	}

	async function kill(): Promise<void> {
		const victim = pid();
		if (isAlive(victim)) process.kill(victim, 'SIGKILL');
		for (let tries = 0; isAlive(victim) && tries < 500; tries += 1) await sleep(10);
	}

	async function connect(overrides: Partial<RedisSettings> = {}): Promise<RedisConnection> {
		const redis = createRedis({ where, prefix, commandTimeoutMs: 5_000, log: testLog(), now: Date.now, ...overrides });
		connections.push(redis);
		await redis.ready(20_000);
		return redis;
	}

	async function flush(): Promise<void> {
		const redis = await connect();
		if (!url) await redis.handlers.flushall();
		else
			for await (const found of redis.handlers.scanStream({ match: redis.keys.all, count: 500 })) {
				if (found.length > 0) await redis.handlers.unlink(...found);
			}
		await redis.close();
	}

	return {
		where,
		prefix,
		connect,
		flush,
		pid,
		killHard: kill,
		async restart({ empty = false, flags = options.flags } = {}) {
			await kill();
			if (empty) await rm(join(place.dir, 'appendonlydir'), { recursive: true, force: true });
			serverPid = await startPrivateServer(options.binary ?? (await testBinary()), place, flags);
		},
		async pause(ms) {
			process.kill(pid(), 'SIGSTOP');
			await sleep(ms);
			process.kill(pid(), 'SIGCONT');
		},
		async stop() {
			if (url) await flush();
			await Promise.all(connections.map((redis) => redis.close()));
			if (!url) await kill();
			await rm(dir, { recursive: true, force: true });
		},
	};
}

/** Asks again until `check` gives something truthy; fails with `what` after `deadlineMs`. */
export async function eventually<T>(
	what: string,
	check: () => T | Promise<T>,
	deadlineMs = 20_000,
): Promise<NonNullable<T>> {
	const end = Date.now() + deadlineMs;
	for (;;) {
		const value = await check();
		if (value) return value as NonNullable<T>;
		if (Date.now() > end) throw new Error(`did not happen in ${deadlineMs} ms: ${what}`);
		await sleep(20);
	}
}
