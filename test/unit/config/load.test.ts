import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../config/config-error.ts';
import { loadConfig } from '../../../config/load.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string) => {
	const path = join(folder, 'majordomo.yaml');
	writeFileSync(path, text);
	return path;
};
function failure(options: Parameters<typeof loadConfig>[0]): ConfigError {
	try {
		loadConfig(options);
	} catch (error) {
		if (error instanceof ConfigError) return error;
		throw error;
	}
	throw new Error('it loaded');
}
const room = (more = '') =>
	`rooms: [{ id: living, title: Living room, channelId: "123456789012345678", lights: [{ entityId: light.shelf, label: shelf }] }]\ndiscord: { guildId: "123456789012345678" }\n${more}`;

describe('loadConfig', () => {
	test('OPS-4 file and environment are reported together, as one error with exit code 78', () => {
		const path = write('overseer: { stage: loud }\nhttp: { port: 70000 }\n');
		const error = failure({ path, env: { ROLE: 'everything' } });
		expect(error).toMatchObject({ code: 'config_invalid', exitCode: 78 });
		expect(error.problems.map((problem) => problem.path)).toEqual(['overseer.stage', 'http.port', 'ROLE']);
		expect(error.message).toContain('The configuration has 3 problems.');
		expect(error.message).toContain(path);
		expect(error.message).toMatch(/overseer\.stage \(line 1\): "loud"\n {4}→ write off, observe/);
	});

	test('OPS-4 what the role needs is demanded: both halves together', () => {
		const path = write(room('model: { provider: anthropic }\nhttp: { host: 0.0.0.0 }\n'));
		const missing = (env: Record<string, string>) => failure({ path, env }).problems.map((problem) => problem.path);
		const always = ['ADMIN_PASSWORD', 'INTAKE_KEYS'];
		expect(missing({})).toEqual(['DISCORD_TOKEN', 'HOME_ASSISTANT_TOKEN', 'ANTHROPIC_API_KEY', ...always]);
		expect(missing({ ROLE: 'worker' })).toEqual(['HOME_ASSISTANT_TOKEN', 'ANTHROPIC_API_KEY', ...always]);
		expect(missing({ ROLE: 'bot' })).toEqual(['DISCORD_TOKEN', ...always]);
		const env = {
			DISCORD_TOKEN: 'x.y.z',
			HOME_ASSISTANT_TOKEN: 'h',
			ANTHROPIC_API_KEY: 'a',
			ADMIN_PASSWORD: 'long enough',
			INTAKE_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}`,
		};
		expect(loadConfig({ path, env })).toMatchObject({ fileFound: true, environment: { role: 'all' } });
		expect(missing({ ...env, ROOM_TOKENS: 'attic:aaaaaaaaaaaaaaaa' })).toEqual(['ROOM_TOKENS']);
	});

	test('OPS-4 FLT-8 a key is demanded when only the concierge asks Anthropic, and only with a fleet', () => {
		const fleet = (more: string) =>
			`fleet: { ${more}concierge: { model: anthropic/claude-haiku-4-5, dailyBudgetUsd: 0 } }\n`;
		const env = {
			ROLE: 'worker',
			HOME_ASSISTANT_TOKEN: 'h',
			INTAKE_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}`,
		};
		const on = write(room(fleet('channelId: "123456789012345679", ')));
		expect(failure({ path: on, env }).problems).toMatchObject([
			{ path: 'ANTHROPIC_API_KEY', hint: expect.stringContaining('anthropic/claude-haiku-4-5') },
		]);
		expect(loadConfig({ path: on, env: { ...env, ANTHROPIC_API_KEY: 'a' } }).fileFound).toBe(true);
		expect(loadConfig({ path: write(room(fleet(''))), env }).fileFound).toBe(true);
	});

	test('OPS-4 a misspelt variable is recognised', () => {
		const path = write(room());
		const error = failure({ path, env: { DISCROD_TOKEN: 'x.y.z', HOME_ASSISTANT_TOKEN: 'h' } });
		expect(error.message).toContain('DISCROD_TOKEN is set; rename it to DISCORD_TOKEN');
	});

	test('INT-23 conversations need a key, or the word that none is wanted', () => {
		const guild = 'discord: { guildId: "123456789012345678" }\n';
		const env = { DISCORD_TOKEN: 'x.y.z' };
		const missing = (text: string, more: Record<string, string> = {}) =>
			failure({ path: write(guild + text), env: { ...env, ...more } }).problems.map((problem) => problem.path);
		const key = Buffer.alloc(32, 7).toString('base64');
		expect(missing('')).toEqual(['INTAKE_KEYS']);
		expect(missing('', { INTAKE_KEYS: `main:${key.slice(0, 20)}` })).toEqual(['INTAKE_KEYS']);
		expect(missing('', { INTAKE_KEYS: `main:${key},main:${key}` })).toEqual(['INTAKE_KEYS']);
		expect(missing('intake: { ephemeral: true }', { ROLE: 'bot' })).toEqual(['intake.ephemeral']);
		for (const [text, more] of [
			['intake: { ephemeral: true }', {}],
			['intake: { enabled: false }', {}],
			['', { INTAKE_KEYS: `new:${key},old:${key}` }],
		] as const)
			expect(loadConfig({ path: write(guild + text), env: { ...env, ...more } }).settings.intake).toBeDefined();
	});

	test('INT-21 INT-22 who signs needs a secret', () => {
		const env = { DISCORD_TOKEN: 'x.y.z', INTAKE_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}` };
		const path = write(
			'discord: { guildId: "123456789012345678" }\nintake: { inbox: { webhooks: [{ name: desk, url: "https://a.example/" }] } }',
		);
		const error = failure({ path, env: { ...env, CXP_CALLERS: 'shop:abcdefghijklmnop' } });
		expect(error.problems.map((problem) => problem.path)).toEqual(['PACKET_KEYS', 'PACKET_KEYS']);
		expect(error.message).not.toContain('abcdefghijklmnop');
		const keys = 'shop:one:aaaaaaaaaaaaaaaa,desk:one:bbbbbbbbbbbbbbbb';
		const loaded = loadConfig({ path, env: { ...env, CXP_CALLERS: 'shop:abcdefghijklmnop', PACKET_KEYS: keys } });
		expect(loaded.environment.packetKeys).toHaveLength(2);
	});

	test('OPS-4 guild commands need the guild', () => {
		const error = failure({ path: write('intake: { enabled: false }'), env: { DISCORD_TOKEN: 'x.y.z' } });
		expect(error.problems.map((problem) => problem.path)).toEqual(['discord.guildId']);
	});

	test('OPS-4 a named file has to be there and readable', () => {
		expect(failure({ env: { MAJORDOMO_CONFIG: join(folder, 'none.yaml') }, check: 'none' }).message).toContain(
			'no such file',
		);
		mkdirSync(join(folder, 'dir.yaml'));
		expect(failure({ path: join(folder, 'dir.yaml'), env: {}, check: 'none' }).message).toContain('a folder');
		writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0xff, 0x0a]));
		expect(failure({ path: join(folder, 'latin.yaml'), env: {}, check: 'none' }).message).toContain('UTF-8');
	});

	test('OPS-4 check none looks only at what is written', () => {
		const loaded = loadConfig({ path: write(room()), env: {}, check: 'none' });
		expect(loaded.settings.rooms[0]?.lights[0]?.show).toBe('state');
	});
});
