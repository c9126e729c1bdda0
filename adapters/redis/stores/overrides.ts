import { z } from 'zod';
import type { OverrideStore, Overrides } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

const stage = z.enum(['off', 'observe', 'chat', 'full']);
const runtime = z.enum(['overseer', 'commentary', 'off']);

/** KEYS overrides; ARGV field, value, … where an empty value takes the override back. */
const SET = createScript(`
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[i]) else redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return 1
`);

/** What commands changed. A value that cannot be read counts as `off`, never as what the configuration file says. */
export function createOverrideStore(redis: RedisConnection, stored: Stored): OverrideStore {
	const key = (roomId: string) => redis.keys.room(roomId, 'overrides');

	return {
		async read(roomId): Promise<Overrides> {
			const [stageText, runtimeText] = await redis.ask((client) => client.hmget(key(roomId), 'stage', 'runtime'));
			const value = <T extends string>(
				schema: z.ZodType<T>,
				text: string | null | undefined,
				off: T,
				name: string,
			): T | undefined => {
				if (text === null || text === undefined) return undefined;
				const found = schema.safeParse(text);
				if (found.success) return found.data;
				stored.report(`${key(roomId)} ${name}`, 'unknown value');
				return off;
			};
			const stageValue = value(stage, stageText, 'off', 'stage');
			const runtimeValue = value(runtime, runtimeText, 'off', 'runtime');
			return { ...(stageValue && { stage: stageValue }), ...(runtimeValue && { runtime: runtimeValue }) };
		},
		/** A field that is absent stays; one that is present and undefined goes back to the configuration file. */
		async set(roomId, change) {
			const args = (['stage', 'runtime'] as const).flatMap((name) =>
				name in change ? [name, change[name] ?? ''] : [],
			);
			if (args.length > 0) await redis.run(SET, [key(roomId)], args);
		},
	};
}
