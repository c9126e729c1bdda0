import type { Model } from '../../core/model/model-port.ts';
import type { Tracer } from '../../core/tracer.ts';

/** The same model with every call as a step: what for, how it ended and what it used; never a word of it. */
export function createTracedModel(model: Model, tracer: Tracer): Model {
	return {
		id: model.id,
		limits: model.limits,
		check: (deadlineMs) => model.check(deadlineMs),
		complete(request) {
			const attributes = { purpose: request.purpose, model: model.id };
			return tracer.step('model.call', { kind: 'client', attributes }, async (step) => {
				const reply = await model.complete(request);
				const { inputTokens, outputTokens, costUsd } = reply.usage;
				step.note({ stop: reply.stop, inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) });
				return reply;
			});
		},
	};
}
