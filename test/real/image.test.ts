import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findServerBinary } from '../../adapters/redis/server/find-redis.ts';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../demo/discord/server.ts';
import { createLoopbackHome, type LoopbackHome } from '../../demo/home/loopback-home.ts';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../demo/model/loopback-ollama.ts';
import { rehearsalSettings } from '../../demo/settings.ts';
import { execForm, type Instruction, readDockerfile, type Stage } from '../support/dockerfile.ts';
import { eventually } from '../support/redis.ts';

/** Whoever runs this as root gives up its rights as the image does; `nobody` everywhere. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PASSWORD = 'only-for-tests-0123';

let root: string;
let stages: [Stage, Stage];
let app: string;
let redis: ChildProcess;
let redisPort: number;
let discord: LoopbackDiscord;
let home: LoopbackHome;
let model: LoopbackModel;
const running: ChildProcess[] = [];

const freePort = async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, 'close');
	return port;
};

/** Plays COPY and RUN of the build stage in a folder, from the files that git would check out. */
async function build(stage: Stage, folder: string): Promise<void> {
	const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		encoding: 'utf8',
	}).split('\n');
	for (const { word, rest } of stage.instructions) {
		if (word === 'COPY') {
			const names = rest.split(/\s+/);
			const target = names.pop() ?? '';
			for (const name of names) {
				const pattern = new RegExp(
					`^${name.replace(/^\.\//, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/.*)?$`,
				);
				const found = known.filter((file) => pattern.test(file));
				expect(found, `COPY ${name}`).not.toEqual([]);
				for (const file of found) {
					const isFile = pattern.exec(file)?.[1] === undefined;
					const inside = isFile ? basename(file) : file.slice(name.replace(/^\.\//, '').length + 1);
					await cp(file, join(folder, target, inside), { recursive: true });
				}
			}
		} else if (word === 'RUN') {
			execFileSync('sh', ['-ec', rest], {
				cwd: folder,
				stdio: ['ignore', 2, 2],
				env: { ...process.env, npm_config_prefer_offline: 'true', NODE_ENV: '' },
				timeout: 600_000,
			});
		}
	}
}

/** What the second stage takes over from the first. */
async function assemble(stage: Stage, from: string, folder: string): Promise<void> {
	for (const { flags, rest } of stage.instructions.filter(({ word, flags: f }) => word === 'COPY' && f['from'])) {
		const [source = '', target = ''] = rest.split(/\s+/);
		expect(flags['from']).toBe('build');
		await cp(join(from, source.replace(/^\/app\//, '')), join(folder, target), {
			recursive: true,
			verbatimSymlinks: true,
		});
	}
}

const lineOf = (word: string): Instruction => {
	const found = stages[1].instructions.find((one) => one.word === word);
	if (found === undefined) throw new Error(`the image has no ${word}`);
	return found;
};

beforeAll(async () => {
	stages = readDockerfile(await readFile('Dockerfile', 'utf8')) as [Stage, Stage];
	root = await mkdtemp(join(tmpdir(), 'mj-image-'));
	await chmod(root, 0o755);
	const first = join(root, 'build');
	app = join(root, 'app');
	await mkdir(first);
	await mkdir(app);
	await build(stages[0], first);
	await assemble(stages[1], first, app);

	const compose = parse(await readFile('compose.yaml', 'utf8'), { merge: true }) as {
		services: { redis: { command: string[] } };
	};
	const binary = await findServerBinary({ dataDir: '.data', env: process.env, report: () => undefined });
	if (binary === undefined) throw new Error('no Redis server here');
	redisPort = await freePort();
	const [, ...flags] = compose.services.redis.command;
	const data = join(root, 'redis');
	await mkdir(data);
	redis = spawn(binary.path, [...flags, '--port', String(redisPort), '--bind', '127.0.0.1', '--dir', data], {
		stdio: 'ignore',
	});
	home = await createLoopbackHome();
	model = await createLoopbackOllama();
	discord = await createLoopbackDiscord();
}, 900_000);

afterAll(async () => {
	for (const child of running) child.kill('SIGKILL');
	redis?.kill('SIGKILL');
	await Promise.allSettled([discord?.close(), home?.close(), model?.close()]);
	await rm(root, { recursive: true, force: true });
});

/** Starts the image's command as it stands there, with its environment, as a user without rights. */
async function start(role: 'bot' | 'worker') {
	const port = await freePort();
	const folder = join(root, role);
	const data = join(folder, 'data');
	await mkdir(data, { recursive: true });
	await chmod(data, 0o777);
	const settings = rehearsalSettings({
		discord,
		homeUrl: home.url,
		model: { provider: 'ollama', name: 'scripted:latest', ollama: { url: model.url } } as never,
		httpPort: port,
	});
	const config = join(folder, 'majordomo.yaml');
	await writeFile(config, JSON.stringify(settings));
	await chmod(config, 0o644);
	const image = Object.fromEntries(
		lineOf('ENV')
			.rest.split(/\s+/)
			.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
	);
	const [command = '', ...args] = execForm(lineOf('CMD').rest);
	const child = spawn(command === 'node' ? process.execPath : command, args, {
		cwd: app,
		...NOBODY,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {
			PATH: process.env['PATH'],
			HOME: '/nonexistent',
			...image,
			MAJORDOMO_DATA: data,
			MAJORDOMO_CONFIG: config,
			ROLE: role,
			REDIS_URL: `redis://127.0.0.1:${redisPort}/0`,
			DISCORD_TOKEN: discord.token,
			HOME_ASSISTANT_TOKEN: home.token,
			ADMIN_PASSWORD: PASSWORD,
			INTAKE_KEYS: `test:${'A'.repeat(43)}=`,
		},
	});
	running.push(child);
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (chunk) => {
			said += chunk;
		});
	const status = (path: string) =>
		fetch(`http://127.0.0.1:${port}${path}`).then(
			({ status: code }) => code,
			() => 0,
		);
	await eventually(
		`${role} is ready; it says: ${said.slice(-1_000)}`,
		async () => {
			if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode}: ${said.slice(-2_000)}`);
			return (await status('/readyz')) === 200;
		},
		90_000,
	);
	return { child, port, status, said: () => said };
}

test('OPS-5 the built image has no tools, and what it compiled is all there', async () => {
	expect(execFileSync('ls', [join(app, 'node_modules')], { encoding: 'utf8' })).not.toMatch(
		/^(vitest|vite|playwright-core|knip)$/m,
	);
	const checked = execFileSync(process.execPath, ['scripts/doctor.js', '--help'], {
		cwd: app,
		encoding: 'utf8',
		...NOBODY,
	});
	expect(checked).toContain('doctor');
});

test('OPS-5 OPS-9 bot and worker run from the image as a user without rights, answer their probes, and end with code 0 in time', async () => {
	const [bot, worker] = [await start('bot'), await start('worker')];
	expect(await Promise.all([bot, worker].map(({ status }) => status('/healthz')))).toEqual([200, 200]);

	// The check that the image brings, with the port of this process in the place of its own.
	const check = execForm(lineOf('HEALTHCHECK').rest).map((word) => word.replace('8750', String(worker.port)));
	execFileSync(process.execPath, check.slice(1), { ...NOBODY });

	// Parts in two processes make one house.
	const { id } = await discord.control.message({ as: 'alex', channel: 'room', text: 'overseer, are you there?' });
	await discord.control.waitMessage({ channel: 'room', after: id, author: 'Majordomo', timeoutMs: 30_000 });

	for (const { child, said, status } of [worker, bot]) {
		const gone = once(child, 'exit');
		child.kill('SIGTERM');
		// Orchestrators send SIGKILL after thirty seconds.
		const timer = setTimeout(() => child.kill('SIGKILL'), 25_000);
		const [code, signal] = (await gone) as [number | null, string | null];
		clearTimeout(timer);
		expect({ code, signal }, said().slice(-1_000)).toEqual({ code: 0, signal: null });
		expect(await status('/healthz')).toBe(0);
	}
	expect(() => execFileSync(process.execPath, check.slice(1), { ...NOBODY, stdio: 'ignore' })).toThrow();
});
