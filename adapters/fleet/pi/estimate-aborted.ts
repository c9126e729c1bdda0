import { z } from 'zod';
import { estimateTokens } from '../../../core/model/token-estimate.ts';
import { type PiMessage, wordsOf } from './pi-event.ts';

/** US dollars per million tokens, as pi knows them of its model. */
export const piPrice = z.looseObject({ input: z.number().nonnegative(), output: z.number().nonnegative() });
export type PiPrice = z.infer<typeof piPrice>;

/**
 * Probable cost in US dollars of an answer that was cut off: pi counts such a one as free, though it was paid for up to
 * there. 0 where pi counted it after all, and for every other answer.
 */
export function estimateAborted(message: PiMessage, contextTokens: number, price: PiPrice | undefined): number {
	if (message.role !== 'assistant' || message.stopReason !== 'aborted' || price === undefined) return 0;
	if ((message.usage?.cost?.total ?? 0) > 0) return 0;
	const words = wordsOf(message);
	return (contextTokens * price.input + (words === '' ? 0 : estimateTokens(words)) * price.output) / 1_000_000;
}
