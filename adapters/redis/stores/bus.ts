import { z } from 'zod';
import type { ChatBus, TypingSignal } from '../../../core/chat/bus-port.ts';
import type { Leases } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { RedisUnavailable } from '../errors.ts';
import { createScript } from '../script.ts';
import { createServerClock } from '../server-clock.ts';
import type { Stored } from '../stored.ts';
import type { BusLimits } from './bus-limits.ts';
import { startBusReader } from './bus-reader.ts';

const LIMITS: BusLimits = { messages: 10_000, idMs: 86_400_000, leaseMs: 8_000, backlogMs: 600_000 };

/**
 * The deadline travels with the message: a Redis that was frozen and reads it late must not publish what the caller was
 * told had failed.
 *
 * KEYS stream, id; ARGV json, messages kept, ms that the id is known, deadline in the server's own time.
 */
const PUBLISH = createScript(`
local time = redis.call('TIME')
if tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > tonumber(ARGV[4]) then return -1 end
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[3]) then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'm', ARGV[1])
return 1
`);

const typingSchema: z.ZodType<TypingSignal> = z.looseObject({
	room: z.string(),
	source: z.string(),
	until: z.number(),
});

/** The chat bus: messages in a Redis stream, typing signals over pub/sub. */
export function createBus(redis: RedisConnection, stored: Stored, leases: Leases, limits: BusLimits = LIMITS): ChatBus {
	const { keys, topics } = redis;
	const stream = keys.bus('messages');
	const typingTopic = keys.topic('typing');
	const clock = createServerClock(redis);

	async function tryPublish(id: string, json: string): Promise<number> {
		const deadline = (await clock.now()) + redis.commandTimeoutMs * 0.8;
		return Number(
			await redis.run(PUBLISH, [stream, keys.bus(`id:${id}`)], [json, limits.messages, limits.idMs, deadline]),
		);
	}

	return {
		async publish(message) {
			const json = JSON.stringify(message);
			let result = await tryPublish(message.id, json);
			if (result < 0) {
				// Answered in time and yet too late: the server's clock was moved.
				clock.forget();
				result = await tryPublish(message.id, json);
			}
			if (result < 0) throw new RedisUnavailable('timeout', 'the message came too late and was not published');
			return result === 1 ? 'published' : 'duplicate';
		},
		async typing(signal) {
			await redis.ask((client) => client.publish(typingTopic, JSON.stringify(signal)));
		},
		consume: (group, handle) => startBusReader({ redis, stored, leases, limits, stream, group, handle }),
		onTyping: (listener) =>
			topics.listen(typingTopic, (payload) => {
				const signal = stored.parse(typingSchema, payload, typingTopic);
				if (signal) listener(signal);
			}),
	};
}
