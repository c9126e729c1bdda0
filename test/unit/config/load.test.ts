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
		expect(missing({})).toEqual(['DISCORD_TOKEN', 'HOME_ASSISTANT_TOKEN', 'ANTHROPIC_API_KEY', 'ADMIN_PASSWORD']);
		expect(missing({ ROLE: 'worker' })).toEqual(['HOME_ASSISTANT_TOKEN', 'ANTHROPIC_API_KEY', 'ADMIN_PASSWORD']);
		expect(missing({ ROLE: 'bot' })).toEqual(['DISCORD_TOKEN', 'ADMIN_PASSWORD']);
		const env = {
			DISCORD_TOKEN: 'x.y.z',
			HOME_ASSISTANT_TOKEN: 'h',
			ANTHROPIC_API_KEY: 'a',
			ADMIN_PASSWORD: 'long enough',
		};
		expect(loadConfig({ path, env })).toMatchObject({ fileFound: true, environment: { role: 'all' } });
		expect(missing({ ...env, ROOM_TOKENS: 'attic:aaaaaaaaaaaaaaaa' })).toEqual(['ROOM_TOKENS']);
	});

	test('OPS-4 a misspelt variable is recognised', () => {
		const path = write(room());
		const error = failure({ path, env: { DISCROD_TOKEN: 'x.y.z', HOME_ASSISTANT_TOKEN: 'h' } });
		expect(error.message).toContain('DISCROD_TOKEN is set; rename it to DISCORD_TOKEN');
	});

	test('OPS-4 guild commands need the guild', () => {
		const error = failure({ path: write(''), env: { DISCORD_TOKEN: 'x.y.z' } });
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
