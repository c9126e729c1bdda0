import { listAnthropicModels, listOllamaModels } from '../../adapters/operations/model-list.ts';
import { type Model, ModelError } from '../../core/model/model-port.ts';
import { judgeModel, type ModelFacts } from '../../core/operations/judge-model.ts';
import { createModel } from '../../main-model.ts';
import { type CheckContext, type Checked, skipped } from './context.ts';

/** A local model may have to be read from the disk first. */
const ANSWER_FACTOR = 6;

/** The model is there, answers one word, and has a price where it costs money. */
export async function checkModel(context: CheckContext): Promise<Checked> {
	const { settings, environment, deadlineMs, askModel } = context;
	if (environment.role === 'bot') return skipped('the bot process asks no model');
	const isPaid = settings.model.provider === 'anthropic';
	if (isPaid && environment.anthropicApiKey === undefined) return skipped('no key, so nothing could be looked at');
	const model = createModel(settings, environment);
	const found = await model.check(deadlineMs);
	const answer = found.ok && askModel ? await oneWord(model, deadlineMs * ANSWER_FACTOR) : undefined;
	const facts: ModelFacts = {
		id: model.id,
		isPaid,
		hasPrice: settings.model.prices[model.id] !== undefined,
		presence: found.ok ? { ok: true, detail: found.detail } : troubleOf(found.error),
		...(answer ? { answer } : {}),
		others: found.ok ? [] : await otherModels(context),
	};
	const detail = !found.ok
		? `${model.id}: ${found.error.code}`
		: answer?.ok
			? `${found.detail}, answers`
			: found.detail;
	return { detail, findings: judgeModel(facts) };
}

async function oneWord(model: Model, deadlineMs: number): Promise<NonNullable<ModelFacts['answer']>> {
	try {
		const { durations } = await model.complete({
			messages: [{ role: 'user', content: 'Answer with the single word: ready' }],
			maxOutputTokens: 16,
			deadlineMs,
			purpose: 'doctor',
		});
		return { ok: true, ms: durations.totalMs };
	} catch (thrown) {
		if (thrown instanceof ModelError) return troubleOf(thrown);
		throw thrown;
	}
}

const troubleOf = ({ code, message, hint }: ModelError) => ({ ok: false as const, code, message, hint });

async function otherModels({ settings, environment, deadlineMs }: CheckContext): Promise<readonly string[]> {
	const { provider, ollama, anthropic } = settings.model;
	const signal = AbortSignal.timeout(deadlineMs);
	const list =
		provider === 'ollama'
			? await listOllamaModels(ollama.url, signal)
			: await listAnthropicModels(environment.anthropicApiKey ?? '', anthropic.url, signal);
	return list.kind === 'ok' ? list.names : [];
}
