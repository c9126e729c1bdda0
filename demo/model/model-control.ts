import type { ModelStep } from './model-step.ts';

/** A request as it arrived, and what became of it. */
export interface ReceivedRequest {
	/** Counts from 1. */
	id: number;
	/** Epoch milliseconds. */
	at: number;
	path: string;
	/** The whole body, prompt included. */
	body: unknown;
	/** The step that answered; `script` when none was queued. */
	step: string;
	/** `aborted`: the client went away first. */
	outcome: 'pending' | 'answered' | 'failed' | 'aborted';
	/** The text that went out, where there was one. */
	answer?: string;
}

/** Steers a loopback model: what it answers next, and what it has been asked. */
export interface ModelControl {
	/** The next outputs, first come first served; each answers one request (or `times`). */
	queue(...steps: ModelStep[]): void;
	/** Answers every request for which nothing is queued; undefined gives the word back to the script. */
	always(step: ModelStep | undefined): void;
	/** Takes the step for a request that just came in. */
	take(): ModelStep;
	requests(): readonly ReceivedRequest[];
	record(request: { path: string; body: unknown; step: string }): ReceivedRequest;
	/** Resolves with the first request after `afterId`, or undefined when none came in time. */
	waitForRequest(afterId: number, deadlineMs: number): Promise<ReceivedRequest | undefined>;
	/** Registers a hanging answer's way out; the returned function forgets it. */
	onRelease(letGo: () => void): () => void;
	/** Closes every hanging connection. */
	release(): number;
	/** Forgets queue, standing step and requests, and releases. */
	reset(): void;
	state(): { queued: number; always: string | undefined; requests: number; pending: number; hanging: number };
}

const MAX_REQUESTS = 2_000;

export function createModelControl(now: () => number): ModelControl {
	let queued: ModelStep[] = [];
	let standing: ModelStep | undefined;
	let received: ReceivedRequest[] = [];
	let lastId = 0;
	const waiters = new Set<() => void>();
	const hanging = new Set<() => void>();

	const firstAfter = (afterId: number) => received.find((request) => request.id > afterId);

	function release(): number {
		const count = hanging.size;
		for (const letGo of [...hanging]) letGo();
		hanging.clear();
		return count;
	}

	return {
		queue(...steps) {
			for (const step of steps) {
				for (let time = 0; time < (step.times ?? 1); time += 1) queued.push(step);
			}
		},
		always(step) {
			standing = step;
		},
		take: () => queued.shift() ?? standing ?? { kind: 'script' },
		requests: () => received,
		record(request) {
			const entry: ReceivedRequest = { id: ++lastId, at: now(), outcome: 'pending', ...request };
			received.push(entry);
			if (received.length > MAX_REQUESTS) received = received.slice(-MAX_REQUESTS);
			for (const wake of [...waiters]) wake();
			return entry;
		},
		async waitForRequest(afterId, deadlineMs) {
			const already = firstAfter(afterId);
			if (already) return already;
			return new Promise((resolve) => {
				const finish = (request: ReceivedRequest | undefined) => {
					clearTimeout(timer);
					waiters.delete(wake);
					resolve(request);
				};
				const wake = () => {
					const request = firstAfter(afterId);
					if (request) finish(request);
				};
				const timer = setTimeout(() => finish(undefined), deadlineMs);
				waiters.add(wake);
			});
		},
		onRelease(letGo) {
			hanging.add(letGo);
			return () => hanging.delete(letGo);
		},
		release,
		reset() {
			queued = [];
			standing = undefined;
			received = [];
			release();
		},
		state: () => ({
			queued: queued.length,
			always: standing?.kind,
			requests: received.length,
			pending: received.filter((request) => request.outcome === 'pending').length,
			hanging: hanging.size,
		}),
	};
}
