import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeys, type RoomPart } from '../../../../adapters/redis/keys.ts';
import { bucketOf } from '../../../../core/overseer/room-bucket.ts';
import { GATE_BUCKETS } from '../../../../core/overseer/room-store.ts';

const keys = createKeys('mj');
/** What a cluster hashes: the text between the first brace and the next closing one. */
const tag = (key: string) => /\{([^}]+)\}/.exec(key)?.[1];
const PARTS: RoomPart[] = [
	'head',
	'messages',
	'events',
	'own-contexts',
	'cooldowns',
	'running',
	'budget',
	'status',
	'audit',
];

describe('key names', () => {
	test('OPS-16 all keys of a room and the list of due rooms of its bucket are in one slot, whatever the room is called', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), (roomId) => {
				const tags = new Set(PARTS.map((part) => tag(keys.room(roomId, part))));
				expect([...tags]).toEqual([tag(keys.due(bucketOf(roomId)))]);
			}),
		);
	});

	test('OPS-16 no two rooms or parts share a key', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.constantFrom(...PARTS), fc.constantFrom(...PARTS), (a, b, one, two) => {
				expect(keys.room(a, one) === keys.room(b, two)).toBe(a === b && one === two);
			}),
		);
	});

	test('OVR-1 buckets are the same in every process and all of them are used', () => {
		expect([bucketOf('den'), bucketOf('workshop'), bucketOf('discord:1523456789012345678')]).toEqual([36, 12, 31]);
		const used = new Set(Array.from({ length: 2_000 }, (_, index) => bucketOf(`room-${index}`)));
		expect(used.size).toBe(GATE_BUCKETS);
	});
});
