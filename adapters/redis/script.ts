import { createHash } from 'node:crypto';

/** A Lua script and the digest that Redis knows it by. */
export interface Script {
	readonly source: string;
	readonly sha: string;
}

export function createScript(source: string): Script {
	return { source, sha: createHash('sha1').update(source).digest('hex') };
}
