import { createHash } from 'node:crypto';

/** A Lua script and the digest that Redis knows it by. */
export interface Script {
	readonly source: string;
	readonly sha: string;
}

/** A harmless question to each type of key, which Redis answers with WRONGTYPE where another type stands. */
const QUESTIONS = {
	hash: 'HLEN',
	list: 'LLEN',
	set: 'SCARD',
	stream: 'XLEN',
	string: 'STRLEN',
	zset: 'ZCARD',
} as const;

export type KeyType = keyof typeof QUESTIONS;

/**
 * `keyTypes` are the types of the first keys. A script that breaks off keeps what it wrote up to there, so one that writes to
 * several keys asks for all of them first: where somebody put something else under a name, nothing is written.
 */
export function createScript(lua: string, keyTypes: readonly KeyType[] = []): Script {
	const questions = keyTypes.map((type, at) => `redis.call('${QUESTIONS[type]}', KEYS[${at + 1}])\n`);
	const source = questions.join('') + lua;
	return { source, sha: createHash('sha1').update(source).digest('hex') };
}
