import { z } from 'zod';
import type { IntakeAudit, IntakeAuditRow, ModelCallText } from '../../../core/intake/intake-audit.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import { createIntakeKeys } from './intake-keys.ts';
import type { Sealer } from './sealer.ts';

const PAGE = 100;
const MAX_ROWS = 100_000;
const CALLS_KEPT = 64;

/**
 * A row that was written before is known by its id for as long as rows are kept.
 *
 * KEYS rows, ids; ARGV id, session, what, sealed, rows kept, ms kept.
 */
const APPEND = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000
if redis.call('ZADD', KEYS[2], 'NX', now, ARGV[1]) == 0 then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[6]))
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[5], '*', 'id', ARGV[1], 'session', ARGV[2], 'what', ARGV[3], 'row', ARGV[4])
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', math.max(0, now - tonumber(ARGV[6]))))
return 1
`);

/** KEYS session, calls; ARGV sealed, calls kept. A call that ends after its session was deleted leaves nothing. */
const KEEP_CALL = createScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
return 1
`);

const entries = z.array(z.tuple([z.string(), z.array(z.string())]));

/** One stream of rows, each sealed: even a canonical fact is made of a person's words. */
export function createIntakeAudit(deps: {
	redis: RedisConnection;
	stored: Stored;
	sealer: Sealer;
	retainMs(): number;
}): IntakeAudit {
	const { redis, stored, sealer } = deps;
	const keys = createIntakeKeys(redis.prefix);

	function parse([, fields]: z.infer<typeof entries>[number]): IntakeAuditRow | undefined {
		const [, id = '', , sessionId = '', , , , sealed = ''] = fields;
		try {
			return { id, sessionId, entry: JSON.parse(sealer.open(sealed, `${sessionId}|audit|${id}`)) };
		} catch {
			stored.report(keys.audit, 'a row cannot be read');
			return undefined;
		}
	}

	return {
		async append({ id, sessionId, entry }) {
			const sealed = sealer.seal(JSON.stringify(entry), `${sessionId}|audit|${id}`);
			await redis.run(
				APPEND,
				[keys.audit, keys.auditIds],
				[id, sessionId, entry.what, sealed, MAX_ROWS, deps.retainMs()],
			);
		},

		async query({ sessionId, what, limit }) {
			const found: IntakeAuditRow[] = [];
			for (let end = '+'; found.length < limit; ) {
				const page = entries.parse(await redis.ask((client) => client.xrevrange(keys.audit, end, '-', 'COUNT', PAGE)));
				for (const entry of page) {
					const [, , , session, , kind] = entry[1];
					if (sessionId !== undefined && session !== sessionId) continue;
					if (what !== undefined && kind !== what) continue;
					const row = parse(entry);
					if (row) found.push(row);
				}
				const last = page.at(-1);
				if (!last || page.length < PAGE) break;
				end = `(${last[0]}`;
			}
			return found.slice(0, limit);
		},

		async keepCall(sessionId, call) {
			const sealed = sealer.seal(JSON.stringify(call), `${sessionId}|call`);
			await redis.run(KEEP_CALL, [keys.session(sessionId), keys.calls(sessionId)], [sealed, CALLS_KEPT]);
		},

		async calls(sessionId) {
			const lines = await redis.ask((client) => client.lrange(keys.calls(sessionId), 0, -1));
			return lines.flatMap((line): ModelCallText[] => {
				try {
					return [JSON.parse(sealer.open(line, `${sessionId}|call`))];
				} catch {
					stored.report(keys.calls(sessionId), 'a call cannot be read');
					return [];
				}
			});
		},
	};
}
