import { chmod, copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file's text; undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
	return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	});
}

/**
 * Writes a whole file at once (a reader sees the old or the new one) with these rights. What was there is kept as
 * `<path>.bak` with the same rights; returns that path, or undefined when there was nothing or nothing changed.
 */
export async function writeKeptFile(path: string, text: string, mode: number): Promise<string | undefined> {
	await mkdir(dirname(path), { recursive: true });
	const before = await readIfThere(path);
	if (before === text) {
		await chmod(path, mode);
		return undefined;
	}
	const kept = before === undefined ? undefined : `${path}.bak`;
	if (kept) {
		await copyFile(path, kept);
		await chmod(kept, mode);
	}
	const fresh = `${path}.${process.pid}.new`;
	const file = await open(fresh, 'wx', mode);
	try {
		await file.writeFile(text);
		await file.sync();
		await file.close();
		await rename(fresh, path);
	} catch (error) {
		await file.close().catch(() => undefined);
		await rm(fresh, { force: true });
		throw error;
	}
	await chmod(path, mode);
	return kept;
}
