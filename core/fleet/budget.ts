import type { Price } from '../../config/model.ts';
import { localDay } from '../local-day.ts';
import { type CostedTokens, costUsd } from '../model/cost.ts';
import type { ModelUsage } from '../model/model-port.ts';
import type { ConciergeState } from './concierge-state.ts';

/** What the scheduler knows about the concierge's model. */
export interface ConciergeModel {
	/** `provider/model`; undefined when there is none: then code alone reports what needs somebody. */
	readonly id: string | undefined;
	/** Runs on a machine of one's own and costs nothing. */
	readonly isLocal: boolean;
	readonly price: Price | undefined;
}

type Spend = ConciergeState['spend'];

/**
 * The day's spending. A new calendar day of the zone begins at nothing; a clock that goes back, or a zone that was changed,
 * never opens a day a second time.
 */
export function spendOn(spend: Spend, now: number, timeZone: string): Spend {
	// Nothing spent needs no new day, and a look at the calendar is the dearest part of a tick.
	const isUntouched = spend.usd === 0 && spend.neededUsd === undefined;
	return isUntouched ? spend : onDay(spend, now, timeZone);
}

function onDay(spend: Spend, now: number, timeZone: string): Spend {
	const day = localDay(now, timeZone);
	return day > spend.day ? { day, usd: 0 } : spend;
}

export function withSpent(spend: Spend, usd: number, now: number, timeZone: string): Spend {
	const today = onDay(spend, now, timeZone);
	return usd > 0 ? { ...today, usd: today.usd + usd } : today;
}

/** Whether another digest may be begun at all. 0 is no limit. */
export function isOverBudget(spend: Spend, dailyBudgetUsd: number): boolean {
	return dailyBudgetUsd > 0 && (spend.usd >= dailyBudgetUsd || spend.usd + (spend.neededUsd ?? 0) > dailyBudgetUsd);
}

/** Whether the rest of the day's budget covers a call of this estimated cost. */
export function affords(spend: Spend, estimateUsd: number, dailyBudgetUsd: number): boolean {
	return !isOverBudget({ ...spend, neededUsd: estimateUsd }, dailyBudgetUsd);
}

/** A model whose cost nobody knows cannot be kept within a budget. */
export function lacksPrice(model: ConciergeModel, dailyBudgetUsd: number): boolean {
	return dailyBudgetUsd > 0 && model.id !== undefined && !model.isLocal && model.price === undefined;
}

/** US dollars of a call that is not made yet, with the longest answer it may give; 0 for a local model. */
export function estimateUsd(model: ConciergeModel, promptTokens: number, maxOutputTokens: number): number {
	if (model.isLocal) return 0;
	return costUsd({ inputTokens: promptTokens, outputTokens: maxOutputTokens }, model.price) ?? 0;
}

export interface Attempt {
	/** Undefined or without tokens where the provider told nothing, as for turns that were broken off. */
	readonly usage: ModelUsage | undefined;
	/** What was sent, in estimated tokens. */
	readonly promptTokens: number;
	/** What had come back when it ended, in estimated tokens. */
	readonly answerTokens: number;
}

/**
 * US dollars that one attempt cost: as reported, else from the reported tokens and the price, else estimated. A turn that was
 * broken off is reported as nothing although its prompt was read, so nothing at all is never believed of a paid model.
 */
export function attemptUsd(model: ConciergeModel, { usage, promptTokens, answerTokens }: Attempt): number {
	if (model.isLocal) return 0;
	const told = usage !== undefined && usage.inputTokens + usage.outputTokens + (usage.cacheReadTokens ?? 0) > 0;
	const tokens: CostedTokens = told ? usage : { inputTokens: promptTokens, outputTokens: answerTokens };
	if (told && usage.costUsd !== undefined) return usage.costUsd;
	return costUsd(tokens, model.price) ?? 0;
}
