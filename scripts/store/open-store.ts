import { createLog } from '../../adapters/observe/log.ts';
import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { findRedis } from '../../adapters/redis/server/find-redis.ts';
import type { Environment } from '../../config/env.ts';
import { loadConfig } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';

const READY_MS = 15_000;
/** Chores read whole rooms and queues at once; handlers of the house would not wait that long. */
const COMMAND_MS = 60_000;

export interface OpenStore {
	readonly redis: RedisConnection;
	readonly settings: Settings;
	readonly environment: Environment;
	close(): Promise<void>;
}

/** The Redis that the household itself would use, for a chore on the command line. */
export async function openStore(say: (line: string) => void): Promise<OpenStore> {
	const { environment, settings } = loadConfig({ check: 'none' });
	const found = await findRedis({
		dataDir: environment.dataDir,
		env: { ...process.env, REDIS_URL: environment.redisUrl },
		allowEphemeral: false,
		report: say,
	});
	if (found.kind === 'ephemeral') {
		await found.stop();
		throw new Error('REDIS=ephemeral keeps nothing, so there is nothing to work on');
	}
	const redis = createRedis({
		where: found.where,
		prefix: settings.redis.prefix,
		commandTimeoutMs: COMMAND_MS,
		log: createLog({ level: 'warn', format: 'pretty' }),
		now: Date.now,
		name: 'majordomo-chore',
	});
	const close = async () => {
		await redis.close();
		await found.stop();
	};
	try {
		await redis.ready(READY_MS);
	} catch (error) {
		await close();
		throw error;
	}
	say(`Redis: ${found.how}; prefix ${redis.prefix}`);
	return { redis, settings, environment, close };
}

/** Runs a chore and turns what it throws into one line; the exit code is 1 then. */
export async function runChore(chore: () => Promise<number>): Promise<void> {
	try {
		process.exitCode = await chore();
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
		process.exitCode = 1;
	}
}
