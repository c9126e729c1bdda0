import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../adapters/observe/redact.ts';

const discord = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789ab';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJob21lIn0.c2lnbmF0dXJlLW9mLWhvbWU';
const anthropic = 'sk-ant-api03-abcdefghijklmnop_qrstuvwxyz';
const password = 'correct horse battery/staple+"quoted"';

describe('redaction', () => {
	const unknown = createRedactor([]);

	test.each([
		['a bot token', discord],
		['a JSON web token', jwt],
		['an Anthropic key', anthropic],
		['a GitHub token', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
	])('OPS-8 %s nobody told us of is taken out wherever it stands', (_, secret) => {
		for (const around of [
			`${secret}`,
			`failed with ${secret}.`,
			`{"x":"${secret}"}`,
			`?x=${secret}&y=1`,
			`(${secret})`,
		])
			expect(unknown.text(around)).not.toContain(secret.slice(4, 30));
		const deep = unknown.fields({ a: [{ b: new Map([['c', `see ${secret}`]]) }], e: new Error(`no ${secret}`) }, true);
		expect(JSON.stringify(deep)).not.toContain(secret.slice(4, 30));
	});

	test.each([
		'Authorization: Bearer opensesame',
		'authorization: token opensesame',
		'GET /metrics?token=opensesame HTTP/1.1',
		'{"password":"opensesame"}',
		"password='opensesame'",
		'redis://user:opensesame@host:6379',
		'https://opensesame@host/',
		'POST /api/v10/webhooks/123456789012345678/opensesame/messages/@original',
		'POST /interactions/123456789012345678/opensesame/callback',
		'Cookie: majordomo_session=opensesame; theme=dark',
		'access_token=opensesame',
		'X-Api-Key: opensesame',
		'-----BEGIN PRIVATE KEY-----\nopensesame\n-----END PRIVATE KEY-----',
	])('OPS-8 "%s" loses its secret and keeps the rest', (line) => {
		const clean = unknown.text(line);
		expect(clean).not.toContain('opensesame');
		expect(clean).toContain('[redacted]');
	});

	test('OPS-8 texts under secret names are hidden at any depth, figures under such names are not', () => {
		const clean = unknown.fields(
			{
				headers: { authorization: 'opensesame', 'Set-Cookie': ['opensesame'], 'x-api-key': 'opensesame' },
				discordToken: 'opensesame',
				tokens: { input: 12, note: 'opensesame' },
				inputTokens: 812,
				tokenBudget: 3500,
				ADMIN_PASSWORD: 'opensesame',
				nested: { deep: { apiKey: 'opensesame', credentials: { user: 'opensesame' } } },
			},
			true,
		);
		expect(JSON.stringify(clean)).not.toContain('opensesame');
		expect(clean).toMatchObject({ inputTokens: 812, tokenBudget: 3500, tokens: { input: 12 } });
	});

	test('OPS-8 a known secret is found in its usual encodings', () => {
		const { text, fields } = createRedactor([password]);
		const header = Buffer.from(`${password}`).toString('base64');
		for (const form of [
			password,
			encodeURIComponent(password),
			JSON.stringify({ password }),
			header,
			Buffer.from(password).toString('hex'),
		])
			expect(text(`x ${form} y`)).not.toContain(form.slice(1, -4));
		expect(
			JSON.stringify(
				fields(
					{ [password]: 1, list: new Set([password]), url: new URL(`http://h/?q=${encodeURIComponent(password)}`) },
					true,
				),
			),
		).not.toContain('horse');
	});

	test('OPS-8 what people said is only counted at public levels', () => {
		const said = {
			text: 'I live in Elm Street',
			author: 'alex',
			messages: [{ content: 'Elm Street' }],
			args: { slot: 1 },
		};
		expect(unknown.fields(said, true)).toEqual({
			text: '[text, 20 characters]',
			author: 'alex',
			messages: '[1 entries]',
			args: '[content]',
		});
		expect(unknown.fields(said, false)).toEqual(said);
	});

	test('OPS-8 errors keep name, code, cause and stack, and lose the request they carry', () => {
		const cause = Object.assign(new Error(`GET https://a:opensesame@h/ ${discord}`), { code: 'ECONNREFUSED' });
		const error = Object.assign(new Error('fetch failed', { cause }), {
			code: 'unreachable',
			request: { headers: { authorization: `Bearer ${jwt}` }, note: 'opensesame' },
		});
		const clean = JSON.stringify(unknown.fields({ error: new AggregateError([error], 'all') }, true));
		expect(clean).toContain('ECONNREFUSED');
		expect(clean).toContain('unreachable');
		expect(clean).not.toContain('opensesame');
		expect(clean).not.toContain(discord.slice(0, 20));
	});

	test('OPS-8 odd values are written, never thrown', () => {
		const circle: Record<string, unknown> = {
			big: 10n,
			at: new Date(Number.NaN),
			bytes: Buffer.from('secret'),
			run: () => 1,
		};
		circle['self'] = circle;
		Object.defineProperty(circle, 'angry', {
			enumerable: true,
			get() {
				throw new Error('no');
			},
		});
		expect(unknown.fields(circle, true)).toEqual({
			big: '10',
			at: 'invalid date',
			bytes: '[6 bytes]',
			run: '[function]',
			self: '[circular]',
		});
	});

	test('OPS-8 whatever surrounds it, a known secret never comes through', () => {
		const { text, fields } = createRedactor([discord, password]);
		fc.assert(
			fc.property(
				fc.string(),
				fc.string(),
				fc.constantFrom(discord, password),
				fc.string(),
				(before, after, secret, key) => {
					const line = `${before}${secret}${after}`;
					return (
						!text(line).includes(secret) &&
						!JSON.stringify(fields({ [key]: [line] }, false)).includes(secret.slice(0, 12))
					);
				},
			),
		);
	});

	test('OPS-8 hostile texts cost little: time grows with their length, not its square', { timeout: 20_000 }, () => {
		const parts = ['a.', 'eyJ-', 'a_', 'token', 'Bearer ', 'http:/', '-----BEGIN PRIVATE KEY-----'];
		// Quadratic patterns would need minutes for this and run into the time limit of the test.
		for (const part of parts) for (let round = 0; round < 40; round++) unknown.text(part.repeat(8_000 / part.length));
	});

	test('OPS-8 what JSON.parse quotes of what it could not read is taken out', () => {
		for (const said of ['Elm Street is where I live', '{"a": Elm Street}', '[1,2] and Elm Street'])
			try {
				JSON.parse(said);
			} catch (error) {
				expect(JSON.stringify(unknown.fields({ error }, true))).not.toMatch(/Elm/);
			}
		expect(unknown.text('Unexpected token \'E\', "Elm" is not valid JSON')).toBe(
			'Unexpected token in what is not valid JSON',
		);
	});
});
