import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MINIMUM = [6, 2] as const;

/** A server program that runs on this machine. */
export interface ServerBinary {
	readonly path: string;
	/** e.g. `7.0.15` */
	readonly version: string;
	readonly flavour: 'redis' | 'valkey';
	/** Where its shared libraries are, when not in the system's own folders. */
	readonly libraryPath?: string;
}

/** What was looked at and why it does not serve. */
export interface RejectedBinary {
	readonly path: string;
	readonly why: string;
}

export function isNewEnough(version: string): boolean {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

/** Asks a program for its version; a text when it is missing, broken or too old. */
export async function probeBinary(path: string, libraryPath?: string): Promise<ServerBinary | RejectedBinary> {
	try {
		await access(path, constants.X_OK);
		const env = libraryPath ? { LD_LIBRARY_PATH: libraryPath } : {};
		const { stdout } = await run(path, ['--version'], { env, timeout: 10_000 });
		const match = /\b(Redis|Valkey) server v=(\d+\.\d+\.\d+)/i.exec(stdout);
		if (!match?.[1] || !match[2]) return { path, why: 'it does not say its version' };
		if (!isNewEnough(match[2])) return { path, why: `version ${match[2]} is older than ${MINIMUM.join('.')}` };
		return {
			path,
			version: match[2],
			flavour: match[1].toLowerCase() === 'valkey' ? 'valkey' : 'redis',
			...(libraryPath && { libraryPath }),
		};
	} catch (error) {
		const detail = error instanceof Error && 'stderr' in error && error.stderr ? String(error.stderr) : String(error);
		return { path, why: detail.trim().split('\n')[0] ?? 'it does not run' };
	}
}

export function isServerBinary(found: ServerBinary | RejectedBinary): found is ServerBinary {
	return 'version' in found;
}

/** The first usable server on a PATH text; rejected ones are listed so that an operator sees why. */
export async function findOnPath(path: string): Promise<{ found?: ServerBinary; rejected: RejectedBinary[] }> {
	const rejected: RejectedBinary[] = [];
	for (const name of ['valkey-server', 'redis-server']) {
		for (const folder of path.split(delimiter).filter((item) => item !== '')) {
			const file = join(folder, name);
			if (
				!(await access(file, constants.F_OK).then(
					() => true,
					() => false,
				))
			)
				continue;
			const result = await probeBinary(file);
			if (isServerBinary(result)) return { found: result, rejected };
			rejected.push(result);
		}
	}
	return { rejected };
}
