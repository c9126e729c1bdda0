import { afterAll, afterEach, beforeAll } from 'vitest';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../demo/model/loopback-ollama.ts';
import { type FleetBench, openFleet } from './fleet.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

/** What the tests of one file play on. Usable inside tests and hooks only. */
export interface FleetStage {
	readonly redis: TestRedis;
	readonly ollama: LoopbackModel;
	/** The bench of the running test. */
	readonly bench: FleetBench;
	/** Opens the running test's bench; it is closed after the test. */
	open(options?: Parameters<typeof openFleet>[1]): Promise<FleetBench>;
}

/** Redis and a scripted model for a whole file, as new for every test, and a fleet for each. Registers its own hooks. */
export function fleetStage(options: Parameters<typeof startTestRedis>[0] = {}): FleetStage {
	let redis: TestRedis | undefined;
	let ollama: LoopbackModel | undefined;
	let bench: FleetBench | undefined;
	beforeAll(async () => {
		redis = await startTestRedis(options);
		ollama = await createLoopbackOllama();
	});
	afterEach(async () => {
		await bench?.close();
		bench = undefined;
		ollama?.control.reset();
		await redis?.flush();
	});
	afterAll(async () => {
		await ollama?.close();
		await redis?.stop();
	});
	const there = <Thing>(thing: Thing | undefined): Thing => {
		if (thing === undefined) throw new Error('not there yet: ask for it inside a test');
		return thing;
	};
	return {
		get redis() {
			return there(redis);
		},
		get ollama() {
			return there(ollama);
		},
		get bench() {
			return there(bench);
		},
		async open(how) {
			bench = await openFleet(there(redis), how);
			return bench;
		},
	};
}
