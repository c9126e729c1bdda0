import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isServerBinary, probeBinary, type ServerBinary } from './binary.ts';
import { RedisServerFailed } from './errors.ts';

const run = promisify(execFile);
const DEADLINE_MS = 180_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Packages that together hold a server; the second set is for releases without the first. */
const SETS = [
	{ server: 'redis-server', packages: ['redis-server', 'redis-tools'] },
	{ server: 'valkey-server', packages: ['valkey-server', 'valkey-tools'] },
];

/** The server unpacked by an earlier start, if it still runs. */
export async function findUnpacked(dataDir: string): Promise<ServerBinary | undefined> {
	const root = join(dataDir, 'redis-packages', 'root');
	for (const { server } of SETS) {
		const found = await probeBinary(join(root, 'usr', 'bin', server), await libraryPath(root));
		if (isServerBinary(found)) return found;
	}
	return undefined;
}

/** True on Debian, Ubuntu and what is made from them, when its package tools are there. */
export async function hasApt(env: Environment): Promise<boolean> {
	const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
	if (!/^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)) return false;
	return (await onPath('apt-get', env)) && (await onPath('dpkg-deb', env));
}

/**
 * Fetches the distribution's own packages into the data folder and unpacks them there; apt checks their signatures.
 * Needs no root and changes nothing outside the folder. Rejects with RedisServerFailed.
 */
export async function unpackPackages(
	dataDir: string,
	env: Environment,
	report: (step: string) => void,
): Promise<ServerBinary> {
	const base = join(dataDir, 'redis-packages');
	const fresh = join(base, `unpacking-${process.pid}`);
	report(
		`No Redis here. Fetching the distribution's redis-server package with apt into ${base} (about 10 MB, once; nothing is installed in the system).`,
	);
	try {
		const apt = await prepareApt(base, env);
		await apt(['update']);
		const problems: string[] = [];
		for (const set of SETS) {
			await rm(fresh, { recursive: true, force: true });
			await mkdir(join(fresh, 'debs'), { recursive: true });
			try {
				const names = await neededPackages(apt, set.packages);
				report(`Fetching ${names.join(', ')}.`);
				await apt(['download', ...names], join(fresh, 'debs'));
				await unpackAll(join(fresh, 'debs'), join(fresh, 'root'), env);
				const found = await probeBinary(
					join(fresh, 'root', 'usr', 'bin', set.server),
					await libraryPath(join(fresh, 'root')),
				);
				if (!isServerBinary(found)) throw new Error(found.why);
				await rm(join(base, 'root'), { recursive: true, force: true });
				await rename(join(fresh, 'root'), join(base, 'root'));
				const unpacked = await findUnpacked(dataDir);
				if (unpacked) return unpacked;
			} catch (error) {
				problems.push(`${set.server}: ${lastLine(error)}`);
			}
		}
		throw new Error(problems.join('; '));
	} catch (error) {
		throw new RedisServerFailed(`the distribution's packages could not be used: ${lastLine(error)}`);
	} finally {
		for (const leftover of [fresh, join(base, 'lists'), join(base, 'cache')])
			await rm(leftover, { recursive: true, force: true });
	}
}

type Apt = (args: string[], cwd?: string) => Promise<string>;

/** apt-get with lists and cache of our own: no lock of the system is touched. */
async function prepareApt(base: string, env: Environment): Promise<Apt> {
	for (const folder of ['lists/partial', 'cache/archives/partial'])
		await mkdir(join(base, folder), { recursive: true, mode: 0o700 });
	const settings = [
		`Dir::State::lists=${join(base, 'lists')}`,
		`Dir::Cache=${join(base, 'cache')}`,
		'Debug::NoLocking=1',
		'APT::Sandbox::User=',
	];
	const options = settings.flatMap((setting) => ['-o', setting]);
	return async (args, cwd = base) => {
		const { stdout } = await run('apt-get', ['-q', ...options, ...args], {
			cwd,
			env: { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
			timeout: DEADLINE_MS,
			maxBuffer: 16 * 1024 * 1024,
		});
		return stdout;
	};
}

/** The packages themselves and what they need that this system has not got, as apt itself resolves it. */
async function neededPackages(apt: Apt, packages: readonly string[]): Promise<string[]> {
	const plan = await apt(['install', '--print-uris', '--no-install-recommends', '-y', '-qq', ...packages]);
	const missing = [...plan.matchAll(/^'[^']+' ([a-z0-9][a-z0-9+.-]*)_/gm)].map((match) => match[1] ?? '');
	return [...new Set([...packages, ...missing])];
}

async function unpackAll(from: string, to: string, env: Environment): Promise<void> {
	await mkdir(to, { recursive: true });
	for (const file of await readdir(from))
		await run('dpkg-deb', ['-x', join(from, file), to], { env, timeout: DEADLINE_MS });
}

/** Folders with shared libraries in an unpacked tree: `usr/lib/<machine>` and `lib/<machine>`. */
async function libraryPath(root: string): Promise<string> {
	const folders: string[] = [];
	for (const lib of [join(root, 'usr', 'lib'), join(root, 'lib')]) {
		for (const entry of await readdir(lib).catch(() => []))
			if (entry.endsWith('-linux-gnu') || entry.includes('-linux-gnueabi')) folders.push(join(lib, entry));
	}
	return folders.join(':');
}

async function onPath(name: string, env: Environment): Promise<boolean> {
	for (const folder of (env.PATH ?? '').split(':'))
		if (
			folder !== '' &&
			(await access(join(folder, name)).then(
				() => true,
				() => false,
			))
		)
			return true;
	return false;
}

function lastLine(error: unknown): string {
	const text =
		error instanceof Error && 'stderr' in error && error.stderr
			? String(error.stderr)
			: error instanceof Error
				? error.message
				: String(error);
	return text.trim().split('\n').at(-1) ?? 'unknown';
}
