import { type Model, ModelError, type ModelReply } from '../../core/model/model-port.ts';
import type { Metrics } from '../../core/ports.ts';

/** The same model with every call counted, timed and priced, by purpose. */
export function createMeteredModel(model: Model, metrics: Metrics): Model {
	return {
		id: model.id,
		limits: model.limits,
		check: (deadlineMs) => model.check(deadlineMs),
		async complete(request) {
			const { purpose } = request;
			try {
				const reply = await model.complete(request);
				metrics.count('model_calls_total', { purpose, outcome: reply.stop });
				record(reply, purpose, metrics);
				return reply;
			} catch (error) {
				const outcome = error instanceof ModelError ? error.code : 'error';
				metrics.count('model_calls_total', { purpose, outcome });
				throw error;
			}
		},
	};
}

function record({ usage, durations }: ModelReply, purpose: string, metrics: Metrics): void {
	metrics.observe('model_seconds', durations.totalMs / 1_000, { purpose });
	if (durations.firstTokenMs !== undefined)
		metrics.observe('model_first_token_seconds', durations.firstTokenMs / 1_000, { purpose });
	metrics.count('model_tokens_total', { purpose, kind: 'input' }, usage.inputTokens);
	metrics.count('model_tokens_total', { purpose, kind: 'output' }, usage.outputTokens);
	if (usage.cacheReadTokens)
		metrics.count('model_tokens_total', { purpose, kind: 'cache_read' }, usage.cacheReadTokens);
	if (usage.costUsd) metrics.count('model_cost_usd_total', { purpose }, usage.costUsd);
}
