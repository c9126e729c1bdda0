import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DiskFacts } from '../../core/operations/judge-disk.ts';

/** Space and rights where a folder is or will be made; nothing is made. */
export async function readDisk(folder: string): Promise<DiskFacts> {
	const path = resolve(folder);
	try {
		const place = await nearestExisting(path);
		if (!(await stat(place)).isDirectory()) return { kind: 'unusable', path, reason: `${place} is a file` };
		await access(place, constants.W_OK | constants.X_OK);
		const { bavail, blocks, bsize } = await statfs(place);
		return { kind: 'there', path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
	} catch (error) {
		return { kind: 'unusable', path, reason: (error as NodeJS.ErrnoException).code ?? 'it cannot be looked at' };
	}
}

async function nearestExisting(path: string): Promise<string> {
	for (let place = path; ; place = dirname(place)) {
		const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
			if (error.code === 'ENOENT' && dirname(place) !== place) return undefined;
			throw error;
		});
		if (found) return place;
	}
}
