import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPolicyFolder } from '../../../../adapters/governance/policy-folder.ts';

let dir = '';
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), 'policies-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('INT-10 the rule files of a folder in order of their names, examples and other files left out', () => {
	mkdirSync(join(dir, 'examples'));
	mkdirSync(join(dir, 'folder.pl'));
	writeFileSync(join(dir, 'examples', 'sample.pl'), 'x.');
	writeFileSync(join(dir, 'b.pl'), '\uFEFFb(1).\r\nb(2).\r\n');
	writeFileSync(join(dir, 'a.pl'), 'a.\n');
	writeFileSync(join(dir, '.#a.pl'), 'an editor left this');
	writeFileSync(join(dir, 'notes.md'), 'no rule');
	expect(readPolicyFolder(dir)).toEqual([
		{ name: 'a.pl', text: 'a.\n' },
		{ name: 'b.pl', text: 'b(1).\nb(2).\n' },
	]);
});

test('INT-10 a folder that is not there is an error, not an empty constitution', () => {
	expect(() => readPolicyFolder(join(dir, 'missing'))).toThrow(/ENOENT/);
});
