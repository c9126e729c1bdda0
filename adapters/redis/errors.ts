/** Why Redis could not be asked. */
export type UnavailableReason = 'connection' | 'timeout' | 'loading' | 'closed';

/**
 * Redis did not answer in time. The command may still have been carried out (a reply can be lost on its way), so
 * whatever is tried again must carry an id.
 */
export class RedisUnavailable extends Error {
	override readonly name = 'RedisUnavailable';
	readonly code = 'redis_unavailable';
	readonly reason: UnavailableReason;

	constructor(reason: UnavailableReason, detail: string, cause?: unknown) {
		super(`Redis cannot be reached (${reason}): ${detail}`, { cause });
		this.reason = reason;
	}
}

/** Redis answers but takes no writes; nothing was stored. */
class RedisRefusesWrites extends Error {
	override readonly name = 'RedisRefusesWrites';
	readonly code = 'redis_refuses_writes';
	readonly reason: 'out_of_memory' | 'read_only' | 'disk' | 'no_replicas';

	constructor(reason: RedisRefusesWrites['reason'], cause?: unknown) {
		super(`Redis takes no writes: ${writeRefusals[reason]}`, { cause });
		this.reason = reason;
	}
}

/** Redis wants other credentials, or its ACL forbids a command that we need. */
export class RedisDenied extends Error {
	override readonly name = 'RedisDenied';
	readonly code = 'redis_denied';

	constructor(detail: string, cause?: unknown) {
		super(`Redis refuses this user: ${detail}. Check user and password in REDIS_URL and the ACL.`, { cause });
	}
}

const writeRefusals: Record<RedisRefusesWrites['reason'], string> = {
	out_of_memory: 'its memory is full (raise maxmemory or remove data; the policy must stay noeviction)',
	read_only: 'it is a read-only replica (point REDIS_URL at the master)',
	disk: 'it cannot write its files (disk full or not writable; see its log)',
	no_replicas: 'too few replicas are connected (min-replicas-to-write)',
};

/** Turns what ioredis throws into one class per cause; anything else (a bug of ours) is handed back as it is. */
export function toRedisError(error: unknown): Error {
	if (!(error instanceof Error)) return new Error(String(error));
	const text = error.message;
	if (/\bOOM command not allowed/.test(text)) return new RedisRefusesWrites('out_of_memory', error);
	if (/\bREADONLY /.test(text)) return new RedisRefusesWrites('read_only', error);
	if (/\bMISCONF /.test(text)) return new RedisRefusesWrites('disk', error);
	if (/\bNOREPLICAS /.test(text)) return new RedisRefusesWrites('no_replicas', error);
	if (/^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b/.test(text))
		return new RedisUnavailable('loading', text, error);
	if (/^(NOAUTH|WRONGPASS|NOPERM)\b|invalid password/.test(text)) return new RedisDenied(text, error);
	if (/timed out/i.test(text)) return new RedisUnavailable('timeout', 'no reply in time', error);
	if (isConnectionTrouble(error)) return new RedisUnavailable('connection', text, error);
	return error;
}

function isConnectionTrouble(error: Error): boolean {
	const code = 'code' in error ? String(error.code) : '';
	return (
		/^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EACCES|EPROTO|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(
			code,
		) ||
		error.name === 'MaxRetriesPerRequestError' ||
		error.name === 'ClusterAllFailedError' ||
		error.name === 'AbortError' ||
		/Connection is closed|isn't writeable|connect E|All sentinels are unreachable|Cluster isn't ready/.test(
			error.message,
		)
	);
}
