import type { Price } from '../../config/model.ts';

/** The four meters providers bill by. */
export interface CostedTokens {
	/** Uncached input only. */
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens?: number;
	cacheWriteTokens?: number;
}

/** US dollars for one call; undefined without a price, because an unknown cost must never look like a free one. */
export function costUsd(tokens: CostedTokens, price: Price | undefined): number | undefined {
	if (price === undefined) return undefined;
	const millionths =
		tokens.inputTokens * price.input +
		tokens.outputTokens * price.output +
		(tokens.cacheReadTokens ?? 0) * price.cacheRead +
		(tokens.cacheWriteTokens ?? 0) * price.cacheWrite;
	return millionths / 1_000_000;
}
