import { z } from 'zod';

/**
 * What a session is doing. `waiting` is only ever the consequence of an open question. `finished` and `failed` tell how its
 * last run went: the agent may still be there and take up another. `stopped` is gone without a result. Stale is no state
 * but a mark beside it, because a session that fell silent has not thereby finished.
 */
export const sessionState = z.enum(['starting', 'working', 'waiting', 'idle', 'finished', 'failed', 'stopped']);
export type SessionState = z.infer<typeof sessionState>;
