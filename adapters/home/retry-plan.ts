export interface RetryTiming {
	/** First and longest wait after a lost or refused connection. */
	readonly firstRetryMs: number;
	readonly longestRetryMs: number;
	/** First and longest wait after a refused token: each try is a failed login that Home Assistant counts. */
	readonly firstAuthRetryMs: number;
	readonly longestAuthRetryMs: number;
	/** How many tries with a refused token before waiting for a new one. */
	readonly authTries: number;
}

export const defaultRetryTiming: RetryTiming = {
	firstRetryMs: 1_000,
	longestRetryMs: 30_000,
	firstAuthRetryMs: 30_000,
	longestAuthRetryMs: 300_000,
	authTries: 5,
};

/** Decides how long to wait after the nth failure in a row (1 is the first); undefined means until somebody brings a new token. */
export function decideRetryMs(kind: 'lost' | 'auth', failures: number, timing: RetryTiming): number | undefined {
	if (kind === 'auth') {
		if (failures >= timing.authTries) return undefined;
		return Math.min(timing.longestAuthRetryMs, timing.firstAuthRetryMs * 2 ** (failures - 1));
	}
	return Math.min(timing.longestRetryMs, timing.firstRetryMs * 2 ** Math.min(30, failures - 1));
}
