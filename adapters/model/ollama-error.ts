import { ModelError } from '../../core/model/model-port.ts';

interface ErrorContext {
	model: string;
	baseUrl: string;
	retryAfterMs: number | undefined;
}

/** Everything the client or the network throws, by status or cause code; wording decides only where no code exists. */
export function ollamaError(thrown: unknown, context: ErrorContext): ModelError {
	if (thrown instanceof ModelError) return thrown;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const status = statusOf(thrown);
	if (status !== undefined) return byStatus(status, message, context, thrown);
	const cause = causeCode(thrown);
	if (cause === 'UND_ERR_HEADERS_TIMEOUT' || cause === 'UND_ERR_BODY_TIMEOUT' || cause === 'UND_ERR_CONNECT_TIMEOUT') {
		return new ModelError('timeout', `no answer from ${context.baseUrl} (${cause})`, {
			transient: true,
			hint: 'The model is loading or the server hangs. Look at the Ollama log.',
			cause: thrown,
		});
	}
	if (cause !== undefined || thrown instanceof TypeError) {
		return new ModelError('unreachable', `cannot reach ${context.baseUrl}${cause ? ` (${cause})` : ''}`, {
			transient: true,
			hint: `Is Ollama running at ${context.baseUrl}? Start it with "ollama serve" or correct the base URL.`,
			cause: thrown,
		});
	}
	// What remains is an error line inside a stream that had begun with 200.
	return new ModelError('invalid', `the model runner failed: ${message.slice(0, 300)}`, {
		transient: true,
		hint: 'Look at the Ollama log; often too little memory, or output of the model that it could not parse.',
		cause: thrown,
	});
}

function byStatus(status: number, message: string, context: ErrorContext, cause: unknown): ModelError {
	const text = `${status} ${message.slice(0, 300)}`;
	const make = (code: ConstructorParameters<typeof ModelError>[0], transient: boolean, hint: string) =>
		new ModelError(code, text, { transient, hint, cause, retryAfterMs: context.retryAfterMs });
	switch (status) {
		case 401:
			return make('auth', false, 'The server wants a key. Set it in the environment.');
		case 403:
			return make('refused', false, 'The server does not allow this. Check its origin and access settings.');
		case 404:
			return make(
				'missing_model',
				false,
				`Model "${context.model}" is not at ${context.baseUrl}. Run "ollama pull ${context.model}" there.`,
			);
		case 408:
			return make('timeout', true, 'The server gave up waiting.');
		case 429:
			return make('rate_limited', true, 'Too many requests; the next one waits.');
		case 502:
		case 504:
			return make('unreachable', true, 'A proxy cannot reach Ollama.');
		case 503:
			return make('overloaded', true, 'Its queue is full. Fewer clients, or a higher OLLAMA_MAX_QUEUE.');
		default:
			// No code exists for these two; only the text tells them from other bad requests.
			if (/context (length|size|window)|exceeds? .*context|no user query|prompt is too long/i.test(message)) {
				return make('truncated', false, 'The prompt does not fit the window. Raise num_ctx or send less.');
			}
			return status >= 500
				? make('invalid', true, 'The model runner failed, often on output it could not parse. See the Ollama log.')
				: make('invalid', false, 'Ollama does not accept the request; the model may lack tools or thinking.');
	}
}

function statusOf(thrown: unknown): number | undefined {
	if (typeof thrown !== 'object' || thrown === null || !('status_code' in thrown)) return undefined;
	return typeof thrown.status_code === 'number' ? thrown.status_code : undefined;
}

function causeCode(thrown: unknown): string | undefined {
	const cause = thrown instanceof Error ? thrown.cause : undefined;
	if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined;
	return typeof cause.code === 'string' ? cause.code : undefined;
}
