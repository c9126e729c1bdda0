import type { FleetSettings } from '../../config/fleet.ts';
import { attemptUsd, type ConciergeModel, estimateUsd } from '../../core/fleet/budget.ts';
import {
	type FinishedTurn,
	memoryNotes,
	plainSummary,
	trimMemory,
	withSummary,
	withTurn,
} from '../../core/fleet/memory.ts';
import type { MemoryStore } from '../../core/fleet/stores.ts';
import { type Model, ModelError } from '../../core/model/model-port.ts';
import { estimatePromptTokens, estimateTokens } from '../../core/model/token-estimate.ts';
import { renderSummaryMessages } from '../../prompts/fleet/messages.ts';
import type { PromptTexts } from '../../prompts/render.ts';

export interface RememberDeps {
	readonly memory: MemoryStore;
	readonly model: Model;
	readonly price: ConciergeModel;
	texts(): PromptTexts;
	settings(): FleetSettings;
}

const SUMMARY_TOKENS = 500;

/**
 * Puts a turn that is over into the memory. What has no room any more is summarised by the model, and by code where that
 * fails or `affords` says that the rest of the day's budget does not cover it. Gives what the summary cost in US dollars.
 */
export function createRemember(
	deps: RememberDeps,
): (turn: FinishedTurn, affords: (usd: number) => boolean, signal: AbortSignal) => Promise<number> {
	const { memory, model } = deps;
	return async (turn, affords, signal) => {
		const { memoryTokens, turnDeadlineMs } = deps.settings().concierge;
		const { memory: kept, dropped } = trimMemory(withTurn(await memory.read(), turn), memoryTokens);
		if (dropped.length === 0) {
			await memory.write(kept);
			return 0;
		}
		const messages = renderSummaryMessages(deps.texts(), kept.summary, memoryNotes(dropped));
		const promptTokens = estimatePromptTokens(messages);
		let summary = plainSummary(kept.summary, dropped);
		let usd = 0;
		const maxOutputTokens = Math.min(SUMMARY_TOKENS, model.limits.outputTokens);
		const estimate = estimateUsd(deps.price, promptTokens, maxOutputTokens + (model.limits.thinkingTokens ?? 0));
		if (!affords(estimate)) {
			await memory.write(withSummary(kept, summary));
			return 0;
		}
		try {
			const reply = await model.complete({
				messages,
				maxOutputTokens,
				deadlineMs: turnDeadlineMs,
				signal,
				purpose: 'fleet.summary',
				account: 'own_budget',
			});
			const answerTokens = estimateTokens(reply.text);
			usd = attemptUsd(deps.price, { usage: reply.usage, promptTokens, answerTokens });
			if (reply.stop === 'end' && !reply.truncated && reply.text.trim() !== '') summary = reply.text;
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
			usd = failedUsd(deps.price, error, promptTokens);
		}
		await memory.write(withSummary(kept, summary));
		return usd;
	};
}

/** Causes that come before a provider reads anything. */
const UNREAD: ReadonlySet<string> = new Set([
	'unreachable',
	'overloaded',
	'rate_limited',
	'refused',
	'truncated',
	'auth',
	'missing_model',
	'paused',
	'limited',
]);

/** What a failed call cost: as told; estimated where it was broken off half-way; nothing where nothing was read. */
export function failedUsd(price: ConciergeModel, error: ModelError, promptTokens: number): number {
	const wasRead = !UNREAD.has(error.code) && (error.code !== 'invalid' || error.transient);
	if (error.usage === undefined && !wasRead) return 0;
	return attemptUsd(price, { usage: error.usage, promptTokens, answerTokens: 0 });
}
