import { createAnthropicModel } from './adapters/model/anthropic.ts';
import { anthropicThinking, type ThinkingLevel } from './adapters/model/anthropic-thinking.ts';
import { createOllamaModel } from './adapters/model/ollama.ts';
import type { Environment } from './config/env.ts';
import type { Settings } from './config/schema.ts';
import type { Model } from './core/model/model-port.ts';

/** The model that the settings name; `prices` are asked at each call, `thinking` is for Anthropic's, an Ollama model has its own setting. */
export function createModel(
	{ model, overseer }: Pick<Settings, 'model' | 'overseer'>,
	environment: Pick<Environment, 'anthropicApiKey'>,
	thinking: ThinkingLevel = 'off',
	prices: () => Settings['model']['prices'] = () => model.prices,
): Model {
	const maxOutputTokens = overseer.decision.maxOutputTokens;
	if (model.provider === 'anthropic') {
		return createAnthropicModel({
			apiKey: environment.anthropicApiKey ?? '',
			model: model.name,
			...(model.anthropic.url === undefined ? {} : { baseUrl: model.anthropic.url }),
			contextTokens: model.anthropic.contextTokens,
			...anthropicThinking(model.name, thinking),
			maxOutputTokens,
			price: () => prices()[`anthropic/${model.name}`],
		});
	}
	return createOllamaModel({
		baseUrl: model.ollama.url,
		model: model.name,
		numCtx: model.ollama.numCtx,
		maxOutputTokens,
		think: model.ollama.think,
		keepAlive: model.ollama.keepAliveSeconds,
		temperature: model.ollama.temperature,
	});
}
