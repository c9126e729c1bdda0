import { expect, test } from 'vitest';
import { createLanes } from '../../../bot/lanes.ts';

const later = () => new Promise((resolve) => setImmediate(resolve));

test('work keeps its order per key, a failure hurts only itself, and draining waits for all', async () => {
	const lanes = createLanes();
	const done: string[] = [];
	const task =
		(name: string, fails = false) =>
		async () => {
			await later();
			done.push(name);
			if (fails) throw new Error(name);
			return name;
		};
	const failing = lanes.run('a', task('a1', true)).catch((error: Error) => `failed ${error.message}`);
	void lanes.run('a', task('a2'));
	void lanes.run('b', task('b1'));
	const last = lanes.run('a', task('a3'));
	await lanes.drain();
	expect(await failing).toBe('failed a1');
	expect(await last).toBe('a3');
	expect(done.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
	expect(done).toContain('b1');
});
