import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Name of this machine in the fleet. It is made once and kept beside the session files, as the sessions belong to it: a
 * container that comes back under another name finds its own again. Its end tells two machines of one name apart. Throws when
 * the folder cannot be written.
 */
export function hostName(folder: string): string {
	const path = join(folder, 'host');
	mkdirSync(folder, { recursive: true });
	const kept = readName(path);
	if (kept !== undefined) return kept;
	const own = hostname()
		.split('.', 1)[0]
		?.replace(/[^A-Za-z0-9_-]/g, '-')
		.slice(0, 40);
	try {
		writeFileSync(path, `${own || 'machine'}-${randomBytes(2).toString('hex')}\n`, { flag: 'wx' });
	} catch (error) {
		// Another process was faster.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
	const made = readName(path);
	if (made === undefined) throw new Error(`${path} holds no name of a machine`);
	return made;
}

function readName(path: string): string | undefined {
	try {
		const name = readFileSync(path, 'utf8').trim();
		return /^[A-Za-z0-9][\w.-]{0,59}$/.test(name) ? name : undefined;
	} catch {
		return undefined;
	}
}
