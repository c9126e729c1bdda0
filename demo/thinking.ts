import type { Settings } from '../config/schema.ts';
import type { LoopbackModel } from './model/loopback-model.ts';
import { createLoopbackOllama } from './model/loopback-ollama.ts';

/** What the demo thinks with, and how to stop it. */
export interface Thinking {
	readonly model: Partial<Settings['model']>;
	/** One line for the terminal. */
	readonly says: string;
	/** The scripted model's server with its control, when it is the one. */
	readonly scripted?: LoopbackModel;
	close(): Promise<void>;
}

const LOOK_MS = 1_500;
/** Its usual model, with its prices, so that a budget can be held. */
const HAIKU = 'claude-haiku-4-5';
const PRICES = { [`anthropic/${HAIKU}`]: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 } };

/**
 * Anthropic when a key is in the environment, else an Ollama that runs on this machine and has a model, else the scripted
 * one. `MAJORDOMO_DEMO_MODEL` names a model to use, `scripted` insists on the script.
 */
export async function findThinking(env: NodeJS.ProcessEnv, port: number, now?: () => number): Promise<Thinking> {
	const wanted = env.MAJORDOMO_DEMO_MODEL;
	if (wanted !== 'scripted') {
		if (env.ANTHROPIC_API_KEY) {
			const name = wanted ?? HAIKU;
			const prices = name === HAIKU ? { prices: PRICES } : {};
			return real({ provider: 'anthropic', name, ...prices }, `Anthropic ${name}, with the key from the environment`);
		}
		const url = ollamaUrl(env.OLLAMA_HOST);
		const name = wanted ?? (await firstModel(url));
		if (name) {
			const settings = { provider: 'ollama', name, ollama: { url } } as Partial<Settings['model']>;
			return real(settings, `${name} on the Ollama at ${url}`);
		}
	}
	const scripted = await createLoopbackOllama({ port, chunkDelayMs: now ? 0 : 15, ...(now ? { now } : {}) });
	return {
		model: { provider: 'ollama', name: 'scripted:latest', ollama: { url: scripted.url } } as Partial<Settings['model']>,
		says: 'a scripted model (no Ollama and no ANTHROPIC_API_KEY found); it knows a few dozen sentences',
		scripted,
		close: () => scripted.close(),
	};
}

function real(model: Partial<Settings['model']>, says: string): Thinking {
	return { model, says, close: async () => undefined };
}

function ollamaUrl(host: string | undefined): string {
	if (!host) return 'http://127.0.0.1:11434';
	const url = host.includes('://') ? host : `http://${host}`;
	return url.replace('//0.0.0.0', '//127.0.0.1').replace(/\/$/, '');
}

async function firstModel(url: string): Promise<string | undefined> {
	try {
		const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(LOOK_MS) });
		const { models } = (await response.json()) as { models?: { name: string }[] };
		return models?.find(({ name }) => !/embed/i.test(name))?.name;
	} catch {
		return undefined;
	}
}
