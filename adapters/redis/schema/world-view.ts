import { z } from 'zod';
import type { WorldView } from '../../../core/overseer/world.ts';

const device = z.looseObject({ available: z.boolean() });

const shape = z.looseObject({
	homeReady: z.boolean(),
	homePhase: z.string(),
	rovers: z.array(z.looseObject({ id: z.string(), driving: z.boolean(), available: z.boolean() })),
	lift: device.optional(),
	neato: z.looseObject({ connected: z.boolean() }).optional(),
	lights: z.array(z.looseObject({ entityId: z.string(), label: z.string(), state: z.string() })),
	scripts: z.array(device),
});

/** A room's world as a worker saw it; enough is checked that a reader notices a document of another version. */
export const worldViewSchema = z.custom<WorldView>((value) => shape.safeParse(value).success);
