import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

export type AllowedDirectory =
	| { readonly ok: true; readonly path: string }
	| { readonly ok: false; readonly why: string };

/**
 * The true path of a folder, if it is one of the allowed ones or lies below one. Links are resolved on both sides, so that
 * neither a link inside an allowed folder nor `..` leads out of it.
 */
export async function allowedDirectory(wanted: string, allowed: readonly string[]): Promise<AllowedDirectory> {
	if (allowed.length === 0) return { ok: false, why: 'no folder is allowed: fleet.pi.directories is empty' };
	if (!isAbsolute(wanted)) return { ok: false, why: 'the whole path of the folder is needed' };
	const path = await truePath(wanted);
	// The same words for all of these: whoever may not enter a folder learns nothing about it.
	const refusal = { ok: false, why: 'not one of the allowed folders or below one' } as const;
	if (path === undefined) return refusal;
	for (const entry of allowed) {
		const root = await truePath(entry);
		if (root !== undefined && isWithin(path, root)) return { ok: true, path };
	}
	return refusal;
}

async function truePath(path: string): Promise<string | undefined> {
	try {
		const real = await realpath(path);
		return (await stat(real)).isDirectory() ? real : undefined;
	} catch {
		return undefined;
	}
}

function isWithin(path: string, root: string): boolean {
	const way = relative(root, path);
	return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
