import { z } from 'zod';
import type { MemorySlots, MemoryStore } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';

const slotSchema = z
	.string()
	.max(180)
	.regex(/^[^\p{Cc}]*$/u);

/** Three notes a room. A damaged note reads as an empty one. */
export function createMemoryStore(redis: RedisConnection, stored: Stored): MemoryStore {
	const key = (roomId: string) => redis.keys.room(roomId, 'memory');

	return {
		async read(roomId): Promise<MemorySlots> {
			const values = await redis.ask((client) => client.hmget(key(roomId), '1', '2', '3'));
			const slot = (index: number): string => {
				const text = slotSchema.safeParse(values[index] ?? '');
				if (!text.success) stored.report(`${key(roomId)} ${index + 1}`, 'not one short line');
				return text.success ? text.data : '';
			};
			return [slot(0), slot(1), slot(2)];
		},
		async write(roomId, slot, text) {
			await redis.ask((client) => client.hset(key(roomId), String(slot), slotSchema.parse(text)));
		},
		async clear(roomId) {
			await redis.ask((client) => client.del(key(roomId)));
		},
	};
}
