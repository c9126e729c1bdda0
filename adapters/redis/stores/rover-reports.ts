import type { RoverReports } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { roverReportSchema } from '../schema/rover-report.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

const STALE_MS = 120_000;

/** Reports may overtake each other on the network. Each is kept as "<at> <json>". KEYS rovers; ARGV rover id, at, json. */
const WRITE = createScript(`
local at = tonumber(string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%S+'))
if at and at > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return 1
`);

/** Newest report of each rover. One that has not reported for two minutes reads as not available. */
export function createRoverReports(redis: RedisConnection, stored: Stored): RoverReports {
	const key = (roomId: string) => redis.keys.room(roomId, 'rovers');
	return {
		async read(roomId) {
			const now = redis.now();
			const values = await redis.ask((client) => client.hgetall(key(roomId)));
			return Object.keys(values)
				.sort()
				.flatMap((id) => {
					const text = values[id] ?? '';
					const report = stored.parse(roverReportSchema, text.slice(text.indexOf(' ') + 1), `${key(roomId)} ${id}`);
					if (!report) return [];
					return [now - report.at > STALE_MS ? { ...report.rover, available: false } : report.rover];
				});
		},
		async write(roomId, rover, at) {
			await redis.run(WRITE, [key(roomId)], [rover.id, Math.round(at), JSON.stringify({ at, rover })]);
		},
	};
}
