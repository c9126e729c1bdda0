import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigProblem } from '../../../config/config-error.ts';
import { parseSettings } from '../../../config/parse-settings.ts';

function problemsOf(text: string): readonly ConfigProblem[] {
	const parsed = parseSettings(text);
	return parsed.ok ? [] : parsed.problems;
}
const at = (problems: readonly ConfigProblem[], path: string) => problems.find((problem) => problem.path === path);

describe('settings text', () => {
	test('OPS-4 an empty file is all defaults', () => {
		for (const text of ['', '# only a comment\n', '{}', 'redis:\nhttp:\n  # nothing below\n']) {
			const parsed = parseSettings(text);
			expect(parsed.ok && parsed.settings.http.port).toBe(8750);
			expect(parsed.ok && parsed.settings.overseer.stage).toBe('observe');
		}
	});

	test('OPS-4 every problem is listed at once, with path, line, what was found and what to write', () => {
		const problems = problemsOf(
			[
				'overseer:',
				'  stage: loud',
				'  gate: { tickMs: 50000 }',
				'  timeZone: Mars/Olympus',
				'http: { port: "8750" }',
				'rooms:',
				'  - { id: a, channelId: "123456789012345678", title: A, lift: { driver: rope } }',
				'  - { id: a, channelId: "123456789012345678" }',
			].join('\n'),
		);
		expect(at(problems, 'overseer.stage')).toMatchObject({ line: 2, got: '"loud"' });
		expect(at(problems, 'overseer.stage')?.hint).toContain('off, observe, chat or full');
		expect(at(problems, 'overseer.gate.tickMs')).toMatchObject({ line: 3, got: '50000' });
		expect(at(problems, 'overseer.gate.tickMs')?.hint).toMatch(/3000.*default 2000/);
		expect(at(problems, 'overseer.timeZone')?.hint).toContain('Europe/Berlin');
		expect(at(problems, 'http.port')?.hint).toContain('a number');
		expect(at(problems, 'rooms.0.lift.driver')?.hint).toContain('cover or switches');
		expect(at(problems, 'rooms.1.title')).toMatchObject({ line: 8, got: 'missing' });
		expect(at(problems, 'rooms.1.id')?.hint).toContain('rooms.0.id');
		expect(at(problems, 'rooms.1.channelId')?.hint).toContain('rooms.0.channelId');
		expect(problems).toHaveLength(8);
	});

	test('OPS-4 an unknown name gets the nearest real one, or the place where it belongs', () => {
		const problems = problemsOf(
			'guild_id: 1\nstage: full\noverseer: { gate: { heartbeat: 5 }, nmae: x }\nqqqqqqqq: 1\nmodel: { prices: { a/b: { input: 1, output: 2, cachRead: 3 } } }',
		);
		expect(at(problems, 'stage')?.hint).toBe('it belongs at overseer.stage');
		expect(at(problems, 'overseer.gate.heartbeat')?.hint).toBe('did you mean overseer.gate.heartbeatMs?');
		expect(at(problems, 'overseer.nmae')?.hint).toBe('did you mean overseer.name?');
		expect(at(problems, 'qqqqqqqq')?.hint).toContain('known here: discord, rooms');
		expect(at(problems, 'model.prices.a/b.cachRead')?.hint).toContain('cacheRead');
	});

	test('OPS-4 in a union only the branch that was chosen gives names', () => {
		const room = 'rooms: [{ id: a, title: A, channelId: "123456789012345678", lift: ';
		const problems = problemsOf(
			`${room}{ driver: switches, upEntityId: switch.up, downEntityId: switch.down, travelMs: 1 } }]`,
		);
		expect(problems).toHaveLength(1);
		expect(problems[0]?.hint).not.toContain('entityId,');
		expect(problems[0]?.hint).toContain('interlockMs');
	});

	test('OPS-4 a Discord id without quotes is shown as it has to be written, digit for digit', () => {
		const problems = problemsOf(
			'discord:\n  guildId: 123456789012345678\n  adminUserIds:\n    - 99999999999999999999\n',
		);
		expect(at(problems, 'discord.guildId')).toMatchObject({ line: 2, got: 'a number' });
		expect(at(problems, 'discord.guildId')?.hint).toContain('guildId: "123456789012345678"');
		expect(at(problems, 'discord.adminUserIds.0')?.hint).toContain('- "99999999999999999999"');
	});

	test('OPS-4 broken YAML names its line', () => {
		const [first] = problemsOf('overseer:\n  stage: full\n name: [x\n');
		expect(first?.line).toBeGreaterThanOrEqual(3);
		expect(problemsOf('overseer:\n\tstage: full\n')[0]).toMatchObject({
			line: 2,
			hint: expect.stringContaining('spaces'),
		});
		expect(problemsOf('http: {}\nhttp: {}\n')[0]?.hint).toContain('twice');
		expect(problemsOf('- a\n')[0]?.got).toBe('a list');
		expect(problemsOf('a: 1\n---\nb: 2\n')).not.toHaveLength(0);
	});

	test('OPS-4 bombs and strange keys are refused without harm', () => {
		const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
			.split('')
			.map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`)
			.join('\n')}`;
		expect(problemsOf(bomb)).not.toHaveLength(0);
		expect(problemsOf('a'.repeat(1_000_001))).not.toHaveLength(0);
		expect(problemsOf('__proto__: { polluted: true }\nconstructor: 1\n')).not.toHaveLength(0);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});

	test('OPS-4 whatever the text, the answer is settings or problems with a hint, never an exception', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ maxLength: 200 }),
					fc.json().map(String),
					fc.object().map((value) => JSON.stringify(value)),
				),
				(text) => {
					const parsed = parseSettings(text);
					return (
						parsed.ok ||
						(parsed.problems.length > 0 && parsed.problems.every(({ hint, got }) => hint !== '' && got !== ''))
					);
				},
			),
			{ numRuns: 150 },
		);
	});
});

describe('secrets in the settings file', () => {
	const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789ab';
	test.each([
		['discord: { token: VALUE }', 'discord.token', 'DISCORD_TOKEN'],
		['home: { accessToken: VALUE }', 'home.accessToken', 'HOME_ASSISTANT_TOKEN'],
		['model: { anthropic: { apiKey: VALUE } }', 'model.anthropic.apiKey', 'ANTHROPIC_API_KEY'],
		['redis: { password: VALUE }', 'redis.password', 'REDIS_URL'],
		['http: { admin_password: VALUE }', 'http.admin_password', 'ADMIN_PASSWORD'],
		['overseer: { aliases: [VALUE] }', 'overseer.aliases.0', 'environment'],
	])('OPS-4 %s is refused with the variable to use instead', (text, path, variable) => {
		const problems = problemsOf(text.replace('VALUE', secret));
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatchObject({ path, hint: expect.stringContaining(variable) });
		expect(JSON.stringify(problems)).not.toContain(secret);
	});

	test('OPS-4 a secret is known by its name too, however harmless it looks', () => {
		for (const key of ['token', 'botToken', 'api_key', 'password', 'clientSecret', 'private-key']) {
			const problems = problemsOf(`discord: { ${key}: hunter2 }`);
			expect(problems).toHaveLength(1);
			expect(problems[0]?.hint).toContain('DISCORD_TOKEN');
			expect(JSON.stringify(problems)).not.toContain('hunter2');
		}
	});

	test('OPS-4 settings whose names only sound like secrets are none', () => {
		expect(problemsOf('overseer: { window: { tokenBudget: 900 }, decision: { maxOutputTokens: 100 } }')).toEqual([]);
	});
});

describe('S03 addresses', () => {
	test.each([
		'http://169.254.169.254/latest/meta-data/',
		'http://2852039166/',
		'http://[::ffff:169.254.169.254]/',
		'http://[fe80::1]/',
		'http://metadata.google.internal/',
		'file:///etc/passwd',
		'http://user:pw@homeassistant.local:8123',
		'ws://ha.local:8123',
		'http://ollama.lan:11434/../admin',
		'http://ollama.lan:11434/%2e%2e/admin',
		'not an address',
	])('S03 %s is refused by the name of its setting, without repeating it', (url) => {
		const problems = problemsOf(`home: { url: ${JSON.stringify(url)} }`);
		expect(problems.map((problem) => problem.path)).toEqual(['home.url']);
		expect(JSON.stringify(problems)).not.toContain('pw@');
	});

	test.each([
		'http://127.0.0.1:11434',
		'http://localhost:8123',
		'https://ha.example.net/base',
		'http://192.168.1.5:8123',
		'http://ollama.lan:11434',
	])('S03 %s is taken: homes live there', (url) => expect(problemsOf(`home: { url: "${url}" }`)).toEqual([]));
});
