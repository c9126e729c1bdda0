import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ping } from '../../adapters/redis/server/ping.ts';
import { eventually, testBinary } from './redis.ts';

/** A bare server on a port of 127.0.0.1, for set-ups of several: clusters, replicas, sentinels. */
export interface TcpRedis {
	readonly port: number;
	kill(): Promise<void>;
}

/** Starts one with flags, or with a configuration file when `config` is given (a sentinel writes to its own). */
export async function startTcpRedis(flags: readonly string[], config?: string): Promise<TcpRedis> {
	const { path, libraryPath } = await testBinary();
	const dir = await mkdtemp(join(tmpdir(), 'mj-tcp-'));
	const port = await freePort();
	const file = join(dir, 'server.conf');
	if (config !== undefined) await writeFile(file, config);
	const args = [
		...(config === undefined ? [] : [file]),
		'--port',
		String(port),
		'--bind',
		'127.0.0.1',
		'--dir',
		dir,
		...flags,
	];
	const child: ChildProcess = spawn(path, args, {
		stdio: 'ignore',
		env: libraryPath ? { LD_LIBRARY_PATH: libraryPath } : {},
	});
	await eventually(`a server on port ${port}`, async () => {
		if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
		return (await ping({ host: '127.0.0.1', port }, 1_000)) === 'pong';
	});
	return {
		port,
		async kill() {
			if (child.exitCode === null && child.signalCode === null) {
				const gone = once(child, 'exit');
				child.kill('SIGKILL');
				await gone;
			}
			await rm(dir, { recursive: true, force: true });
		},
	};
}

/** A cluster's members also use the port ten thousand above, so the number must leave room. */
async function freePort(): Promise<number> {
	for (;;) {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		server.close();
		await once(server, 'close');
		const port = typeof address === 'object' && address ? address.port % 40_000 : 0;
		if (port > 10_000 && (await ping({ host: '127.0.0.1', port }, 200)) === 'absent') return port;
	}
}
