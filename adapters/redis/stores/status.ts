import type { z } from 'zod';
import type { StatusStore } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

/** KEYS status; ARGV json, topic, room id. */
const WRITE = createScript(`
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
`);

/** Panel documents by room. One that does not fit `schema` (another version wrote it) reads as absent. */
export function createStatusStore<Status>(
	redis: RedisConnection,
	stored: Stored,
	schema: z.ZodType<Status>,
	part: 'status' | 'commentary' | 'world' = 'status',
): StatusStore<Status> {
	const topic = redis.keys.topic(`${part}-written`);
	const key = (roomId: string) => redis.keys.room(roomId, part);
	return {
		async read(roomId) {
			return stored.parse(schema, await redis.ask((client) => client.get(key(roomId))), key(roomId));
		},
		async write(roomId, status) {
			await redis.run(WRITE, [key(roomId)], [JSON.stringify(status), topic, roomId]);
		},
		onWrite: (listener) => redis.topics.listen(topic, listener),
	};
}
