import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CxpHouse, OTHER_TOKEN, openCxp } from '../../support/cxp.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const missing = ['curl', 'jq', 'openssl', 'bash'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
const example = readFileSync('docs/intake.md', 'utf8').match(/```sh\n(URL=[\s\S]*?)```/)?.[1] ?? '';

let server: TestRedis;
let house: CxpHouse;
beforeAll(async () => {
	server = await startTestRedis();
	house = await openCxp(server);
	house.bench.work();
});
afterAll(async () => {
	await house?.close();
	await server?.stop();
});

/** Skipped where one of the tools of the example is not installed. */
test.skipIf(missing.length > 0)(
	'INT-21 the example in the docs does what it says, with its own signature',
	async () => {
		expect(example).toContain('send intent');
		const child = spawn('bash', ['--norc', '--noprofile', '-eu', '-c', example], {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...process.env, URL: house.url, TOKEN: OTHER_TOKEN, SECRET: 'the-secret-of-the-portal' },
			timeout: 25_000,
		});
		let out = '';
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (piece: string) => {
				out += piece;
			});
		const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
		expect([code, out.trim().split('\n')]).toEqual([
			0,
			[
				'D1: Which things should be sold first?',
				'D3: What is kept about each order?',
				'D6: Where should it run?',
				'questions',
			],
		]);
	},
);
