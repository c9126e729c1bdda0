import { loadConfig } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { settingsSchema } from '../../../config/schema.ts';
import type { Model } from '../../../core/model/model-port.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { createModel } from '../../../main-model.ts';

export interface EvalModel {
	readonly model: Model;
	/** The rules of the demo: the only one that is held to thresholds. */
	readonly isScripted: boolean;
	/** Longest wait for one answer. */
	readonly deadlineMs: number;
	close(): Promise<void>;
}

/**
 * The model to play with. `EVAL_MODEL` is `scripted` (the default), `settings` (what majordomo.yaml says),
 * `ollama:<name>` at `OLLAMA_HOST`, or `anthropic:<name>` with `ANTHROPIC_API_KEY`. `EVAL_DEADLINE_MS` is the longest wait
 * for an answer. Throws on anything else.
 */
export async function findEvalModel(
	env: NodeJS.ProcessEnv,
	/** Longest answer in tokens, where it is another than the overseer's. */
	more: { readonly maxOutputTokens?: number } = {},
): Promise<EvalModel> {
	const wanted = env.EVAL_MODEL ?? 'scripted';
	const deadlineMs = Number(env.EVAL_DEADLINE_MS ?? 120_000);
	if (!(deadlineMs >= 1_000)) throw new Error('EVAL_DEADLINE_MS is a number of milliseconds, at least 1000');
	const found = (settings: Pick<Settings, 'model' | 'overseer'>, close = async () => undefined): EvalModel => ({
		model: createModel(longer(settings), env.ANTHROPIC_API_KEY ? { anthropicApiKey: env.ANTHROPIC_API_KEY } : {}),
		isScripted: wanted === 'scripted',
		deadlineMs,
		close,
	});
	const longer = ({ model, overseer }: Pick<Settings, 'model' | 'overseer'>) => ({
		model,
		overseer: { ...overseer, decision: { ...overseer.decision, ...more } },
	});
	if (wanted === 'scripted') {
		const server = await createLoopbackOllama();
		const model = { provider: 'ollama', name: 'scripted:latest', ollama: { url: server.url } };
		return { ...found(settingsSchema.parse({ model })), close: () => server.close() };
	}
	if (wanted === 'settings') return found(loadConfig({ env, check: 'none' }).settings);
	const [, provider, name] = /^(ollama|anthropic):(.+)$/.exec(wanted) ?? [];
	if (!provider || !name)
		throw new Error(`EVAL_MODEL is scripted, settings, ollama:<name> or anthropic:<name>, not ${wanted}`);
	if (provider === 'anthropic' && !env.ANTHROPIC_API_KEY) throw new Error('anthropic needs ANTHROPIC_API_KEY');
	const url = env.OLLAMA_HOST === undefined ? undefined : withScheme(env.OLLAMA_HOST);
	return found(settingsSchema.parse({ model: { provider, name, ...(url ? { ollama: { url } } : {}) } }));
}

function withScheme(host: string): string {
	return host.includes('://') ? host : `http://${host}`;
}
