import type { UsageStore } from '../../../core/usage/usage-store.ts';
import type { RedisConnection } from '../connection.ts';

/** Longer than a year of charts. */
const KEPT_S = 400 * 86_400;

/** Sums by day, each day a hash that forgets itself. */
export function createUsageStore(redis: RedisConnection): UsageStore {
	const key = (day: string) => redis.keys.usage(day);
	return {
		async add(day, amounts) {
			const entries = Object.entries(amounts).filter(([, amount]) => amount !== 0);
			if (entries.length === 0) return;
			await redis.ask((client) => {
				const step = client.multi();
				for (const [field, amount] of entries) step.hincrbyfloat(key(day), field, amount);
				return step.expire(key(day), KEPT_S).exec();
			});
		},
		async read(days) {
			const found = await Promise.all(days.map((day) => redis.ask((client) => client.hgetall(key(day)))));
			return days.map((day, index) => ({
				day,
				amounts: Object.fromEntries(
					Object.entries(found[index] ?? {}).map(([field, text]) => [field, Number(text)] as const),
				),
			}));
		},
	};
}
