import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTests, traceRequirements } from './requirement-trace.ts';

/** Lists each requirement with its tests (`--names`: with their names too) and fails on a claim that no test holds up. */
const withNames = process.argv.includes('--names');
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => join('test', name));
const tests = files.flatMap((file) => readTests(file, readFileSync(file, 'utf8')));
const { rows, problems } = traceRequirements(readFileSync('docs/requirements.md', 'utf8'), tests);

for (const { id, what, state, tests: shown } of rows) {
	const where = [...new Set(shown.map((test) => test.file))];
	const count = shown.length === 0 ? 'no test' : shown.length === 1 ? '1 test' : `${shown.length} tests`;
	console.log(`${id.padEnd(13)} ${state.padEnd(8)} ${count.padEnd(9)} ${what}`);
	for (const file of where) {
		console.log(`              ${file}`);
		if (withNames)
			for (const test of shown.filter((one) => one.file === file)) console.log(`                ${test.name}`);
	}
}
const claimed = rows.filter((row) => row.state === 'claimed');
const held = claimed.filter((row) => row.tests.length > 0);
const begun = rows.filter((row) => row.state === 'planned' && row.tests.length > 0);
console.log(
	`\n${held.length} of ${claimed.length} claimed ids have tests; ${begun.length} planned ones have some; ${rows.length} in all`,
);
if (problems.length > 0) {
	console.error(`\n${problems.map((problem) => `✗ ${problem}`).join('\n')}`);
	process.exitCode = 1;
}
