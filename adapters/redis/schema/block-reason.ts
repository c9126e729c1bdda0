import { z } from 'zod';
import type { BlockReason } from '../../../core/tooling/facts.ts';

/** Why a call was blocked, as stored. */
export const blockReasonSchema: z.ZodType<BlockReason> = z.looseObject({
	code: z.enum([
		'cooldown',
		'busy',
		'unavailable',
		'rate_limit',
		'already',
		'unsupported',
		'stale',
		'stage',
		'paused',
		'vote',
		'policy_lock:site_mode_admin',
		'policy_lock:site_mode_lockdown',
		'policy_lock:lights_locked_on',
		'policy_lock:lights_locked_off',
	]),
	remainingMs: z.number().optional(),
	detail: z.string().optional(),
});
