import type { RedisConnection } from './connection.ts';
import { toRedisError } from './errors.ts';
import { isNewEnough } from './server/binary.ts';

export type PolicyFinding = {
	readonly severity: 'error' | 'warning' | 'info';
	readonly code:
		| 'too_old'
		| 'evicts'
		| 'policy_unknown'
		| 'not_kept'
		| 'persistence_unknown'
		| 'memory_high'
		| 'write_errors';
	readonly message: string;
	/** What an operator can do. */
	readonly fix: string;
};

/** What this Redis is and does with our data, as far as it lets itself be asked. */
export interface PolicyReport {
	/** e.g. `7.0.15`, or `unknown`. */
	readonly version: string;
	readonly flavour: 'redis' | 'valkey';
	/** `maxmemory-policy`, or `unknown` where the server tells nobody. */
	readonly eviction: string;
	readonly persistence: 'aof' | 'rdb' | 'none' | 'unknown';
	readonly findings: readonly PolicyFinding[];
}

/** This Redis would lose jobs: the report says why. */
export class RedisUnfit extends Error {
	override readonly name = 'RedisUnfit';
	readonly code = 'redis_unfit';
	readonly report: PolicyReport;

	constructor(report: PolicyReport) {
		const errors = report.findings.filter((finding) => finding.severity === 'error');
		super(errors.map((finding) => `${finding.message}. ${finding.fix}`).join(' '));
		this.report = report;
	}
}

/**
 * Looks at version, eviction policy and persistence. Rejects with RedisUnfit when the server is too old, or evicts keys
 * and `allowEviction` is not set. A server that forbids to be asked is not refused: the report says that it is unknown.
 */
export async function checkPolicy(redis: RedisConnection, options: { allowEviction: boolean }): Promise<PolicyReport> {
	const info = await readInfo(redis);
	const config = {
		eviction: info['maxmemory_policy'] ?? (await readConfig(redis, 'maxmemory-policy')),
		save: await readConfig(redis, 'save'),
	};
	const report = assessPolicy(info, config, options);
	if (report.findings.some((finding) => finding.severity === 'error')) throw new RedisUnfit(report);
	return report;
}

/** Pure part of `checkPolicy`: `info` holds the fields of INFO, `config` what CONFIG GET told, if anything. */
export function assessPolicy(
	info: Readonly<Record<string, string>>,
	config: { readonly eviction?: string; readonly save?: string },
	{ allowEviction }: { allowEviction: boolean },
): PolicyReport {
	const eviction = config.eviction ?? 'unknown';
	const version = info['valkey_version'] ?? info['redis_version'] ?? 'unknown';
	const persistence = persistenceOf(info, config.save);
	const findings: PolicyFinding[] = [];
	if (version !== 'unknown' && !isNewEnough(version))
		findings.push({
			severity: 'error',
			code: 'too_old',
			message: `Redis ${version} is too old`,
			fix: 'Use Redis 6.2 or newer, or Valkey.',
		});
	if (eviction === 'unknown')
		findings.push({
			severity: 'warning',
			code: 'policy_unknown',
			message: 'This Redis does not tell its maxmemory-policy',
			fix: 'Make sure that it is noeviction, or jobs may vanish.',
		});
	else if (eviction !== 'noeviction')
		findings.push({
			severity: allowEviction ? 'warning' : 'error',
			code: 'evicts',
			message: `This Redis throws keys away when memory is full (maxmemory-policy ${eviction}), jobs and sessions among them`,
			fix: 'Set maxmemory-policy noeviction, or set redis.allowEviction for trying things out.',
		});
	if (persistence === 'none')
		findings.push({
			severity: 'warning',
			code: 'not_kept',
			message: 'This Redis keeps nothing over a restart',
			fix: 'Set appendonly yes (appendfsync everysec).',
		});
	if (persistence === 'unknown')
		findings.push({
			severity: 'info',
			code: 'persistence_unknown',
			message: 'This Redis does not tell whether it keeps data over a restart',
			fix: 'Make sure that appendonly is on.',
		});
	if (info['aof_last_write_status'] === 'err' || info['rdb_last_bgsave_status'] === 'err')
		findings.push({
			severity: 'warning',
			code: 'write_errors',
			message: 'This Redis could not write its files the last time',
			fix: 'Look for a full disk and at its log.',
		});
	const used = Number(info['used_memory'] ?? 0);
	const limit = Number(info['maxmemory'] ?? 0);
	if (limit > 0 && used / limit > 0.7)
		findings.push({
			severity: 'warning',
			code: 'memory_high',
			message: `This Redis uses ${Math.round((used / limit) * 100)} % of its memory`,
			fix: 'Raise maxmemory before it refuses writes.',
		});
	return { version, flavour: info['valkey_version'] ? 'valkey' : 'redis', eviction, persistence, findings };
}

function persistenceOf(info: Readonly<Record<string, string>>, save: string | undefined): PolicyReport['persistence'] {
	if (info['aof_enabled'] === '1') return 'aof';
	if (save === undefined || info['aof_enabled'] === undefined) return 'unknown';
	return save === '' ? 'none' : 'rdb';
}

async function readInfo(redis: RedisConnection): Promise<Record<string, string>> {
	try {
		return parseInfo(await redis.handlers.info());
	} catch (error) {
		const known = toRedisError(error);
		if ('code' in known && known.code === 'redis_unavailable') throw known;
		return {};
	}
}

/** Fields of INFO's text. */
export function parseInfo(text: string): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const line of text.split('\n')) {
		const colon = line.indexOf(':');
		if (colon > 0 && !line.startsWith('#')) fields[line.slice(0, colon)] = line.slice(colon + 1).trim();
	}
	return fields;
}

/** Managed servers often forbid CONFIG: then nobody knows. */
async function readConfig(redis: RedisConnection, name: string): Promise<string | undefined> {
	const reply = await redis.handlers.config('GET', name).catch(() => undefined);
	return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
}
