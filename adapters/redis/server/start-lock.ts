import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServerFailed } from './errors.ts';

const POLL_MS = 50;

/**
 * Runs `task` while no other process of this machine runs one for the same folder. The lock of a process that died is
 * taken over. Rejects with RedisServerFailed when somebody holds it longer than `deadlineMs`.
 */
export async function withStartLock<T>(dir: string, deadlineMs: number, task: () => Promise<T>): Promise<T> {
	const path = join(dir, 'start.lock');
	const mark = `${process.pid} ${randomUUID()}`;
	const end = performance.now() + deadlineMs;
	while (!(await take(path, mark))) {
		await breakStale(path);
		if (performance.now() > end)
			throw new RedisServerFailed(
				`another process has been starting Redis in ${dir} for too long; if none is there, remove ${path}`,
			);
		await sleep(POLL_MS);
	}
	try {
		return await task();
	} finally {
		if ((await contents(path)) === mark) await rm(path, { force: true });
	}
}

async function take(path: string, mark: string): Promise<boolean> {
	try {
		const file = await open(path, 'wx', 0o600);
		await file.writeFile(mark);
		await file.close();
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/** Renaming hands the old lock to one of several that see it; the file is looked at again before it is thrown away. */
async function breakStale(path: string): Promise<void> {
	const seen = await contents(path);
	if (!seen || isAlive(Number(seen.split(' ')[0]))) return;
	const aside = `${path}.${randomUUID()}`;
	try {
		await rename(path, aside);
	} catch {
		return;
	}
	if ((await contents(aside)) !== seen) await link(aside, path).catch(() => undefined);
	await rm(aside, { force: true });
}

async function contents(path: string): Promise<string | undefined> {
	return await readFile(path, 'utf8').catch(() => undefined);
}

/** Whether a process with this id runs, ours or somebody else's. */
export function isAlive(pid: number): boolean {
	if (!Number.isInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
