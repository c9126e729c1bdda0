import { z } from 'zod';
import type { CardMemory } from './intake-ports.ts';

/** Small texts by name that outlive a restart. */
interface Texts {
	get(name: string): Promise<string | undefined>;
	set(name: string, value: string | undefined): Promise<void>;
}

const cardRecord = z.object({ messageId: z.string(), hash: z.string() });

/** Card places over any store of small texts; a text that cannot be read counts as forgotten. */
export function createCardMemory(texts: Texts): CardMemory {
	const nameOf = (sessionId: string, card: string) => `intake-card:${sessionId}:${card}`;
	return {
		async get(sessionId, card) {
			const text = await texts.get(nameOf(sessionId, card));
			if (text === undefined) return undefined;
			try {
				return cardRecord.parse(JSON.parse(text));
			} catch {
				return undefined;
			}
		},
		set: (sessionId, card, record) =>
			texts.set(nameOf(sessionId, card), record === undefined ? undefined : JSON.stringify(record)),
	};
}
