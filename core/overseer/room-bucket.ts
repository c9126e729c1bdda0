import { GATE_BUCKETS } from './room-store.ts';

/** The bucket of a room, 0 … GATE_BUCKETS-1: the same in every process and version (FNV-1a over the UTF-8 bytes). */
export function bucketOf(roomId: string): number {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(roomId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
	return hash % GATE_BUCKETS;
}
