import { readFileSync, writeFileSync } from 'node:fs';
import { configFiles } from './config-files.ts';
import { opsFiles } from './ops/ops-files.ts';

/** Writes the files that are made from the settings' schema and from the catalogue of metrics; with `--check` it only says which are out of date. */
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [path, text] of Object.entries({ ...configFiles(), ...opsFiles() })) {
	let present: string | undefined;
	try {
		present = readFileSync(path, 'utf8');
	} catch {
		// Not there yet: out of date like any other.
	}
	if (present === text) continue;
	stale.push(path);
	if (!isCheck) writeFileSync(path, text);
}
console.log(stale.length === 0 ? 'up to date' : `${isCheck ? 'out of date' : 'written'}: ${stale.join(', ')}`);
if (isCheck && stale.length > 0) process.exitCode = 1;
