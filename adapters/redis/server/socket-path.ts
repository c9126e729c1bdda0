import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RedisServerFailed } from './errors.ts';

/** Systems allow 104 to 108 bytes for the name of a Unix socket, the closing zero included. */
const MAX_BYTES = 100;

/** Where a private server lives. */
export interface ServerPlace {
	/** Its folder, mode 0700. */
	readonly dir: string;
	readonly socket: string;
}

/**
 * The folder of the private server and its socket, made if need be. The socket of a data folder with a long name is in
 * a private folder under the system's temporary one; `socket.path` in the data folder then says where.
 */
export async function preparePlace(dataDir: string): Promise<ServerPlace> {
	const dir = resolve(dataDir, 'redis');
	try {
		await mkdir(dir, { recursive: true, mode: 0o700 });
		await chmod(dir, 0o700);
	} catch (error) {
		throw new RedisServerFailed(
			`the data folder ${dir} cannot be used: ${error instanceof Error ? error.message : error}`,
		);
	}
	const socket = join(dir, 'redis.sock');
	if (Buffer.byteLength(socket) <= MAX_BYTES) return { dir, socket };
	const short = shortPlace(dir);
	await privateFolder(short);
	const elsewhere = join(short, 'redis.sock');
	await writeFile(join(dir, 'socket.path'), `${elsewhere}\n`, { mode: 0o600 });
	return { dir, socket: elsewhere };
}

function shortPlace(dir: string): string {
	const name = `majordomo-${process.getuid?.() ?? 'user'}-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
	const path = join(tmpdir(), name);
	return Buffer.byteLength(path) <= MAX_BYTES - 11 ? path : join('/tmp', name);
}

/** Others may write to the temporary folder: what is there already must be ours alone. */
async function privateFolder(path: string): Promise<void> {
	await mkdir(path, { mode: 0o700 }).catch((error) => {
		if (error.code !== 'EEXIST') throw error;
	});
	const found = await lstat(path);
	if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || (found.mode & 0o077) !== 0)
		throw new RedisServerFailed(
			`${path} belongs to somebody else or is open to others; remove it or use a shorter data folder`,
		);
}
