import { checkBaseUrl, ModelUrlError } from '../../adapters/model/base-url.ts';
import { listAnthropicModels, listOllamaModels, type ModelList } from '../../adapters/operations/model-list.ts';
import type { SetupAnswers } from '../../core/operations/setup/plan.ts';
import type { Asker } from './asker.ts';
import type { Present } from './present.ts';

const DEADLINE_MS = 10_000;
const signal = () => AbortSignal.timeout(DEADLINE_MS);

/** Who thinks, chosen from the models that are really there. */
export async function askModel(asker: Asker, { settings, variables }: Present): Promise<SetupAnswers['model']> {
	const provider = await asker.choose({
		key: 'modelProvider',
		ask: '\nWhat does it think with?',
		options: [
			{ value: 'ollama', label: 'Ollama, on a machine of yours' },
			{ value: 'anthropic', label: 'Anthropic, for money' },
		],
		initial: settings?.model.provider ?? 'ollama',
	});
	return provider === 'anthropic'
		? askAnthropic(asker, { settings, variables })
		: askOllama(asker, { settings, variables });
}

async function askOllama(asker: Asker, { settings }: Present): Promise<SetupAnswers['model']> {
	const url = await asker.text({
		key: 'ollamaUrl',
		ask: 'Address of Ollama',
		initial: settings?.model.ollama.url ?? 'http://127.0.0.1:11434',
		check: async (text) => {
			try {
				return listProblem(
					await listOllamaModels(checkBaseUrl('the address', text), signal()),
					'Start it with "ollama serve"',
					'Fetch one: ollama pull qwen3:8b',
				);
			} catch (error) {
				if (error instanceof ModelUrlError) return error.message;
				throw error;
			}
		},
	});
	const list = await listOllamaModels(url, signal());
	return { provider: 'ollama', url, name: await chooseModel(asker, list, settings?.model.name) };
}

async function askAnthropic(asker: Asker, { settings, variables }: Present): Promise<SetupAnswers['model']> {
	const base = settings?.model.anthropic.url;
	const key = await asker.text({
		key: 'anthropicKey',
		ask: 'Anthropic API key (console.anthropic.com)',
		initial: variables['ANTHROPIC_API_KEY'],
		secret: true,
		check: async (text) =>
			listProblem(await listAnthropicModels(text, base, signal()), 'Check the network', 'This key has no model'),
	});
	const name = await chooseModel(asker, await listAnthropicModels(key, base, signal()), settings?.model.name);
	const price = await asker.text({
		key: 'modelPrice',
		ask: 'Its price in US dollars for a million tokens, in and out, such as "1 5" (none: costs are unknown and no budget holds)',
		initial: 'none',
		check: async (text) => (text === 'none' || priceOf(text) ? undefined : 'Two numbers, such as "1 5", or none.'),
	});
	return { provider: 'anthropic', key, name, price: priceOf(price) };
}

function priceOf(text: string): { input: number; output: number } | undefined {
	const [, input, output] = /^\s*(\d+(?:\.\d+)?)[\s,/]+(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
	return input === undefined || output === undefined ? undefined : { input: Number(input), output: Number(output) };
}

function listProblem(list: ModelList, whenAway: string, whenEmpty: string): string | undefined {
	if (list.kind === 'denied') return 'The key is refused. Make a new one and copy it whole.';
	if (list.kind === 'unreachable') return `No answer (${list.reason}). ${whenAway}, or correct the address.`;
	return list.names.length === 0 ? `There is no model. ${whenEmpty}.` : undefined;
}

async function chooseModel(asker: Asker, list: ModelList, initial: string | undefined): Promise<string> {
	const names = list.kind === 'ok' ? list.names : [];
	const present = names.find((name) => name === initial) ?? (names.length === 1 ? names[0] : undefined);
	const options = names.map((name) => ({ value: name, label: name }));
	return (await asker.choose({ key: 'model', ask: 'Model:', options, initial: present })) ?? '';
}
