import { z } from 'zod';

/**
 * What a session is doing. `waiting` is only ever the consequence of an open question; `stale` is no state but a mark
 * beside it, because a session that fell silent has not thereby finished.
 */
export const sessionState = z.enum(['starting', 'working', 'waiting', 'idle', 'finished', 'failed', 'stopped']);
export type SessionState = z.infer<typeof sessionState>;

const ENDED: readonly SessionState[] = ['finished', 'failed', 'stopped'];

/** It takes no messages any more. `finished` means that the run ended, a turn that ended is `idle`. */
export function hasEnded(state: SessionState): boolean {
	return ENDED.includes(state);
}
