import { z } from 'zod';
import type { RoverView } from '../../../core/overseer/world.ts';

/** A rover's state as it was reported, and when (epoch ms). */
export interface RoverReport {
	readonly at: number;
	readonly rover: RoverView;
}

export const roverReportSchema: z.ZodType<RoverReport> = z.looseObject({
	at: z.number(),
	rover: z.looseObject({
		id: z.string(),
		driving: z.boolean(),
		driver: z.string().optional(),
		docked: z.boolean().optional(),
		charging: z.boolean().optional(),
		hazard: z.string().optional(),
		available: z.boolean(),
	}),
});
