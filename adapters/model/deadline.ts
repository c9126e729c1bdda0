import { ModelError } from '../../core/model/model-port.ts';

/** One limit over a whole call: time and the caller's signal, as one signal. */
export interface Deadline {
	readonly signal: AbortSignal;
	remainingMs(): number;
	/** The error to report when the limit struck, undefined while it has not. */
	struck(): ModelError | undefined;
	/** Settles with the work, or rejects when the limit strikes, whichever is first. */
	race<T>(work: Promise<T>): Promise<T>;
	/** Waits, or rejects when the limit strikes. */
	sleep(ms: number): Promise<void>;
	/** Ends whatever still hangs on the signal. */
	abort(): void;
	/** Drops the timer and the listener; a finished answer's connection may live on. */
	release(): void;
}

/** The longest wait a Node timer can represent. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createDeadline(options: { deadlineMs: number; signal?: AbortSignal; now: () => number }): Deadline {
	const { signal: outer, now } = options;
	const deadlineMs = Math.min(Math.max(0, options.deadlineMs), LONGEST_TIMER_MS);
	const endsAt = now() + deadlineMs;
	const controller = new AbortController();
	let error: ModelError | undefined;
	let rejectAll: (error: ModelError) => void = () => {};
	const limit = new Promise<never>((_, reject) => {
		rejectAll = reject;
	});
	// Nobody may be racing at the moment it strikes.
	limit.catch(() => {});
	const strike = (reason: ModelError) => {
		if (error !== undefined || controller.signal.aborted) return;
		error = reason;
		rejectAll(reason);
		controller.abort(reason);
	};
	const cancel = () =>
		strike(new ModelError('cancelled', 'the call was cancelled', { transient: false, hint: 'Nothing to do.' }));
	const timer = setTimeout(() => {
		strike(
			new ModelError('timeout', `no complete answer within ${deadlineMs} ms`, {
				transient: true,
				hint: 'The model is slow, loading or hung. Raise the deadline, or use a smaller model.',
			}),
		);
	}, deadlineMs);
	if (outer?.aborted) cancel();
	else outer?.addEventListener('abort', cancel, { once: true });
	const race = <T>(work: Promise<T>): Promise<T> => Promise.race([work, limit]);
	return {
		signal: controller.signal,
		remainingMs: () => Math.max(0, endsAt - now()),
		struck: () => error,
		race,
		async sleep(ms) {
			let wake: NodeJS.Timeout | undefined;
			try {
				await race(
					new Promise<void>((resolve) => {
						wake = setTimeout(resolve, ms);
					}),
				);
			} finally {
				clearTimeout(wake);
			}
		},
		abort: () => controller.abort(),
		release() {
			clearTimeout(timer);
			outer?.removeEventListener('abort', cancel);
		},
	};
}
