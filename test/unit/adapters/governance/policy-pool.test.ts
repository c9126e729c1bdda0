import { expect, test } from 'vitest';
import { createDeferred } from '../../../../adapters/governance/deferred.ts';
import type { EngineLoad } from '../../../../adapters/governance/policy-engine.ts';
import { createPolicyPool } from '../../../../adapters/governance/policy-pool.ts';
import type { EndReason, PolicyThread, ThreadOutcome } from '../../../../adapters/governance/policy-thread.ts';

const packet = { requirements: '', metadata: '' };
const answer = (memoryBytes = 1): ThreadOutcome => ({
	kind: 'answer',
	answer: { status: 'ok', findings: [], isNoisy: false, memoryBytes },
});

/** A thread whose every step is in the test's hand. */
function createHandThread() {
	const ready = createDeferred<EngineLoad>();
	const ended = createDeferred<EndReason>();
	let running: ((outcome: ThreadOutcome) => void) | undefined;
	let isAlive = true;
	const end = (reason: EndReason = 'closed') => {
		isAlive = false;
		ready.reject(new Error(`ended: ${reason}`));
		running?.({ kind: 'ended', reason });
		ended.resolve(reason);
	};
	const thread: PolicyThread = {
		ready: ready.promise,
		ended: ended.promise,
		isAlive: () => isAlive,
		end,
		evaluate: () =>
			new Promise((resolve) => {
				running = resolve;
			}),
	};
	return {
		thread,
		ready,
		end,
		isBusy: () => running !== undefined,
		finish: (outcome = answer()) => running?.(outcome),
	};
}

function createRig(size = 1, change: { maxWaiting?: number; retireAfter?: number } = {}) {
	const threads: ReturnType<typeof createHandThread>[] = [];
	const pool = createPolicyPool({
		size,
		maxWaiting: change.maxWaiting ?? 10,
		wallMs: 1_000,
		retireBytes: 100,
		retireAfter: change.retireAfter ?? 1_000,
		start() {
			const hand = createHandThread();
			threads.push(hand);
			return hand.thread;
		},
		onEnd: () => undefined,
	});
	return { pool, threads, at: (place: number) => threads[place] as ReturnType<typeof createHandThread> };
}

/** Lets everything that is already decided happen. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));
const loaded: EngineLoad = { outcome: 'articles', rows: [] };

test('INT-10 packets take turns on one engine, in their order', async () => {
	const { pool, at } = createRig();
	const order: number[] = [];
	const all = [1, 2, 3].map((place) => pool.evaluate(packet).then(() => order.push(place)));
	at(0).ready.resolve(loaded);
	for (let round = 1; round <= 3; round += 1) {
		await settle();
		at(0).finish();
		await settle();
		expect(order).toHaveLength(round);
	}
	await Promise.all(all);
	expect(order).toEqual([1, 2, 3]);
});

test('INT-10 an engine that ended in an evaluation is replaced before the next packet comes', async () => {
	const { pool, threads, at } = createRig();
	const first = pool.evaluate(packet);
	at(0).ready.resolve(loaded);
	await settle();
	at(0).end('timeout');
	expect(await first).toEqual({ kind: 'ended', reason: 'timeout' });
	await settle();
	expect(threads).toHaveLength(2);
	at(1).ready.resolve(loaded);
	const second = pool.evaluate(packet);
	await settle();
	at(1).finish();
	expect((await second).kind).toBe('answer');
});

test('INT-10 an engine that died while idle is not handed a packet', async () => {
	const { pool, at } = createRig();
	void pool.loaded();
	at(0).ready.resolve(loaded);
	await settle();
	at(0).end('broken');
	const outcome = pool.evaluate(packet);
	await settle();
	expect(at(0).isBusy()).toBe(false);
	at(1).ready.resolve(loaded);
	await settle();
	at(1).finish();
	expect((await outcome).kind).toBe('answer');
});

test('INT-10 an engine that cannot start denies who waits, and is tried again with the next packet, not in a loop', async () => {
	const { pool, threads, at } = createRig();
	const first = pool.evaluate(packet);
	at(0).end('broken');
	expect(await first).toEqual({ kind: 'down', detail: 'ended: broken' });
	await settle();
	expect(threads).toHaveLength(1);
	const second = pool.evaluate(packet);
	expect(threads).toHaveLength(2);
	at(1).ready.resolve(loaded);
	await settle();
	at(1).finish();
	expect((await second).kind).toBe('answer');
});

test('INT-10 one of two engines that cannot start leaves the other at work', async () => {
	const { pool, at } = createRig(2);
	const outcome = pool.evaluate(packet);
	at(0).end('broken');
	await settle();
	at(1).ready.resolve(loaded);
	await settle();
	at(1).finish();
	expect((await outcome).kind).toBe('answer');
});

test('INT-10 no more wait than may; the rest hear it at once', async () => {
	const { pool, at } = createRig(1, { maxWaiting: 2 });
	const waiting = [pool.evaluate(packet), pool.evaluate(packet)];
	expect(await pool.evaluate(packet)).toEqual({ kind: 'busy' });
	at(0).ready.resolve(loaded);
	for (const outcome of waiting) {
		await settle();
		at(0).finish();
		expect((await outcome).kind).toBe('answer');
	}
});

test('INT-10 a packet that is called off while it waits leaves the queue', async () => {
	const { pool, at } = createRig();
	const off = new AbortController();
	const first = pool.evaluate(packet, off.signal);
	const second = pool.evaluate(packet);
	off.abort();
	expect(await first).toEqual({ kind: 'ended', reason: 'aborted' });
	at(0).ready.resolve(loaded);
	await settle();
	at(0).finish();
	expect((await second).kind).toBe('answer');
});

test('INT-10 an engine that grew or served long enough is replaced after its answer', async () => {
	const grown = createRig();
	const first = grown.pool.evaluate(packet);
	grown.at(0).ready.resolve(loaded);
	await settle();
	grown.at(0).finish(answer(101));
	expect((await first).kind).toBe('answer');
	expect(grown.at(0).thread.isAlive()).toBe(false);
	await settle();
	expect(grown.threads).toHaveLength(2);

	const old = createRig(1, { retireAfter: 1 });
	const only = old.pool.evaluate(packet);
	old.at(0).ready.resolve(loaded);
	await settle();
	old.at(0).finish();
	await only;
	expect(old.at(0).thread.isAlive()).toBe(false);
});

test('INT-10 closing ends every engine and lets nobody wait', async () => {
	const { pool, threads, at } = createRig(2);
	const waiting = pool.evaluate(packet);
	await pool.close();
	expect((await waiting).kind).toBe('down');
	expect(threads.every((hand) => !hand.thread.isAlive())).toBe(true);
	expect(await pool.evaluate(packet)).toMatchObject({ kind: 'down' });
	await settle();
	expect(threads).toHaveLength(2);
	expect(at(0).isBusy()).toBe(false);
});
