import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from './loopback-http.ts';
import type { ModelScript, ScriptedPrompt } from './model-script.ts';

/** The few parts used of node-llama-cpp, which lives in a private folder and is no dependency. */
interface LlamaLibrary {
	getLlama(options: object): Promise<{
		loadModel(options: { modelPath: string }): Promise<{
			createContext(options: { contextSize: number }): Promise<{ getSequence(): object; dispose(): Promise<void> }>;
		}>;
		createGrammarForJsonSchema(schema: object): Promise<object>;
		getGrammarFor(kind: 'json'): Promise<object>;
		dispose(): Promise<void>;
	}>;
	LlamaChatSession: new (options: {
		contextSequence: object;
	}) => {
		setChatHistory(history: object[]): void;
		prompt(text: string, options: { grammar?: object; maxTokens: number; temperature: number }): Promise<string>;
	};
}

export interface TinyModelOptions {
	/** Folder whose node_modules hold node-llama-cpp. */
	folder: string;
	/** A GGUF file. */
	modelPath: string;
	maxOutputTokens?: number;
}

const CONTEXT_TOKENS = 4_096;

/** A real language model, run on the processor, as the script of a loopback server. One prompt at a time. */
export async function createTinyModel(
	options: TinyModelOptions,
): Promise<{ script: ModelScript; close(): Promise<void> }> {
	const entry = join(options.folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js');
	const library: LlamaLibrary = await import(pathToFileURL(entry).href);
	const llama = await library.getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: 2 });
	const model = await llama.loadModel({ modelPath: options.modelPath });
	let last: Promise<unknown> = Promise.resolve();

	async function grammarFor(schema: unknown): Promise<object | undefined> {
		if (!isRecord(schema)) return undefined;
		try {
			return await llama.createGrammarForJsonSchema(oneOfOnly(schema));
		} catch {
			// A schema beyond its grammar still gets JSON.
			return llama.getGrammarFor('json');
		}
	}

	async function answer(prompt: ScriptedPrompt): Promise<{ text: string }> {
		const grammar = await grammarFor(prompt.schema);
		const context = await model.createContext({ contextSize: CONTEXT_TOKENS });
		try {
			const session = new library.LlamaChatSession({ contextSequence: context.getSequence() });
			const question = prompt.messages.at(-1)?.content ?? '';
			session.setChatHistory([
				{ type: 'system', text: prompt.system },
				...prompt.messages
					.slice(0, -1)
					.map(({ role, content }) =>
						role === 'assistant' ? { type: 'model', response: [content] } : { type: 'user', text: content },
					),
			]);
			const maxTokens = options.maxOutputTokens ?? 160;
			return { text: await session.prompt(question, { grammar, maxTokens, temperature: 0.3 }) };
		} finally {
			await context.dispose();
		}
	}

	return {
		script(prompt) {
			const turn = last.then(() => answer(prompt));
			last = turn.catch(() => {});
			return turn;
		},
		close: () => llama.dispose(),
	};
}

/** The grammar knows `oneOf` only, which means the same to it. */
function oneOfOnly(value: Record<string, unknown>): Record<string, unknown> {
	const renamed = (inner: unknown): unknown =>
		Array.isArray(inner) ? inner.map(renamed) : isRecord(inner) ? oneOfOnly(inner) : inner;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key === 'anyOf' ? 'oneOf' : key, renamed(inner)]),
	);
}
