import { z } from 'zod';
import { canonicalJson } from '../../../core/intake/canonical-json.ts';
import { type HandoffPacket, handoffPacket } from '../../../core/intake/handoff-packet.ts';
import { sha256 } from '../../../core/intake/hash.ts';
import type { Delivery, InboxEntry, InboxStore } from '../../../core/intake/inbox.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import { createIntakeKeys } from './intake-keys.ts';
import type { Sealer } from './sealer.ts';

/** KEYS packet, index; ARGV id, head, sealed, at, then sink and delivery in turn. */
const PUT = createScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'head', ARGV[2], 'body', ARGV[3])
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[1], 'sink:' .. ARGV[i], ARGV[i + 1]) end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
return 1
`);

/**
 * KEYS packet; ARGV sink, delivery before, delivery now. Gives 0 when somebody was faster. The content goes with the last
 * sink that has it.
 */
const SETTLE = createScript(`
local field = 'sink:' .. ARGV[1]
if redis.call('HGET', KEYS[1], field) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], field, ARGV[3])
for _, value in ipairs(redis.call('HGETALL', KEYS[1])) do
  if string.sub(value, 1, 1) == '{' then
    local ok, item = pcall(cjson.decode, value)
    if ok and item.state and item.state ~= 'delivered' then return 1 end
  end
end
redis.call('HDEL', KEYS[1], 'body')
return 1
`);

const headSchema = z.object({ sessionId: z.string(), projectName: z.string(), hash: z.string(), at: z.number() });
const deliverySchema = z.object({
	state: z.enum(['waiting', 'delivered', 'dead']),
	attempts: z.number(),
	problem: z.string().optional(),
	updatedAt: z.number(),
	generation: z.number(),
});

/** Headers of packets older than this go; content that waits keeps its header. */
const HEADERS_MS = 90 * 86_400_000;

/** Packets in Redis, sealed. */
export function createInboxStore(deps: { redis: RedisConnection; stored: Stored; sealer: Sealer }): InboxStore {
	const { redis, stored, sealer } = deps;
	const keys = createIntakeKeys(redis.prefix);

	const headOf = (packet: HandoffPacket) => ({
		sessionId: packet.sessionId,
		projectName: packet.body.PROJECT_NAME,
		hash: sha256(canonicalJson(packet)),
		at: packet.at,
	});

	async function entry(packetId: string): Promise<InboxEntry | undefined> {
		const key = keys.packet(packetId);
		const fields = await redis.ask((client) => client.hgetall(key));
		const head = fields['head'] === undefined ? undefined : openHead(packetId, fields['head']);
		if (!head) return undefined;
		const deliveries = Object.entries(fields).flatMap(([field, text]): Delivery[] => {
			if (!field.startsWith('sink:')) return [];
			const delivery = stored.parse(deliverySchema, text, `${key} ${field}`);
			return delivery ? [{ sink: field.slice(5), ...delivery }] : [];
		});
		deliveries.sort((a, b) => (a.sink < b.sink ? -1 : 1));
		return { packetId, ...head, deliveries, hasContent: fields['body'] !== undefined };
	}

	/** The project's name comes from a person's words, so the head is sealed too. */
	function openHead(packetId: string, sealed: string): z.infer<typeof headSchema> | undefined {
		try {
			return headSchema.parse(JSON.parse(sealer.open(sealed, `${packetId}|packet-head`)));
		} catch {
			stored.report(keys.packet(packetId), 'its head cannot be read');
			return undefined;
		}
	}

	async function change(
		packetId: string,
		sink: string,
		next: (delivery: Delivery) => Omit<Delivery, 'sink'> | undefined,
	): Promise<InboxEntry | undefined> {
		for (;;) {
			const before = await redis.ask((client) => client.hget(keys.packet(packetId), `sink:${sink}`));
			const delivery = stored.parse(deliverySchema, before, `${keys.packet(packetId)} ${sink}`);
			const after = delivery && next({ sink, ...delivery });
			if (before === null || !after) return undefined;
			const text = JSON.stringify(after);
			if ((await redis.run(SETTLE, [keys.packet(packetId)], [sink, before, text])) === 1) return entry(packetId);
		}
	}

	return {
		entry,

		async put(packet, sinks, now) {
			const waiting = JSON.stringify({ state: 'waiting', attempts: 0, updatedAt: now, generation: 0 });
			await redis.run(
				PUT,
				[keys.packet(packet.id), keys.packets],
				[
					packet.id,
					sealer.seal(JSON.stringify(headOf(packet)), `${packet.id}|packet-head`),
					sealer.seal(JSON.stringify(packet), `${packet.id}|packet`),
					now,
					...sinks.flatMap((sink) => [sink, waiting]),
				],
			);
			await forgetOld(now);
			const stored = await entry(packet.id);
			if (!stored) throw new Error(`packet ${packet.id} was stored and is not there`);
			return stored;
		},

		async packet(packetId) {
			const sealed = await redis.ask((client) => client.hget(keys.packet(packetId), 'body'));
			if (sealed === null) return undefined;
			try {
				return handoffPacket.parse(JSON.parse(sealer.open(sealed, `${packetId}|packet`)));
			} catch {
				stored.report(keys.packet(packetId), 'the packet cannot be read');
				return undefined;
			}
		},

		settle: (packetId, sink, { state, problem }, now) =>
			change(packetId, sink, (before) => ({
				state,
				attempts: before.attempts + 1,
				...(problem === undefined ? {} : { problem }),
				updatedAt: now,
				generation: before.generation,
			})),

		async replay(packetId, sink, now) {
			const hasContent = await redis.ask((client) => client.hexists(keys.packet(packetId), 'body'));
			if (hasContent === 0) return undefined;
			return change(packetId, sink, (before) => ({
				state: 'waiting',
				attempts: before.attempts,
				updatedAt: now,
				generation: before.generation + 1,
			}));
		},

		async list({ state, limit }) {
			const found: InboxEntry[] = [];
			for (let from = 0; found.length < limit; from += 100) {
				const ids = await redis.ask((client) => client.zrevrange(keys.packets, from, from + 99));
				for (const item of await Promise.all(ids.map(entry)))
					if (item && (state === undefined || item.deliveries.some((delivery) => delivery.state === state)))
						found.push(item);
				if (ids.length < 100) break;
			}
			return found.slice(0, limit);
		},
	};

	async function forgetOld(now: number): Promise<void> {
		const old = await redis.ask((client) =>
			client.zrangebyscore(keys.packets, '-inf', now - HEADERS_MS, 'LIMIT', 0, 100),
		);
		for (const id of old) {
			if ((await redis.ask((client) => client.hexists(keys.packet(id), 'body'))) === 1) continue;
			await redis.ask((client) => client.del(keys.packet(id)));
			await redis.ask((client) => client.zrem(keys.packets, id));
		}
	}
}
