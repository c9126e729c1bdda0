import { environmentSchema } from '../../../config/env.ts';

/**
 * Environment of a coding agent: ours without everything that is the bot's own. Its tools can read their environment, so
 * tokens and keys of the house must not be in it; pi keeps its own keys itself.
 */
export function childEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const own = new Set(Object.keys(environmentSchema.shape));
	const kept = Object.entries(env).filter(([name]) => !own.has(name) && !/^(NODE_OPTIONS|FLEET_TOKENS)$/.test(name));
	return { ...Object.fromEntries(kept), PI_OFFLINE: '1' };
}
