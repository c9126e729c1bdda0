import { createDeferred, type Deferred } from './deferred.ts';
import type { EngineLoad, PacketFacts } from './policy-engine.ts';
import type { PolicyThread, ThreadOutcome } from './policy-thread.ts';

interface PoolDeps {
	/** Threads kept warm. */
	readonly size: number;
	/** Packets that may wait for a free thread. */
	readonly maxWaiting: number;
	/** Longest evaluation. */
	readonly wallMs: number;
	/** A thread is replaced after an evaluation that left its engine bigger than this, or after so many. */
	readonly retireBytes: number;
	readonly retireAfter: number;
	start(): PolicyThread;
	onEnd(reason: string): void;
}

type PoolOutcome = ThreadOutcome | { readonly kind: 'busy' } | { readonly kind: 'down'; readonly detail: string };

export interface PolicyPool {
	/** What loading gave in the first thread that is ready. Rejects when the engine cannot be started. */
	loaded(): Promise<EngineLoad>;
	/** Never rejects. */
	evaluate(packet: PacketFacts, signal?: AbortSignal): Promise<PoolOutcome>;
	/** Ends all threads; waiting packets come back as `down`. */
	close(): Promise<void>;
}

/**
 * Warm engines, one packet each at a time. A thread that ended is replaced at once; an engine that cannot be started at
 * all is tried again with the next packet, not in a loop.
 */
export function createPolicyPool(deps: PoolDeps): PolicyPool {
	const threads = new Set<PolicyThread>();
	const idle: PolicyThread[] = [];
	const waiting: Deferred<PolicyThread | undefined>[] = [];
	const uses = new Map<PolicyThread, number>();
	let firstLoad = createDeferred<EngineLoad>();
	let isClosed = false;
	let lastFailure = 'it was closed';

	const offer = (thread: PolicyThread) => {
		const next = waiting.shift();
		if (next) next.resolve(thread);
		else idle.push(thread);
	};
	const fill = () => {
		while (!isClosed && threads.size < deps.size) add(deps.start());
	};
	const add = (thread: PolicyThread) => {
		threads.add(thread);
		let wasReady = false;
		thread.ready.then(
			(loaded) => {
				wasReady = true;
				firstLoad.resolve(loaded);
				offer(thread);
			},
			(error: Error) => {
				threads.delete(thread);
				lastFailure = error.message;
				if (threads.size > 0) return;
				firstLoad.reject(error);
				firstLoad = createDeferred();
				for (const waiter of waiting.splice(0)) waiter.resolve(undefined);
			},
		);
		void thread.ended.then((reason) => {
			threads.delete(thread);
			uses.delete(thread);
			const place = idle.indexOf(thread);
			if (place >= 0) idle.splice(place, 1);
			deps.onEnd(reason);
			if (wasReady) fill();
		});
	};
	const takeThread = async (signal?: AbortSignal): Promise<PolicyThread | undefined> => {
		for (let free = idle.shift(); free; free = idle.shift()) if (free.isAlive()) return free;
		const waiter = createDeferred<PolicyThread | undefined>();
		const leave = () => {
			const place = waiting.indexOf(waiter);
			if (place >= 0) waiting.splice(place, 1);
			waiter.resolve(undefined);
		};
		waiting.push(waiter);
		signal?.addEventListener('abort', leave, { once: true });
		const thread = await waiter.promise;
		signal?.removeEventListener('abort', leave);
		return thread;
	};

	return {
		loaded() {
			fill();
			return firstLoad.promise;
		},
		async evaluate(packet, signal) {
			if (isClosed) return { kind: 'down', detail: lastFailure };
			if (signal?.aborted) return { kind: 'ended', reason: 'aborted' };
			if (waiting.length >= deps.maxWaiting) return { kind: 'busy' };
			fill();
			const thread = await takeThread(signal);
			if (!thread)
				return signal?.aborted ? { kind: 'ended', reason: 'aborted' } : { kind: 'down', detail: lastFailure };
			const outcome = await thread.evaluate(packet, deps.wallMs, signal);
			if (outcome.kind !== 'answer') {
				if (thread.isAlive()) offer(thread);
				return outcome;
			}
			const used = (uses.get(thread) ?? 0) + 1;
			uses.set(thread, used);
			if (outcome.answer.memoryBytes > deps.retireBytes || used >= deps.retireAfter) thread.end();
			else offer(thread);
			return outcome;
		},
		async close() {
			isClosed = true;
			lastFailure = 'it was closed';
			for (const waiter of waiting.splice(0)) waiter.resolve(undefined);
			const all = [...threads];
			for (const thread of all) thread.end();
			await Promise.all(all.map((thread) => thread.ended));
		},
	};
}
