import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startChild, type TestChild } from '../../support/child.ts';
import { eventually } from '../../support/redis.ts';

describe('a port that somebody else has', () => {
	let dir: string;
	let other: Server;
	let taken: number;
	let child: TestChild | undefined;

	beforeEach(async () => {
		dir = await mkdtemp(join(tmpdir(), 'mj-port-'));
		other = createServer();
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const address = other.address();
		taken = typeof address === 'object' && address ? address.port : 0;
	});
	afterEach(async () => {
		await child?.end('SIGKILL');
		other.close();
		await rm(dir, { recursive: true, force: true });
	});

	/** Runs until it ends by itself; its words, its exit code, and the process of the Redis that it started. */
	async function run(file: string, env: NodeJS.ProcessEnv) {
		const library = process.env.TEST_REDIS_BINARY ? join(process.env.TEST_REDIS_BINARY, '..') : '';
		let redis = 0;
		const started = startChild(file, [], {
			...process.env,
			PATH: `${library}:${process.env.PATH ?? ''}`,
			...(process.env.TEST_REDIS_LIBRARIES ? { LD_LIBRARY_PATH: process.env.TEST_REDIS_LIBRARIES } : {}),
			REDIS_URL: '',
			MAJORDOMO_DATA: dir,
			...env,
		});
		child = started;
		await eventually(
			`${file} ends; it said ${started.lines.join('\n')} ${started.stderr()}`,
			async () => {
				redis ||= Number(await readFile(join(dir, 'redis', 'redis.pid'), 'utf8').catch(() => '0'));
				return started.process.exitCode !== null;
			},
			60_000,
		);
		expect(redis, `its Redis was seen; it said ${started.lines.join('\n')} ${started.stderr()}`).toBeGreaterThan(0);
		return { said: `${started.lines.join('\n')}\n${started.stderr()}`, code: started.process.exitCode, redis };
	}
	const isGone = (pid: number) => {
		try {
			process.kill(pid, 0);
			return false;
		} catch {
			return true;
		}
	};

	test.each([
		['its first', 0],
		['the bot’s', 3],
	])(
		'OPS-1 OPS-17 the demo names %s port and the way out, and leaves no Redis',
		{ timeout: 90_000 },
		async (_, offset) => {
			const { said, code, redis } = await run('demo/main.ts', {
				MAJORDOMO_DEMO_PORT: String(taken - offset),
				MAJORDOMO_DEMO_MODEL: 'scripted',
			});
			expect(said).toContain(String(taken));
			expect(said).toContain('MAJORDOMO_DEMO_PORT=');
			expect(code).toBe(1);
			await eventually('its Redis is gone', () => isGone(redis), 10_000);
		},
	);

	test('OPS-5 OPS-17 a house that cannot start says why and leaves no Redis', { timeout: 90_000 }, async () => {
		const path = join(dir, 'majordomo.yaml');
		const room = { id: 'room', title: 'Room', channelId: '800000000000000001' };
		await writeFile(
			path,
			stringify({
				discord: { guildId: '800000000000000002' },
				http: { port: taken },
				intake: { enabled: false },
				rooms: [room],
			}),
		);
		const { said, code, redis } = await run('main.ts', {
			MAJORDOMO_CONFIG: path,
			DISCORD_TOKEN: ['MTE1NjIzMDU2NzE0MjgzNDE3Ng', 'abcdef', 'abcdefghijklmnopqrstuvwxyz0123456789AB'].join('.'),
			HOME_ASSISTANT_TOKEN: 'of-no-use-here',
		});
		expect(said).toContain(`127.0.0.1:${taken} is in use`);
		expect(code).toBe(1);
		await eventually('its Redis is gone', () => isGone(redis), 10_000);
	});
});
