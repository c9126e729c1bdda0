import { afterEach } from 'vitest';
import { describeTarget } from '../../adapters/redis/target.ts';
import { startChild, type TestChild } from './child.ts';
import type { FleetStage } from './fleet-stage.ts';
import { eventually } from './redis.ts';

/** Starts workers of the stage's fleet as processes of their own; those that still live after a test are killed. */
export function fleetWorkers(stage: FleetStage): () => Promise<TestChild> {
	const children: TestChild[] = [];
	afterEach(async () => {
		await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
	});
	return async () => {
		const { where, prefix } = stage.redis;
		const url = describeTarget(where).replace('unix:', 'unix://');
		const child = startChild('test/support/fleet-worker-process.ts', [url, prefix, stage.ollama.url]);
		children.push(child);
		await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), 60_000);
		return child;
	};
}
