import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPromptFiles } from '../../../config/prompt-files.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'prompts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const put = (name: string, text: string | Buffer) => {
	mkdirSync(dirname(join(folder, name)), { recursive: true });
	writeFileSync(join(folder, name), text);
};

test('OPS-4 OVR-29 prompts are read anew each time, and an own file stands in for the built-in one', () => {
	put('built/overseer/system.md', 'You are <NAME>.\r\nBe brief.');
	put('built/overseer/honest.md', '\uFEFFI cannot think.');
	const options = {
		names: ['overseer/system', 'overseer/honest'],
		builtInDir: join(folder, 'built'),
		overrideDir: join(folder, 'own'),
	};
	expect(readPromptFiles(options)).toEqual({
		ok: true,
		files: { 'overseer/system': 'You are <NAME>.\nBe brief.', 'overseer/honest': 'I cannot think.' },
	});
	put('own/overseer/system.md', 'You are <NAME>, a butler.');
	const again = readPromptFiles(options);
	expect(again.ok && again.files['overseer/system']).toBe('You are <NAME>, a butler.');
});

test('OPS-4 S03 missing, empty, unreadable and outside files are all named at once', () => {
	put('built/empty.md', ' \n');
	put('built/latin.md', Buffer.from([0xe9, 0xff]));
	put('secret.md', 'outside');
	mkdirSync(join(folder, 'built/dir.md'));
	const read = readPromptFiles({
		names: ['gone', 'empty', 'latin', '../secret', 'dir'],
		builtInDir: join(folder, 'built'),
	});
	expect(read.ok).toBe(false);
	const problems = read.ok ? [] : read.problems;
	expect(problems.map(({ path, got }) => [path, got])).toEqual([
		['gone', 'missing'],
		['empty', 'empty'],
		['latin', 'not a text in UTF-8'],
		['../secret', 'leads out of its folder'],
		['dir', 'cannot be read (EISDIR)'],
	]);
});
