import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { ModelError, type ModelErrorCode } from '../../core/model/model-port.ts';
import { retryAfterMs } from './retry.ts';

interface Verdict {
	code: ModelErrorCode;
	transient: boolean;
	hint: string;
}

const BUSY = 'The provider is busy; the next call waits.';

/** By the provider's own category, which stands in the body even where an error arrives inside a stream with 200. */
const BY_TYPE: Readonly<Record<string, Verdict>> = {
	overloaded_error: { code: 'overloaded', transient: true, hint: BUSY },
	api_error: { code: 'overloaded', transient: true, hint: 'The provider has an internal problem.' },
	rate_limit_error: {
		code: 'rate_limited',
		transient: true,
		hint: 'The rate or spend limit of the account is reached.',
	},
	timeout_error: { code: 'timeout', transient: true, hint: BUSY },
	authentication_error: { code: 'auth', transient: false, hint: 'The API key is missing or wrong.' },
	permission_error: { code: 'refused', transient: false, hint: 'The API key may not use this model or feature.' },
	not_found_error: { code: 'missing_model', transient: false, hint: 'The model name is unknown to this account.' },
	billing_error: { code: 'invalid', transient: false, hint: 'The account has a billing problem; see its console.' },
	invalid_request_error: { code: 'invalid', transient: false, hint: 'The provider does not accept the request.' },
	request_too_large: { code: 'truncated', transient: false, hint: 'The request is too large; send less.' },
};

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
	400: 'invalid_request_error',
	401: 'authentication_error',
	402: 'billing_error',
	403: 'permission_error',
	404: 'not_found_error',
	408: 'timeout_error',
	413: 'request_too_large',
	429: 'rate_limit_error',
	504: 'timeout_error',
	529: 'overloaded_error',
};

/** Everything the SDK throws, by the error's type first and its status second. */
export function anthropicError(thrown: unknown, epochMs: number): ModelError {
	if (thrown instanceof ModelError) return thrown;
	if (thrown instanceof APIConnectionTimeoutError) {
		return new ModelError('timeout', 'the provider did not answer in time', {
			transient: true,
			hint: BUSY,
			cause: thrown,
		});
	}
	if (thrown instanceof APIConnectionError || !(thrown instanceof APIError)) return brokenOff(thrown);
	const status: unknown = thrown.status;
	const type = typeOf(thrown.type, status);
	const message = (thrown.apiMessage ?? thrown.message).slice(0, 300);
	const verdict = verdictOf(type, message);
	const isSpendLimit = verdict.code === 'rate_limited' && /spend_limit/.test(thrown.errorCode ?? '');
	return new ModelError(verdict.code, `${typeof status === 'number' ? `${status} ` : ''}${type}: ${message}`, {
		transient: verdict.transient && !isSpendLimit,
		hint: verdict.hint,
		retryAfterMs: retryAfterMs(thrown.headers?.get('retry-after'), epochMs),
		cause: thrown,
	});
}

/** Proxies put the vaguest type on everything; then the status knows better. */
function typeOf(type: string | null, status: unknown): string {
	const byStatus = typeof status === 'number' ? TYPE_BY_STATUS[status] : undefined;
	return type === null || type === 'api_error' ? (byStatus ?? 'api_error') : type;
}

function verdictOf(type: string, message: string): Verdict {
	// This case has no category of its own.
	if (type === 'invalid_request_error' && /prompt is too long|context (window|limit)/i.test(message)) {
		return { code: 'truncated', transient: false, hint: 'The prompt does not fit the window; send less.' };
	}
	return BY_TYPE[type] ?? { code: 'invalid', transient: false, hint: 'An error of a kind not known here.' };
}

/** A stream that stopped before its end, a reset, a refused connection. */
export function brokenOff(thrown: unknown): ModelError {
	return new ModelError('unreachable', 'the connection to the provider failed or broke off', {
		transient: true,
		hint: 'Check the network, the proxy and the base URL.',
		cause: thrown,
	});
}
