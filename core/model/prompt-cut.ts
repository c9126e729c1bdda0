export interface PromptSize {
	estimatedTokens: number;
	/** What the provider says it read; 0 or undefined where it does not say. */
	reportedTokens: number | undefined;
	contextTokens: number;
	outputTokens: number;
}

/** Below this the template overhead and the estimate's error outweigh the difference. */
const SMALLEST_JUDGED_TOKENS = 512;

/**
 * Did the provider silently drop the front of the prompt? Servers that do so answer as if nothing had happened;
 * only the reported prompt size tells. A prompt that should not have fitted is judged strictly, one that should have
 * fitted only when less than three tenths arrived (the estimate may be three times the truth in some scripts).
 */
export function isPromptCut(size: PromptSize): boolean {
	const { estimatedTokens, reportedTokens } = size;
	if (reportedTokens === undefined || reportedTokens <= 0) return false;
	if (estimatedTokens < SMALLEST_JUDGED_TOKENS) return false;
	const overWindow = estimatedTokens > size.contextTokens - size.outputTokens;
	return reportedTokens < estimatedTokens * (overWindow ? 0.75 : 0.3);
}
