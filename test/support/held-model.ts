import { type Model, ModelError, type ModelRequest } from '../../core/model/model-port.ts';
import { eventually } from './redis.ts';

export interface HeldModel extends Model {
	/** What it was asked, oldest first. */
	readonly requests: ModelRequest[];
	/** How many calls wait for an answer. */
	thinking(): number;
	/** Resolves when so many calls wait for an answer. */
	waiting(count?: number): Promise<unknown>;
	/** Ends the oldest call that waits, or the next one, with these words. */
	answer(text: string): void;
	/** From now on every call is answered so at once. */
	always(text: string | undefined): void;
}

/** A model that thinks for as long as its test wants it to. */
export function heldModel(): HeldModel {
	const requests: ModelRequest[] = [];
	const given: string[] = [];
	const waiting: ((text: string) => void)[] = [];
	let usual: string | undefined;

	function thought({ signal }: ModelRequest): Promise<string> {
		const ready = given.shift() ?? usual;
		if (ready !== undefined) return Promise.resolve(ready);
		return new Promise((resolve, reject) => {
			waiting.push(resolve);
			signal?.addEventListener('abort', () => {
				const at = waiting.indexOf(resolve);
				if (at >= 0) waiting.splice(at, 1);
				reject(new ModelError('cancelled', 'given up', { transient: false, hint: '' }));
			});
		});
	}

	return {
		id: 'test/held',
		limits: { contextTokens: 100_000, outputTokens: 8_000 },
		requests,
		check: async () => ({ ok: true, detail: 'held' }),
		async complete(request) {
			requests.push(request);
			const text = await thought(request);
			return {
				text,
				calls: [],
				usage: { inputTokens: 100, outputTokens: 10 },
				stop: 'end',
				model: 'held',
				durations: { totalMs: 1 },
				truncated: false,
			};
		},
		thinking: () => waiting.length,
		waiting: (count = 1) => eventually('the model is asked', () => waiting.length >= count, 30_000),
		answer(text) {
			const next = waiting.shift();
			if (next) next(text);
			else given.push(text);
		},
		always(text) {
			usual = text;
			if (text !== undefined) for (const next of waiting.splice(0)) next(text);
		},
	};
}
