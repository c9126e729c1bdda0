/** Prices of one model in US dollars per million tokens. */
export interface ModelPrice {
	inputUsdPerMillion: number;
	outputUsdPerMillion: number;
	/** Defaults to a tenth of the input price. */
	cacheReadUsdPerMillion?: number;
	/** Defaults to 1.25 times the input price. */
	cacheWriteUsdPerMillion?: number;
}

export interface CostedTokens {
	/** Uncached input only. */
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens?: number;
	cacheWriteTokens?: number;
}

/** US dollars for one call; undefined without a price, because an unknown cost must never look like a free one. */
export function costUsd(tokens: CostedTokens, price: ModelPrice | undefined): number | undefined {
	if (price === undefined) return undefined;
	const cacheRead = price.cacheReadUsdPerMillion ?? price.inputUsdPerMillion / 10;
	const cacheWrite = price.cacheWriteUsdPerMillion ?? price.inputUsdPerMillion * 1.25;
	const millionths =
		tokens.inputTokens * price.inputUsdPerMillion +
		tokens.outputTokens * price.outputUsdPerMillion +
		(tokens.cacheReadTokens ?? 0) * cacheRead +
		(tokens.cacheWriteTokens ?? 0) * cacheWrite;
	return millionths / 1_000_000;
}
