import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRedis } from '../../adapters/redis/server/find-redis.ts';
import { ping } from '../../adapters/redis/server/ping.ts';
import { isAlive } from '../../adapters/redis/server/start-lock.ts';
import { startChild, type TestChild } from '../support/child.ts';
import { eventually, testBinary } from '../support/redis.ts';

const run = promisify(execFile);
const PROCESS = 'test/support/find-redis-process.ts';

describe('the chain that finds Redis', () => {
	let dataDir: string;
	let env: NodeJS.ProcessEnv;
	const children: TestChild[] = [];

	beforeEach(async () => {
		dataDir = await mkdtemp(join(tmpdir(), 'mj-chain-'));
		const { path } = await testBinary();
		env = { ...process.env, PATH: `${dirname(path)}:${process.env.PATH}`, REDIS_URL: '', REDIS: '' };
	});
	afterEach(async () => {
		await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
		const pid = await serverPid();
		if (isAlive(pid)) process.kill(pid, 'SIGKILL');
		await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
	});

	async function serverPid(): Promise<number> {
		return Number(await readFile(join(dataDir, 'redis', 'redis.pid'), 'utf8').catch(() => ''));
	}

	async function start(
		environment = env,
		...args: string[]
	): Promise<{ child: TestChild; found: { kind: string; how: string; where: { path: string } } }> {
		const child = startChild(PROCESS, [dataDir, ...args], environment);
		children.push(child);
		const line = await eventually(
			`found a Redis: ${child.stderr()}`,
			() => {
				if (child.process.exitCode) throw new Error(child.stderr());
				return child.lines.find((item) => item.startsWith('found '));
			},
			120_000,
		);
		return { child, found: JSON.parse(line.slice(6)) };
	}

	async function leave(child: TestChild): Promise<void> {
		child.process.stdin?.end();
		await eventually('it stopped', () => child.lines.includes('stopped'), 60_000);
	}

	/** A PATH with everything of this machine but a Redis. */
	async function pathWithoutRedis(): Promise<string> {
		const folder = join(dataDir, 'bin');
		await mkdir(folder);
		for (const from of ['/usr/sbin', '/usr/bin', '/bin', dirname(process.execPath)])
			for (const name of await readdir(from).catch(() => []))
				if (!/^(redis|valkey)/.test(name)) await symlink(join(from, name), join(folder, name)).catch(() => undefined);
		return folder;
	}

	test('OPS-2 a given URL is used, whatever else is there, and nothing is started', async () => {
		const found = await findRedis({
			dataDir,
			env: { ...env, REDIS_URL: 'redis://:secret@cache.example:6390/2' },
			allowEphemeral: true,
			report: () => expect.unreachable(),
		});
		expect(found).toMatchObject({ kind: 'given', how: 'the Redis given as REDIS_URL, redis://cache.example:6390/2' });
		await found.stop();
		expect(await readdir(dataDir)).toEqual([]);
	});

	test('OPS-2 one on PATH becomes a private child with the right settings, and ends with its only user', async () => {
		const { child, found } = await start();
		expect(found.kind).toBe('started');
		expect(child.lines[0]).toMatch(/^report Starting .*redis\.sock; its data is in /);
		expect((await stat(join(dataDir, 'redis'))).mode & 0o777).toBe(0o700);
		expect((await stat(found.where.path)).mode & 0o777).toBe(0o700);
		const client = new Redis({ path: found.where.path });
		const config = async (name: string) => ((await client.config('GET', name)) as string[])[1];
		expect(await Promise.all(['port', 'appendonly', 'appendfsync', 'save', 'maxmemory-policy'].map(config))).toEqual([
			'0',
			'yes',
			'everysec',
			'',
			'noeviction',
		]);
		await client.quit();
		const pid = await serverPid();
		await leave(child);
		expect(isAlive(pid)).toBe(false);
		expect(await ping({ path: found.where.path }, 1_000)).toBe('absent');
	});

	test('OPS-2 OPS-15 a server left by a crash is adopted with its data, and ends with the one that adopted it', async () => {
		const first = await start();
		const client = new Redis({ path: first.found.where.path });
		await client.set('kept', 'yes');
		const pid = await serverPid();
		await first.child.end('SIGKILL');
		expect(isAlive(pid)).toBe(true);
		const second = await start();
		expect(second.found.kind).toBe('adopted');
		expect(await serverPid()).toBe(pid);
		expect(await client.get('kept')).toBe('yes');
		await client.quit();
		await leave(second.child);
		await eventually('the server is gone', () => !isAlive(pid));
	});

	test('OPS-2 OPS-15 three processes started at once end with one server, which lives as long as one of them', async () => {
		const all = await Promise.all([start(), start(), start()]);
		expect(all.map(({ found }) => found.kind).sort()).toEqual(['adopted', 'adopted', 'started']);
		const pid = await serverPid();
		const { stdout } = await run('pgrep', ['-f', `unixsocket:${dataDir}`]).catch(() => ({ stdout: String(pid) }));
		expect(stdout.trim().split('\n')).toEqual([String(pid)]);
		const [a, b, c] = all.sort((one, two) => two.found.kind.localeCompare(one.found.kind)) as [
			(typeof all)[0],
			(typeof all)[0],
			(typeof all)[0],
		];
		await leave(a.child);
		await leave(b.child);
		expect(isAlive(pid)).toBe(true);
		await leave(c.child);
		await eventually('the server is gone', () => !isAlive(pid));
	});

	test('OPS-2 OPS-15 five that look in the very same moment end with one server', async () => {
		const options = { dataDir, env, allowEphemeral: false, report: () => undefined };
		const all = await Promise.all(Array.from({ length: 5 }, () => findRedis(options)));
		expect(all.map(({ kind }) => kind).sort()).toEqual(['adopted', 'adopted', 'adopted', 'adopted', 'started']);
		await Promise.all(all.map((found) => found.stop()));
		expect(isAlive(await serverPid())).toBe(false);
	});

	test('OPS-15 a private server that is killed while it is used is started again, with its data', async () => {
		const { child, found } = await start();
		const client = new Redis({ path: found.where.path, maxRetriesPerRequest: null });
		client.on('error', () => undefined);
		await client.set('kept', 'yes');
		const pid = await serverPid();
		// The append-only file is written before the reply unless the disk lags behind: give it a moment.
		await eventually('it is written', async () => /aof_buffer_length:0/.test(await client.info('persistence')));
		process.kill(pid, 'SIGKILL');
		await eventually('another server', async () => (await serverPid()) !== pid && isAlive(await serverPid()), 60_000);
		expect(await client.get('kept')).toBe('yes');
		expect(child.lines.some((line) => line.includes('starting') && line.includes('again'))).toBe(true);
		client.disconnect();
		await leave(child);
	});

	test('OPS-2 a lock left by a dead process does not stop anybody', async () => {
		await mkdir(join(dataDir, 'redis'));
		await writeFile(join(dataDir, 'redis', 'start.lock'), '999999999 gone');
		const { child } = await start();
		await leave(child);
	});

	test('OPS-2 a data folder with a very long name works', async () => {
		const short = dataDir;
		dataDir = join(dataDir, 'x'.repeat(120));
		await mkdir(dataDir);
		const { child, found } = await start();
		expect(Buffer.byteLength(found.where.path)).toBeLessThan(104);
		expect((await readFile(join(dataDir, 'redis', 'socket.path'), 'utf8')).trim()).toBe(found.where.path);
		await leave(child);
		await rm(dirname(found.where.path), { recursive: true, force: true });
		dataDir = short;
	});

	test('OPS-2 REDIS=ephemeral and the demo without anything else use the one in process, loudly', async () => {
		const asked = await start({ ...env, REDIS: 'ephemeral' });
		expect(asked.found.kind).toBe('ephemeral');
		expect(asked.child.lines[0]).toMatch(/^report NOTHING IS KEPT/);
		expect(asked.found.how).toMatch(/NOTHING IS KEPT/);
		await leave(asked.child);
		const empty = join(dataDir, 'empty');
		await mkdir(empty);
		const demo = await start({ ...env, PATH: empty }, 'ephemeral');
		expect(demo.found.kind).toBe('ephemeral');
		const { host, port } = demo.found.where as unknown as { host: string; port: number };
		expect(await ping({ host, port }, 2_000)).toBe('pong');
		await leave(demo.child);
	});

	test('OPS-2 with nothing to be had the error says what was tried and one command for each platform', async () => {
		const bin = join(dataDir, 'bin');
		await mkdir(bin);
		await writeFile(join(bin, 'redis-server'), '#!/bin/sh\necho "Redis server v=5.0.14 sha=0"\n', { mode: 0o755 });
		const failing = findRedis({
			dataDir,
			env: { PATH: `${bin}:/nonexistent` },
			allowEphemeral: false,
			report: () => undefined,
		});
		await expect(failing).rejects.toMatchObject({ code: 'redis_not_found' });
		const text = String(await failing.catch((error) => error.message));
		expect(text).toContain('version 5.0.14 is older than 6.2');
		for (const word of [
			'apt-get install',
			'dnf install',
			'apk add',
			'pacman',
			'brew install',
			'docker run',
			'REDIS=ephemeral',
		])
			expect(text).toContain(word);
	});

	test.skipIf(process.platform !== 'linux')(
		'OPS-2 on Debian and Ubuntu without Redis the distribution’s packages are unpacked into the data folder, once',
		async (context) => {
			const hasApt = await readFile('/etc/os-release', 'utf8').then(
				(text) => /debian|ubuntu/.test(text),
				() => false,
			);
			if (!hasApt) return context.skip('no Debian or Ubuntu');
			const bare = { ...env, PATH: await pathWithoutRedis() };
			const first = await start(bare);
			const reports = first.child.lines.filter((line) => line.startsWith('report '));
			expect(reports[0]).toContain('Fetching the distribution');
			expect(first.found.how).toContain(join(dataDir, 'redis-packages', 'root'));
			await leave(first.child);
			const second = await start(bare);
			expect(second.child.lines.filter((line) => line.includes('Fetching'))).toEqual([]);
			await leave(second.child);
			expect(await readdir(join(dataDir, 'redis-packages'))).toEqual(['root']);
		},
		180_000,
	);
});
