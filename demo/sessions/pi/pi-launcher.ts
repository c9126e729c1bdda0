import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes a command that starts the scripted pi wherever it is called, since the setting for pi takes a command without
 * arguments. Gives its path.
 */
export async function writePiLauncher(folder: string): Promise<string> {
	const path = resolve(join(folder, 'pi'));
	const loader = createRequire(import.meta.url).resolve('tsx');
	const script = fileURLToPath(new URL('./scripted-pi.ts', import.meta.url));
	await mkdir(folder, { recursive: true });
	const quoted = [process.execPath, '--import', loader, script].map((part) => `'${part.replaceAll("'", "'\\''")}'`);
	await writeFile(path, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
	await chmod(path, 0o755);
	return path;
}
