import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyFile } from './policy-engine.ts';

/**
 * The `*.pl` files directly in a folder, by name. Files in folders below it, such as `examples/`, are not rules in force.
 * Throws when the folder or a file cannot be read.
 */
export function readPolicyFolder(dir: string): readonly PolicyFile[] {
	const names = readdirSync(dir, { withFileTypes: true })
		.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.pl') && !entry.name.startsWith('.'))
		.map((entry) => entry.name);
	return names.sort().map((name) => {
		const text = readFileSync(join(dir, name), 'utf8');
		return { name, text: text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n') };
	});
}
