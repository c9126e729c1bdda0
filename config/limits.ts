import { z } from 'zod';
import { timeZone } from './primitives.ts';

const calls = (max: number) => z.int().min(0).max(1_000_000).default(max);

/** Bounds on what is asked of language models. Digests of the fleet have a budget of their own. */
export const limitSettings = z.strictObject({
	perPersonPerHour: calls(300).describe('Model calls in one hour on behalf of one person; 0 = no limit.'),
	perChannelPerHour: calls(2_000).describe('Model calls in one hour for one channel; 0 = no limit.'),
	perDayCalls: calls(50_000).describe('Model calls in one day, all together; 0 = no limit.'),
	perDayUsd: z
		.number()
		.min(0)
		.default(20)
		.describe('US dollars in one day, all together; 0 = no limit. Needs a price under model.prices.'),
	timeZone: timeZone.default('UTC').describe('Time zone of that day, e.g. Europe/Berlin.'),
});

export type LimitSettings = z.infer<typeof limitSettings>;
