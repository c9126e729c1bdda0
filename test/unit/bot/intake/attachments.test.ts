import { describe, expect, test } from 'vitest';
import { attachmentOrigins, readFile, refuseFile } from '../../../../bot/intake/attachments.ts';

const settings = { maxAttachmentBytes: 100 };
const file = (more: object = {}) => ({
	...{ name: 'brief.md', contentType: 'text/markdown; charset=utf-8', size: 20, url: 'https://cdn.discordapp.com/a/b' },
	...more,
});
const answer =
	(body: string | Uint8Array<ArrayBuffer>, init?: ResponseInit): typeof fetch =>
	async () =>
		new Response(body, init);
const discord = attachmentOrigins(undefined);

describe('attachments of an intake', () => {
	test('INT-17 D07 only text, only up to the limit, only from where Discord keeps files', () => {
		const refused = (more: object) => refuseFile(file(more), settings, discord);
		expect(refused({})).toBeUndefined();
		expect(refused({ url: 'https://media.discordapp.net/x' })).toBeUndefined();
		expect(refused({ contentType: 'image/png' })).toBe('notText');
		expect(refused({ contentType: null, name: 'x.exe' })).toBe('notText');
		expect(refused({ contentType: null, name: 'facts.pl' })).toBeUndefined();
		expect(refused({ contentType: 'application/json' })).toBeUndefined();
		expect(refused({ size: 101 })).toBe('tooBig');
		for (const url of [
			'http://cdn.discordapp.com/a',
			'https://cdn.discordapp.com.evil.example/a',
			'https://cdn.discordapp.com@evil.example/a',
			'http://169.254.169.254/latest',
			'http://127.0.0.1:8700/attachments/a',
			'file:///etc/passwd',
			'nonsense',
		])
			expect(refused({ url }), url).toBe('foreign');
	});

	test('INT-17 a rehearsal on this machine serves its own files; a proxy elsewhere does not', () => {
		expect(attachmentOrigins('http://127.0.0.1:8700/api')).toContain('http://127.0.0.1:8700');
		expect(attachmentOrigins('https://proxy.example/api')).toEqual(discord);
	});

	test('INT-17 what comes is checked again: length, bytes that are no text, refusals, redirects', async () => {
		const read = (get: typeof fetch) => readFile(file(), settings, discord, get);
		expect(await read(answer(' hello '))).toEqual({ kind: 'text', text: 'hello' });
		expect(await read(answer('x'.repeat(101)))).toMatchObject({ kind: 'declined', why: 'tooBig' });
		expect(await read(answer(new Uint8Array([0xff, 0xfe, 0x41])))).toMatchObject({ kind: 'declined', why: 'notText' });
		expect(await read(answer('a\u0000b'))).toMatchObject({ kind: 'declined', why: 'notText' });
		expect(await read(answer('gone', { status: 404 }))).toMatchObject({ kind: 'declined', why: 'notThere' });
		expect(
			await read(async (_, init) => {
				expect(init?.redirect).toBe('error');
				throw new TypeError('fetch failed');
			}),
		).toMatchObject({ kind: 'declined', why: 'notThere' });
	});

	test('INT-17 a refused file is never asked for', async () => {
		let asked = 0;
		const get: typeof fetch = async () => {
			asked += 1;
			return new Response('x');
		};
		await readFile(file({ url: 'http://10.0.0.1/x' }), settings, discord, get);
		await readFile(file({ size: 10_000 }), settings, discord, get);
		expect(asked).toBe(0);
	});
});
