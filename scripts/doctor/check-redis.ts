import { stat } from 'node:fs/promises';
import { createLog } from '../../adapters/observe/log.ts';
import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { RedisDenied, RedisUnavailable } from '../../adapters/redis/errors.ts';
import { checkPolicy, type PolicyReport, RedisUnfit } from '../../adapters/redis/policy.ts';
import { noRedisAdvice } from '../../adapters/redis/server/advice.ts';
import { findOnPath } from '../../adapters/redis/server/binary.ts';
import { RedisServerFailed } from '../../adapters/redis/server/errors.ts';
import { findUnpacked, hasApt } from '../../adapters/redis/server/packages.ts';
import { ping } from '../../adapters/redis/server/ping.ts';
import { preparePlace } from '../../adapters/redis/server/socket-path.ts';
import { BadRedisUrl, describeTarget, parseRedisUrl, type RedisTarget } from '../../adapters/redis/target.ts';
import { type Finding, findingsOf } from '../../core/operations/finding.ts';
import type { CheckContext, Checked } from './context.ts';

const { error, warning, info } = findingsOf('redis');

/** Version, eviction, persistence and memory of the Redis that a start would use. Nothing is started. */
export async function checkRedis(context: CheckContext): Promise<Checked> {
	const { environment } = context;
	if (environment.redisUrl !== undefined) {
		try {
			return await look(parseRedisUrl(environment.redisUrl), context);
		} catch (thrown) {
			if (!(thrown instanceof BadRedisUrl)) throw thrown;
			return {
				detail: 'REDIS_URL cannot be read',
				findings: [error('redis_url', thrown.message, 'Correct REDIS_URL in .env.')],
			};
		}
	}
	if (environment.redis === 'ephemeral')
		return {
			detail: 'inside the process',
			findings: [
				warning(
					'redis_ephemeral',
					'REDIS=ephemeral: nothing is kept when the bot ends.',
					'Take REDIS=ephemeral out of .env; a Redis is then found or started.',
				),
			],
		};
	return ownServer(context);
}

/** The private server: running, or what a start would do. */
async function ownServer(context: CheckContext): Promise<Checked> {
	const { environment, variables } = context;
	if (await stat(environment.dataDir).catch(() => undefined)) {
		try {
			const place = await preparePlace(environment.dataDir);
			const answer = await ping({ path: place.socket }, 2_000);
			if (answer === 'pong') return await look({ kind: 'socket', path: place.socket }, context);
			if (answer !== 'absent')
				return {
					detail: `our own on ${place.socket}`,
					findings: [
						error(
							'redis_silent',
							`Our own Redis on ${place.socket} is ${answer}.`,
							`If it only reads its files, wait. Else look at ${place.dir}/redis.log and end the process in ${place.dir}/redis.pid.`,
						),
					],
				};
		} catch (thrown) {
			if (!(thrown instanceof RedisServerFailed)) throw thrown;
			const findings = [
				error(
					'redis_folder',
					`${thrown.message}.`,
					'Give the folder to the user who starts the bot, or set MAJORDOMO_DATA.',
				),
			];
			return { detail: 'our own', findings };
		}
	}
	const { found, rejected } = await findOnPath(variables['PATH'] ?? '');
	const program = found ?? (await findUnpacked(environment.dataDir));
	if (program)
		return {
			detail: `not running; npm start starts ${program.flavour} ${program.version} (${program.path})`,
			findings: [],
		};
	if (await hasApt(variables))
		return { detail: "not running; npm start fetches the distribution's packages, once, without root", findings: [] };
	const localRedis = ['pong', 'denied'].includes(await ping({ host: '127.0.0.1', port: 6379 }, 500));
	const advice = noRedisAdvice({ rejected, problems: [], localRedis });
	return { detail: 'none', findings: [error('redis_none', 'No Redis can be had on this machine.', advice)] };
}

async function look(where: RedisTarget, context: CheckContext): Promise<Checked> {
	const { settings, deadlineMs, now } = context;
	const redis = createRedis({
		where,
		prefix: settings.redis.prefix,
		commandTimeoutMs: deadlineMs,
		log: createLog({ level: 'silent' }),
		now,
		name: 'majordomo-doctor',
	});
	const detail = describeTarget(where);
	try {
		await redis.ready(deadlineMs);
		await readClock(redis, context);
		const report = await checkPolicy(redis, { allowEviction: settings.redis.allowEviction }).catch(
			(thrown: unknown) => {
				if (thrown instanceof RedisUnfit) return thrown.report;
				throw thrown;
			},
		);
		return {
			detail: `${detail}, ${report.flavour} ${report.version}, kept by ${report.persistence}`,
			findings: report.findings.map(findingOf),
		};
	} catch (thrown) {
		if (thrown instanceof RedisDenied)
			return { detail, findings: [error('redis_denied', `${thrown.message}`, denied)] };
		if (thrown instanceof RedisUnavailable)
			return {
				detail,
				findings: [
					error(
						'redis_unreachable',
						`${thrown.message}.`,
						`Start the server at ${detail}, or correct REDIS_URL (rediss:// where it wants TLS); without REDIS_URL one is found or started.`,
					),
				],
			};
		throw thrown;
	} finally {
		await redis.close();
	}
}

const denied =
	'Put user and password into REDIS_URL: redis://user:password@host:6379 (special characters as %XX). An ACL user needs ~* &* +@all -@dangerous +info +config|get +client|setname +keys.';

/** What the start says too, with the commands that repair it. */
function findingOf({ severity, code, message, fix }: PolicyReport['findings'][number]): Finding {
	const make = severity === 'error' ? error : severity === 'warning' ? warning : info;
	return make(`redis_${code}`, `${message}.`, repairs[code] ?? fix);
}

const repairs: Partial<Record<PolicyReport['findings'][number]['code'], string>> = {
	evicts:
		'redis-cli CONFIG SET maxmemory-policy noeviction, and "maxmemory-policy noeviction" in redis.conf so that it stays (managed servers: their parameter group).',
	not_kept:
		'redis-cli CONFIG SET appendonly yes, and "appendonly yes" with "appendfsync everysec" in redis.conf so that it stays.',
};

async function readClock(redis: RedisConnection, { now, noteClock }: CheckContext): Promise<void> {
	const sentAt = now();
	const [seconds, micros] = await redis.ask((client) => client.time());
	const receivedAt = now();
	const theirs = Number(seconds) * 1_000 + Number(micros) / 1_000;
	noteClock({ source: 'Redis', aheadMs: theirs - (sentAt + receivedAt) / 2, uncertainMs: (receivedAt - sentAt) / 2 });
}
