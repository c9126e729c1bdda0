import type { RoomNudges } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';

/** Nudges over pub/sub: at most once, and that is enough, since a room that nobody nudged is still due. */
export function createNudges(redis: RedisConnection): RoomNudges {
	const topic = redis.keys.topic('nudge');
	return {
		async send(roomId) {
			await redis.ask((client) => client.publish(topic, roomId));
		},
		onNudge: (listener) => redis.topics.listen(topic, listener),
	};
}
