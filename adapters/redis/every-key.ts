import { Cluster } from 'ioredis';
import type { RedisConnection } from './connection.ts';

const PAGE = 500;

/**
 * Names of all keys that match, each once, on every node of a cluster. Keys that stay for the whole walk are all among
 * them; those that come or go meanwhile may be.
 */
export async function everyKey(redis: RedisConnection, pattern = redis.keys.all): Promise<string[]> {
	const client: unknown = redis.handlers;
	const nodes = client instanceof Cluster ? client.nodes('master') : [redis.handlers];
	const found = new Set<string>();
	for (const node of nodes) {
		for (let cursor = '0', first = true; first || cursor !== '0'; first = false) {
			const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', PAGE);
			for (const key of keys) found.add(key);
			cursor = next;
		}
	}
	return [...found].sort();
}

/** The hash tag of a key: what shares it lies on one node and can be read at one moment. */
export function tagOf(key: string): string {
	const open = key.indexOf('{');
	const close = key.indexOf('}', open + 1);
	return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close);
}
