import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { anySignal } from '../../../core/any-signal.ts';

const run = promisify(execFile);

test('the first of several fires it, with its reason; one that has fired already fires it at once', () => {
	const [one, two] = [new AbortController(), new AbortController()];
	const signal = anySignal([one.signal, two.signal]);
	expect(signal.aborted).toBe(false);
	two.abort('two');
	expect(signal.reason).toBe('two');
	expect(anySignal([one.signal, two.signal]).aborted).toBe(true);
});

test('OVR-5 a time limit comes, although nobody but the joined signal knows of it and garbage is collected', async () => {
	const { stdout } = await run(process.execPath, [
		'--expose-gc',
		'--import',
		'tsx',
		'test/support/any-signal-process.ts',
	]);
	expect(JSON.parse(stdout)).toEqual(['controller', 'nested time limit', 'polled', 'time limit']);
});

/** Loaded into another program, so it imports nothing; both its signals are kept by others. */
const ALONE = ['adapters/fleet/reporters/pi-ask-tool.ts'];

test('nobody joins signals in the way that loses time limits', async () => {
	const found: string[] = [];
	for (const room of ['adapters', 'bot', 'core', 'demo', 'jobs', 'tools', 'scripts']) {
		for (const entry of await readdir(room, { recursive: true })) {
			if (!entry.endsWith('.ts')) continue;
			const path = `${room}/${entry}`;
			if ((await readFile(path, 'utf8')).includes('AbortSignal.any(')) found.push(path);
		}
	}
	expect(found.sort()).toEqual([...ALONE, 'core/any-signal.ts']);
});
