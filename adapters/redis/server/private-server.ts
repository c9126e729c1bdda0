import { spawn } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerBinary } from './binary.ts';
import { RedisServerFailed } from './errors.ts';
import { ping } from './ping.ts';
import type { ServerPlace } from './socket-path.ts';
import { isAlive } from './start-lock.ts';

/** Reading a large append-only file takes a while; longer than this is a fault. */
const LOAD_DEADLINE_MS = 120_000;

/** Flags of the private server: a Unix socket and nothing else, every write in the append-only file, no eviction. */
function serverFlags({ dir, socket }: ServerPlace): string[] {
	return [
		...['--port', '0'],
		...['--unixsocket', socket],
		...['--unixsocketperm', '700'],
		...['--dir', dir],
		...['--appendonly', 'yes'],
		...['--appendfsync', 'everysec'],
		...['--save', ''],
		...['--maxmemory-policy', 'noeviction'],
		...['--daemonize', 'no'],
		...['--pidfile', ''],
		...['--logfile', ''],
	];
}

/**
 * Starts a server that outlives this process (it is found again at the next start) and waits until it has read its data.
 * Call only under the start lock. Rejects with RedisServerFailed, with the end of its log.
 */
export async function startPrivateServer(
	binary: ServerBinary,
	place: ServerPlace,
	extraFlags: readonly string[] = [],
): Promise<number> {
	await rm(place.socket, { force: true });
	const logPath = join(place.dir, 'redis.log');
	const log = await open(logPath, 'a', 0o600);
	const child = spawn(binary.path, [...serverFlags(place), ...extraFlags], {
		cwd: place.dir,
		detached: true,
		stdio: ['ignore', log.fd, log.fd],
		env: binary.libraryPath ? { LD_LIBRARY_PATH: binary.libraryPath } : {},
	});
	let gone: string | undefined;
	child.on('error', (error) => {
		gone = error.message;
	});
	child.on('exit', (code, signal) => {
		gone ??= `it ended with ${signal ?? `code ${code}`}`;
	});
	child.unref();
	await log.close();
	await answers(place, () => gone).catch(async (error) => {
		if (child.pid && !gone) process.kill(child.pid, 'SIGKILL');
		throw new RedisServerFailed(
			`${binary.path} did not start: ${error.message}. Its log ${logPath} ends: ${await logEnd(logPath)}`,
		);
	});
	if (!child.pid) throw new RedisServerFailed(`${binary.path} has no process id`);
	await writeFile(pidPath(place), `${child.pid}\n`, { mode: 0o600 });
	return child.pid;
}

/** Process id of the server that was started last in this place, if such a process runs. */
async function serverPid(place: ServerPlace): Promise<number | undefined> {
	const pid = Number(await readFile(pidPath(place), 'utf8').catch(() => ''));
	return isAlive(pid) ? pid : undefined;
}

/** True when a server of this place answers, false when there is none; waits while it reads its data. */
export async function isServing(place: ServerPlace): Promise<boolean> {
	const first = await ping({ path: place.socket }, 3_000);
	if (first === 'absent') return false;
	if (first === 'silent') {
		const pid = await serverPid(place);
		throw new RedisServerFailed(
			`a Redis listens on ${place.socket} and does not answer${pid ? `; it is process ${pid}: let it go on (kill -CONT ${pid}) or end it` : ''}`,
		);
	}
	await answers(place, () => undefined);
	return true;
}

async function answers(place: ServerPlace, gone: () => string | undefined): Promise<void> {
	const end = performance.now() + LOAD_DEADLINE_MS;
	for (;;) {
		const problem = gone();
		if (problem) throw new RedisServerFailed(problem);
		const result = await ping({ path: place.socket }, 1_000);
		if (result === 'pong') return;
		if (result === 'denied' || result === 'other')
			throw new RedisServerFailed(`${place.socket} is answered by something else`);
		if (performance.now() > end) throw new RedisServerFailed('it did not answer in time');
		await sleep(20);
	}
}

function pidPath({ dir }: ServerPlace): string {
	return join(dir, 'redis.pid');
}

async function logEnd(path: string): Promise<string> {
	const lines = (await readFile(path, 'utf8').catch(() => '')).trim().split('\n');
	return lines.slice(-4).join(' | ') || '(empty)';
}
