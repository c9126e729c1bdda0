import { z } from 'zod';
import type { Audit, AuditRow } from '../../../core/tooling/call.ts';
import type { RedisConnection } from '../connection.ts';
import { auditRowSchema } from '../schema/audit-row.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

export interface AuditLimits {
	/** About this many rows are kept a room. */
	readonly maxRows: number;
	/** Rows older than this go when the next one comes. */
	readonly retainMs: number;
}

/** The audit with what only an export needs. */
export interface RedisAudit extends Audit {
	/** All rows as JSON lines, oldest first within a room; of one room or of every room in turn. */
	exportLines(room?: string): AsyncGenerator<string>;
}

const PAGE = 50;

/** Ages by the server's own clock, which made the ids too. KEYS rows; ARGV json, rows kept, ms kept. */
const APPEND = createScript(`
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'row', ARGV[1])
local now = redis.call('TIME')
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', math.max(0, now[1] * 1000 - tonumber(ARGV[3]))))
return 1
`);

const entriesSchema = z.array(z.tuple([z.string(), z.array(z.string())]));
type Entry = z.infer<typeof entriesSchema>[number];

/** One stream of rows a room. Append-only: there is no way here to change or remove a row. */
export function createAudit(redis: RedisConnection, stored: Stored, limits: AuditLimits): RedisAudit {
	const rowsKey = (room: string) => redis.keys.room(room, 'audit');
	const roomsKey = redis.keys.audit('rooms');

	function parse([id, fields]: Entry, key: string): AuditRow | undefined {
		return stored.parse(auditRowSchema, fields[1] ?? '', `${key} ${id}`);
	}

	async function* newestFirst(room: string): AsyncGenerator<AuditRow> {
		const key = rowsKey(room);
		for (let end = '+'; ; ) {
			const page = entriesSchema.parse(await redis.ask((client) => client.xrevrange(key, end, '-', 'COUNT', PAGE)));
			for (const entry of page) {
				const row = parse(entry, key);
				if (row) yield row;
			}
			const last = page.at(-1);
			if (!last || page.length < PAGE) return;
			end = `(${last[0]}`;
		}
	}

	async function rooms(): Promise<string[]> {
		return (await redis.ask((client) => client.smembers(roomsKey))).sort();
	}

	return {
		async append(row) {
			// First the index: a room without rows there is harmless, rows that no query finds are not.
			await redis.ask((client) => client.sadd(roomsKey, row.room));
			await redis.run(APPEND, [rowsKey(row.room)], [JSON.stringify(row), limits.maxRows, limits.retainMs]);
		},

		async query({ room, tool, step, before, limit }) {
			const found: AuditRow[] = [];
			for (const id of room === undefined ? await rooms() : [room]) {
				let taken = 0;
				for await (const row of newestFirst(id)) {
					if (taken >= limit) break;
					if ((tool !== undefined && row.tool !== tool) || (step !== undefined && row.step !== step)) continue;
					if (before !== undefined && row.at >= before) continue;
					found.push(row);
					taken += 1;
				}
			}
			return found.sort((a, b) => b.at - a.at).slice(0, limit);
		},

		async *exportLines(room) {
			for (const id of room === undefined ? await rooms() : [room]) {
				const key = rowsKey(id);
				for (let start = '-'; ; ) {
					const page = entriesSchema.parse(await redis.ask((client) => client.xrange(key, start, '+', 'COUNT', PAGE)));
					for (const entry of page) {
						const row = parse(entry, key);
						if (row) yield JSON.stringify(row);
					}
					const last = page.at(-1);
					if (!last || page.length < PAGE) break;
					start = `(${last[0]}`;
				}
			}
		},
	};
}
