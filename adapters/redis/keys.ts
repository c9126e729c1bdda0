import { bucketOf } from '../../core/overseer/room-bucket.ts';

/** Layout version in every key: a later layout can stand beside this one while it is being migrated. */
const LAYOUT = 'v1';

/** Parts that a room keeps. */
export type RoomPart =
	| 'head'
	| 'messages'
	| 'message-ids'
	| 'events'
	| 'event-ids'
	| 'own-contexts'
	| 'cooldowns'
	| 'running'
	| 'budget'
	| 'memory'
	| 'overrides'
	| 'votes'
	| 'status'
	| 'commentary'
	| 'world'
	| 'rovers'
	| 'audit';

/**
 * All key names. What must change together shares a hash tag, so that one script can do it on a cluster too: rooms
 * share the tag of their bucket with the bucket's list of due rooms; everything else has a tag of its own.
 */
export function createKeys(prefix: string) {
	return {
		room: (roomId: string, part: RoomPart): string =>
			`{${prefix}:rooms:${bucketOf(roomId)}}:${LAYOUT}:${part}:${roomId}`,
		due: (bucket: number): string => `{${prefix}:rooms:${bucket}}:${LAYOUT}:due`,
		bus: (part: string): string => `{${prefix}:bus}:${LAYOUT}:${part}`,
		site: (): string => `{${prefix}:site}:${LAYOUT}:policy`,
		audit: (part: string): string => `{${prefix}:audit}:${LAYOUT}:${part}`,
		call: (callId: string): string => `{${prefix}:call:${callId}}:${LAYOUT}`,
		decision: (decisionId: string): string => `{${prefix}:decision:${decisionId}}:${LAYOUT}:journal`,
		lease: (name: string): string => `{${prefix}:lease:${name}}:${LAYOUT}`,
		message: (messageId: string): string => `{${prefix}:message:${messageId}}:${LAYOUT}`,
		limit: (window: string): string => `{${prefix}:limits}:${LAYOUT}:${window}`,
		usage: (day: string): string => `{${prefix}:usage}:${LAYOUT}:${day}`,
		channel: (channelId: string, part: 'first' | 'last'): string =>
			`{${prefix}:channel:${channelId}}:${LAYOUT}:${part}`,
		/** Name of a pub/sub channel; these are no keys. */
		topic: (name: string): string => `${prefix}:${LAYOUT}:${name}`,
		/** Matches every key of ours, for backups and for tests that clean up after themselves. */
		all: `{${prefix}:*`,
	};
}

export type Keys = ReturnType<typeof createKeys>;
