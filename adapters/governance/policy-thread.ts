import { Worker } from 'node:worker_threads';
import { createDeferred } from './deferred.ts';
import type { EngineAnswer, EngineLoad, EngineSetup, PacketFacts } from './policy-engine.ts';
import type { ThreadReply, ThreadRequest } from './policy-worker.ts';

export type EndReason = 'timeout' | 'aborted' | 'broken' | 'closed';

export type ThreadOutcome =
	| { readonly kind: 'answer'; readonly answer: EngineAnswer }
	| { readonly kind: 'ended'; readonly reason: EndReason; readonly detail?: string };

/** One worker thread with one engine. It is used for one packet at a time and never again after it ended. */
export interface PolicyThread {
	/** What loading the policies gave. Rejects when the thread ended before, or did not start in time. */
	readonly ready: Promise<EngineLoad>;
	/** Resolves when the thread is gone. */
	readonly ended: Promise<EndReason>;
	isAlive(): boolean;
	/** Ends the thread, and with it the evaluation, when `wallMs` are over or the signal fires. Never rejects. */
	evaluate(packet: PacketFacts, wallMs: number, signal?: AbortSignal): Promise<ThreadOutcome>;
	end(reason?: EndReason): void;
}

const isSource = import.meta.url.endsWith('.ts');
const entry = new URL(isSource ? './policy-worker-source.mjs' : './policy-worker.js', import.meta.url);

/** Starts a thread. Nothing of this process's environment, arguments or output is shared with it. */
export function startPolicyThread(setup: EngineSetup, startMs: number): PolicyThread {
	const worker = new Worker(entry, {
		workerData: setup,
		env: {},
		argv: [],
		execArgv: [],
		stdin: true,
		stdout: true,
		stderr: true,
		resourceLimits: { maxOldGenerationSizeMb: 128 },
	});
	worker.stdout.resume();
	worker.stderr.resume();
	const started = createDeferred<EngineLoad>();
	const gone = createDeferred<EndReason>();
	let current: { id: number; settle(outcome: ThreadOutcome): void } | undefined;
	let lastId = 0;
	let hasEnded = false;

	const end = (reason: EndReason = 'closed', detail?: string) => {
		if (hasEnded) return;
		hasEnded = true;
		clearTimeout(startTimer);
		started.reject(new Error(detail ?? `the policy engine did not start (${reason})`));
		current?.settle({ kind: 'ended', reason, ...(detail === undefined ? {} : { detail }) });
		void worker.terminate().finally(() => gone.resolve(reason));
	};
	const startTimer = setTimeout(() => end('timeout', 'the policy engine did not start in time'), startMs);

	worker.on('message', (reply: ThreadReply) => {
		if (reply.kind === 'broken') return end('broken', reply.detail);
		if (reply.kind === 'answer') {
			if (current?.id === reply.id) current.settle({ kind: 'answer', answer: reply.answer });
			return;
		}
		clearTimeout(startTimer);
		worker.unref();
		started.resolve(reply.loaded);
	});
	worker.on('messageerror', () => end('broken', 'the engine gave an answer that cannot be read'));
	worker.on('error', (error) => end('broken', error instanceof Error ? error.message : 'the engine ended'));
	worker.on('exit', () => end('broken', 'the engine ended'));

	return {
		ready: started.promise,
		ended: gone.promise,
		isAlive: () => !hasEnded,
		end,
		evaluate(packet, wallMs, signal) {
			if (hasEnded) return Promise.resolve({ kind: 'ended', reason: 'broken' });
			if (current) return Promise.resolve({ kind: 'ended', reason: 'broken', detail: 'the thread is taken' });
			if (signal?.aborted) return Promise.resolve({ kind: 'ended', reason: 'aborted' });
			lastId += 1;
			const { promise, resolve } = createDeferred<ThreadOutcome>();
			const abort = () => end('aborted');
			const timer = setTimeout(() => end('timeout'), wallMs);
			signal?.addEventListener('abort', abort, { once: true });
			current = {
				id: lastId,
				settle(outcome) {
					current = undefined;
					clearTimeout(timer);
					signal?.removeEventListener('abort', abort);
					resolve(outcome);
				},
			};
			worker.postMessage({ id: lastId, packet } satisfies ThreadRequest);
			return promise;
		},
	};
}
