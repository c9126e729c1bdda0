import type { AnthropicRequestSettings } from './anthropic-request.ts';

export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high';

const BUDGETS = { low: 1_024, medium: 4_096, high: 8_192 } as const;
/** Models that take a budget of tokens; later ones decide themselves and are told how hard to try. */
const WITH_BUDGET = /^claude-(3-7-|(opus|sonnet|haiku)-4(-[0-5])?($|-20))/;

/**
 * What a level means for a model. Thinking counts towards an answer's limit, so the limit grows by `thinkingTokens`. `off` sets
 * nothing: a model's own default holds.
 */
export function anthropicThinking(
	model: string,
	level: ThinkingLevel,
): Pick<AnthropicRequestSettings, 'thinking' | 'effort' | 'thinkingTokens'> {
	if (level === 'off') return {};
	const thinkingTokens = BUDGETS[level];
	if (WITH_BUDGET.test(model)) return { thinking: 'enabled', thinkingTokens };
	return { thinking: 'adaptive', effort: level, thinkingTokens };
}
