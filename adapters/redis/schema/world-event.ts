import { z } from 'zod';
import type { WorldEvent } from '../../../core/overseer/trigger.ts';

/** A world event as stored. */
export const worldEventSchema: z.ZodType<WorldEvent> = z.looseObject({
	id: z.string().min(1),
	at: z.number(),
	kind: z.enum([
		'dock',
		'undock',
		'hazard',
		'control',
		'device_error',
		'device_gone',
		'device_back',
		'site_mode',
		'lights_lock',
	]),
	subject: z.string(),
	text: z.string(),
	contextId: z.string().optional(),
});
