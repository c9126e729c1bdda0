import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerBinary } from '../../adapters/redis/server/binary.ts';
import { testBinary } from './redis.ts';

const run = promisify(execFile);

/**
 * A server whose disk a test may fill: a process whose files may not grow meets what a full disk gives, as long as it
 * ignores the signal that comes first. The wrapper is written into `dir`.
 */
export async function fillableBinary(dir: string): Promise<ServerBinary> {
	const binary = await testBinary();
	const path = join(dir, 'server');
	await writeFile(path, `#!/bin/sh\ntrap '' XFSZ\nexec '${binary.path}' "$@"\n`);
	await chmod(path, 0o755);
	return { ...binary, path };
}

/** Fills the disk of a process, or makes room again. */
export async function setDiskFull(pid: number, isFull: boolean): Promise<void> {
	await run('prlimit', ['--pid', String(pid), `--fsize=${isFull ? '4096' : 'unlimited'}:unlimited`]);
}
