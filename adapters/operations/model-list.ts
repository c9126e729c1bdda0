/** Models that a provider has, or why they could not be listed. Never rejects, never repeats a key. */
export type ModelList =
	| { readonly kind: 'ok'; readonly names: readonly string[] }
	| { readonly kind: 'denied' }
	| { readonly kind: 'unreachable'; readonly reason: string };

/** Ollama's own list; embedding models cannot talk and are left out. */
export async function listOllamaModels(url: string, signal: AbortSignal): Promise<ModelList> {
	return list(`${url.replace(/\/+$/, '')}/api/tags`, {}, signal, (body) =>
		namesIn(body['models'], 'name').filter((name) => !/embed/i.test(name)),
	);
}

export async function listAnthropicModels(
	apiKey: string,
	url: string | undefined,
	signal: AbortSignal,
): Promise<ModelList> {
	const base = (url ?? 'https://api.anthropic.com').replace(/\/+$/, '');
	const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
	return list(`${base}/v1/models?limit=100`, headers, signal, (body) => namesIn(body['data'], 'id'));
}

async function list(
	url: string,
	headers: Record<string, string>,
	signal: AbortSignal,
	read: (body: Record<string, unknown>) => string[],
): Promise<ModelList> {
	try {
		const response = await fetch(url, { headers, signal, redirect: 'error' });
		if (response.status === 401 || response.status === 403) return { kind: 'denied' };
		if (!response.ok) return { kind: 'unreachable', reason: `HTTP ${response.status}` };
		const body: unknown = await response.json();
		if (typeof body !== 'object' || body === null)
			return { kind: 'unreachable', reason: 'another service answers here' };
		return { kind: 'ok', names: read(body as Record<string, unknown>) };
	} catch (thrown) {
		if (signal.aborted) return { kind: 'unreachable', reason: 'no answer in time' };
		const cause = thrown instanceof Error ? thrown.cause : undefined;
		const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
		return { kind: 'unreachable', reason: code ?? 'another service answers here' };
	}
}

function namesIn(value: unknown, key: string): string[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((one: unknown) => {
		const name = typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[key] : undefined;
		return typeof name === 'string' ? [name] : [];
	});
}
