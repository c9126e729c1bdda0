import { z } from 'zod';
import type { LiftCommands } from '../../../core/overseer/stores.ts';
import type { Keepsakes } from './keepsakes.ts';

const command = z.object({ direction: z.enum(['up', 'down']), at: z.number() });

export function createLiftCommands(keepsakes: Keepsakes): LiftCommands {
	const name = (roomId: string) => `lift:${roomId}`;
	return {
		async read(roomId) {
			const text = await keepsakes.get(name(roomId));
			if (text === undefined) return undefined;
			try {
				return command.parse(JSON.parse(text));
			} catch {
				// A damaged note is no note: the lift is then read from its states alone.
				return undefined;
			}
		},
		write: (roomId, given) => keepsakes.set(name(roomId), JSON.stringify(given)),
	};
}
