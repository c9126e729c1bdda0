// Puts what the compiler leaves out beside the compiled files: prompts, governance rules, pages.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

const target = process.argv[2] ?? 'dist';
const rooms = ['adapters', 'bot', 'config', 'prompts', 'tools'];
const kinds = new Set(['.css', '.html', '.js', '.json', '.md', '.pl', '.svg', '.yaml']);
/** The operator's own file is no part of a build. */
const left = new Set([join('config', 'majordomo.yaml')]);

let count = 0;
for (const room of rooms.filter((name) => existsSync(name))) {
	for (const name of readdirSync(room, { recursive: true, encoding: 'utf8' })) {
		const path = join(room, name);
		if (!kinds.has(extname(name)) || left.has(path)) continue;
		cpSync(path, join(target, path), { recursive: true });
		count += 1;
	}
}
cpSync('package.json', join(target, 'package.json'));
console.log(`${count} files copied`);
