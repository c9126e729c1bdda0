import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIBRARY = 'faketime/libfaketimeMT.so.1';

/** The clock of processes that a test started with `env`; their timers run on as they did, as when somebody sets the time. */
export interface FakeClock {
	readonly env: NodeJS.ProcessEnv;
	/** Moves it by seconds from true time, at once and for all of them. */
	set(offsetSeconds: number): Promise<void>;
	remove(): Promise<void>;
}

/** Undefined where libfaketime is neither installed nor to be had from Debian's own packages. */
export async function createFakeClock(): Promise<FakeClock | undefined> {
	const library = (await find('/usr/lib')) ?? (await find(unpacked())) ?? (await fetchLibrary());
	if (library === undefined) return undefined;
	const dir = await mkdtemp(join(tmpdir(), 'mj-clock-'));
	const file = join(dir, 'offset');
	const set = (offsetSeconds: number) => writeFile(file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s`);
	await set(0);
	return {
		env: {
			...process.env,
			LD_PRELOAD: library,
			FAKETIME_TIMESTAMP_FILE: file,
			FAKETIME_NO_CACHE: '1',
			FAKETIME_DONT_FAKE_MONOTONIC: '1',
		},
		set,
		remove: () => rm(dir, { recursive: true, force: true }),
	};
}

const unpacked = () => resolve('.data', 'faketime', 'usr', 'lib');

async function find(libraries: string): Promise<string | undefined> {
	const machines = await readdir(libraries).catch(() => []);
	return machines.map((machine) => join(libraries, machine, LIBRARY)).find(existsSync);
}

/** Fetches the distribution's package and unpacks it into the data folder; needs no root. */
async function fetchLibrary(): Promise<string | undefined> {
	const dir = resolve('.data', 'faketime');
	await mkdir(dir, { recursive: true });
	try {
		await run('apt-get', ['-q', '-o', 'APT::Sandbox::User=', 'download', 'libfaketime'], { cwd: dir, timeout: 60_000 });
		const [found] = (await readdir(dir)).filter((name) => name.endsWith('.deb'));
		if (found === undefined) return undefined;
		await run('dpkg-deb', ['-x', join(dir, found), dir], { timeout: 60_000 });
		return await find(unpacked());
	} catch {
		return undefined;
	}
}
