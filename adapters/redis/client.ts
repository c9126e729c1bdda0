import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../../core/ports.ts';
import type { RedisTarget } from './target.ts';

/** What a client is for: `handler` fails at once, `worker` and `subscriber` wait for Redis to come back. */
export type ClientRole = 'handler' | 'worker' | 'subscriber';

export interface ClientSettings {
	readonly target: RedisTarget;
	readonly role: ClientRole;
	/** Shown in Redis' client list. */
	readonly name: string;
	readonly commandTimeoutMs: number;
	readonly log: Log;
	readonly now: () => number;
}

const QUIET_MS = 5_000;

/**
 * One ioredis client with the settings of its role and an error listener that never floods the log. A cluster client
 * has the same commands, so callers need not know which of the two they hold.
 */
export function createClient(settings: ClientSettings): Redis {
	const { target } = settings;
	const options = roleOptions(settings);
	const login = { username: target.username, password: target.password };
	const tls = target.kind !== 'socket' && target.tls ? {} : undefined;
	const db = target.kind === 'cluster' ? undefined : target.db;
	let client: Redis;
	if (target.kind === 'cluster') {
		const cluster = new Cluster([...target.nodes], {
			enableOfflineQueue: settings.role !== 'handler',
			maxRedirections: settings.role === 'handler' ? 4 : 16,
			clusterRetryStrategy: retryDelayMs,
			redisOptions: { ...options, ...login, tls },
		});
		client = cluster as unknown as Redis;
	} else if (target.kind === 'sentinel') {
		client = new Redis({
			...options,
			...login,
			tls,
			db,
			sentinels: [...target.nodes],
			name: target.master,
			sentinelRetryStrategy: retryDelayMs,
		});
	} else if (target.kind === 'socket') client = new Redis({ ...options, ...login, db, path: target.path });
	else client = new Redis({ ...options, ...login, tls, db, host: target.host, port: target.port });
	client.on('error', quietErrors(settings));
	return client;
}

function roleOptions({ role, name, commandTimeoutMs }: ClientSettings): RedisOptions {
	const base: RedisOptions = {
		connectionName: name,
		enableReadyCheck: true,
		retryStrategy: retryDelayMs,
		connectTimeout: 5_000,
		keepAlive: 10_000,
		// After a failover the old master answers READONLY; a fresh connection finds the new one.
		reconnectOnError: (error) => error.message.startsWith('READONLY'),
	};
	if (role !== 'handler') return { ...base, maxRetriesPerRequest: null };
	// A command that was under way when the connection broke is not sent twice behind the caller's back.
	return {
		...base,
		maxRetriesPerRequest: 1,
		enableOfflineQueue: false,
		autoResendUnfulfilledCommands: false,
		commandTimeout: commandTimeoutMs,
	};
}

/** Wait before try number `attempt`: 100 ms doubling, at most a second, for ever. */
function retryDelayMs(attempt: number): number {
	return Math.min(50 * 2 ** Math.min(attempt, 10), 1_000);
}

/** A dead Redis makes dozens of errors a second: one line each few seconds says the same. */
function quietErrors({ log, name, now }: ClientSettings): (error: Error) => void {
	let lastAt = Number.NEGATIVE_INFINITY;
	let unsaid = 0;
	return (error) => {
		const at = now();
		if (Math.abs(at - lastAt) < QUIET_MS) {
			unsaid += 1;
			return;
		}
		log.warn({ client: name, error: error.message, unsaid }, 'Redis connection trouble');
		lastAt = at;
		unsaid = 0;
	};
}
