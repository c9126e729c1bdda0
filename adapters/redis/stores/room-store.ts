import { z } from 'zod';
import type { NumberedMessage } from '../../../core/chat/message.ts';
import { FRESH_GATE, type GateState } from '../../../core/overseer/gate-state.ts';
import { bucketOf } from '../../../core/overseer/room-bucket.ts';
import type { RoomSnapshot, RoomStore } from '../../../core/overseer/room-store.ts';
import type { NumberedEvent } from '../../../core/overseer/trigger.ts';
import type { RedisConnection } from '../connection.ts';
import { createLineCache, type LineCache } from '../line-cache.ts';
import { chatMessageSchema } from '../schema/chat-message.ts';
import { gateStateSchema } from '../schema/gate-state.ts';
import { worldEventSchema } from '../schema/world-event.ts';
import type { Stored } from '../stored.ts';
import { ADD_CONTEXT, APPEND, COMMIT, MARK_DUE, READ } from './room-scripts.ts';

export interface RoomStoreLimits {
	/** Lines and events kept a room. */
	readonly messages: number;
	readonly events: number;
	/** Ids remembered a room, so that a late redelivery is still known. */
	readonly ids: number;
	readonly ownContextMs: number;
}

const LIMITS: RoomStoreLimits = { messages: 400, events: 200, ids: 4_000, ownContextMs: 300_000 };

/** Rooms whose parsed lines are kept: a few dozen lines each. */
const CACHED_ROOMS = 2_000;

const replySchema = z.tuple([
	z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]),
	z.array(z.string()),
	z.array(z.string()),
	z.array(z.string()),
]);

/** Rooms in Redis. Each method is one call; `read` sees all parts of a room at one moment. */
export function createRoomStore(redis: RedisConnection, stored: Stored, limits: RoomStoreLimits = LIMITS): RoomStore {
	const { keys } = redis;
	const messageLines = createLineCache<NumberedMessage>(CACHED_ROOMS);
	const eventLines = createLineCache<NumberedEvent>(CACHED_ROOMS);
	const dueKey = (roomId: string) => keys.due(bucketOf(roomId));

	async function append(roomId: string, kind: 'message' | 'event', item: { readonly id: string }): Promise<boolean> {
		const seq = await redis.run(
			APPEND,
			[keys.room(roomId, 'head'), keys.room(roomId, `${kind}s`), keys.room(roomId, `${kind}-ids`), dueKey(roomId)],
			[`${kind}-seq`, item.id, JSON.stringify(item), limits[`${kind}s`], limits.ids, roomId, redis.now()],
		);
		return Number(seq) > 0;
	}

	function numbered<T extends object>(
		cache: LineCache<T & { seq: number }>,
		schema: z.ZodType<T>,
		lines: readonly string[],
		key: string,
	): (T & { seq: number })[] {
		return cache.read(key, lines, (line) => {
			const space = line.indexOf(' ');
			const seq = Number(line.slice(0, space));
			if (space < 1 || !Number.isInteger(seq)) {
				stored.report(key, 'a line without a number');
				return undefined;
			}
			const value = stored.parse(schema, line.slice(space + 1), `${key} #${seq}`);
			return value && { ...value, seq };
		});
	}

	/** A gate that cannot be read starts behind everything there is: better one lost trigger than old ones decided again. */
	function readGate(text: string, key: string, messageCursor: number, eventCursor: number): GateState {
		if (text === '') return FRESH_GATE;
		return stored.parse(gateStateSchema, text, key) ?? { ...FRESH_GATE, messageCursor, eventCursor };
	}

	return {
		addMessage: (message) => append(message.room, 'message', message),
		addEvent: (roomId, event) => append(roomId, 'event', event),

		async read(roomId, wanted): Promise<RoomSnapshot> {
			const key = (part: Parameters<typeof keys.room>[1]) => keys.room(roomId, part);
			const reply = await redis.run(
				READ,
				[key('head'), key('messages'), key('events'), key('own-contexts')],
				[wanted.messages, wanted.events, redis.now()],
			);
			const [[version, gate, reset, messageSeq, eventSeq], messages, events, ownContexts] = replySchema.parse(reply);
			return {
				roomId,
				version: Number(version),
				gate: readGate(gate, `${key('head')} gate`, Number(messageSeq), Number(eventSeq)),
				messages: numbered(messageLines, chatMessageSchema, messages, key('messages')),
				events: numbered(eventLines, worldEventSchema, events, key('events')),
				ownContexts,
				contextResetAt: Number(reset) || 0,
			};
		},

		async commit(roomId, version, gate, dueAt, seen) {
			const written = await redis.run(
				COMMIT,
				[keys.room(roomId, 'head'), dueKey(roomId)],
				[
					version,
					JSON.stringify(gate),
					score(dueAt),
					roomId,
					seen?.messageSeq ?? gate.messageCursor,
					seen?.eventSeq ?? gate.eventCursor,
				],
			);
			return written === 1;
		},

		due: (bucket, now, limit) =>
			redis.ask((client) => client.zrangebyscore(keys.due(bucket), '-inf', now, 'LIMIT', 0, limit)),

		async markDue(roomId, at) {
			await redis.run(MARK_DUE, [keys.room(roomId, 'head'), dueKey(roomId)], [score(at), roomId]);
		},

		async addOwnContext(roomId, contextId) {
			const now = redis.now();
			const { ownContextMs } = limits;
			await redis.run(
				ADD_CONTEXT,
				[keys.room(roomId, 'own-contexts')],
				[contextId, now, now + ownContextMs, ownContextMs],
			);
		},

		async resetContext(roomId, at) {
			await redis.ask((client) => client.hset(keys.room(roomId, 'head'), 'reset', at));
		},
	};
}

/** `Infinity` = never by itself. */
function score(at: number): string {
	return at === Number.POSITIVE_INFINITY ? '+inf' : String(at);
}
