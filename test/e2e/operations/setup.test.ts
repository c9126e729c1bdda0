import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../config/load.ts';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../../demo/house.ts';
import { startHousehold } from '../../../main.ts';
import { createFileAsker } from '../../../scripts/setup/file-asker.ts';
import { runSetup } from '../../../scripts/setup/run-setup.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

type Answers = Parameters<typeof createFileAsker>[0];

describe('setup from a file of answers', () => {
	let house: RehearsalHouse;
	let redis: TestRedis;
	let dir: string;
	let paths: { envPath: string; settingsPath: string };
	let answers: Answers;

	beforeAll(async () => {
		redis = await startTestRedis();
		house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
	});
	beforeEach(async () => {
		dir = await mkdtemp(join(tmpdir(), 'mj-setup-'));
		paths = { envPath: join(dir, '.env'), settingsPath: join(dir, 'config', 'majordomo.yaml') };
		answers = {
			discordToken: house.discord.token,
			guild: 'The Rehearsal House',
			roomChannel: 'room',
			adminChannel: 'admin',
			adminRoles: ['Admin'],
			roomTitle: 'Work shop',
			timeZone: 'Europe/Berlin',
			modelProvider: 'ollama',
			ollamaUrl: house.thinking.scripted?.url ?? '',
			model: 'scripted:latest',
			homeUrl: house.home.url,
			homeToken: house.home.token,
		};
		await house.discord.control.reset({});
	});
	afterAll(async () => {
		await house.close();
		await redis.stop();
	});
	const setup = (change: Answers = {}, more: { fresh?: boolean } = {}) =>
		runSetup({
			asker: createFileAsker({ ...answers, ...change }, () => undefined),
			...paths,
			restUrl: house.discord.restUrl,
			fresh: more.fresh ?? false,
		});
	const load = async () =>
		loadConfig({ env: parseEnv(await readFile(paths.envPath, 'utf8')), path: paths.settingsPath });

	test('OPS-3 what it writes starts the bot: a sentence in the room switches a lamp', async () => {
		await setup();
		const { settings, environment } = await load();
		expect((await stat(paths.envPath)).mode & 0o777).toBe(0o600);
		expect(await readFile(paths.settingsPath, 'utf8')).not.toContain(house.home.token);
		expect(settings.overseer.stage).toBe('observe');
		const household = await startHousehold({
			settings: () => ({
				...settings,
				overseer: { ...settings.overseer, stage: 'full' },
				http: { ...settings.http, port: 0 },
				redis: { ...settings.redis, prefix: `s${randomUUID().slice(0, 8)}` },
			}),
			environment,
			redis: { kind: 'given', how: 'a Redis for tests', where: redis.where, stop: async () => undefined },
			log: testLog(),
		});
		try {
			await house.discord.control.waitBot({ online: true, timeoutMs: 20_000 });
			const shelf = async () => (await house.home.control.world()).entities['light.shelf']?.state;
			const before = await shelf();
			const text = `overseer, turn the shelf lamp ${before === 'on' ? 'off' : 'on'}`;
			const { id } = await house.discord.control.message({ as: 'alex', channel: 'room', text });
			await house.discord.control.waitMessage({ channel: 'room', after: id, author: 'Majordomo', timeoutMs: 20_000 });
			await eventually('the lamp changed', async () => (await shelf()) !== before);
		} finally {
			await household.stop();
		}
	});

	test('OPS-3 devices are suggested from what is there: lamps, the lift, the vacuum with its button', async () => {
		await setup();
		const room = (await load()).settings.rooms[0];
		expect(room).toMatchObject({ id: 'work-shop', title: 'Work shop', channelId: house.discord.channels['room'] });
		expect(room?.lights.map(({ entityId }) => entityId)).toEqual([
			'light.aux1',
			'light.bench',
			'light.color',
			'light.corner',
			'light.shelf',
		]);
		expect(room?.lift).toMatchObject({ driver: 'cover', entityId: 'cover.lift' });
		expect(room?.neato).toMatchObject({ driver: 'vacuum', clearErrorsEntityId: 'button.neato_clear_errors' });
		expect(room?.presenceEntityIds).toEqual(['binary_sensor.room_presence']);
		await setup({
			lights: ['light.shelf', 'switch.aux2'],
			lift: 'switch.lift_up',
			vacuum: 'button.neato_house_clean',
			overwrite: true,
		});
		const changed = (await load()).settings.rooms[0];
		expect(changed?.lights.map(({ entityId }) => entityId)).toEqual(['light.shelf', 'switch.aux2']);
		expect(changed?.lift).toMatchObject({ driver: 'switches', downEntityId: 'switch.lift_down' });
		expect(changed?.neato).toMatchObject({ driver: 'esphome', sensors: { robotState: 'sensor.neato_robot_state' } });
	});

	test('OPS-3 FLT-3 with a fleet channel this machine gets a token, which stays; without one there is no fleet', async () => {
		await setup();
		expect((await load()).settings.fleet.channelId).toBeUndefined();
		await setup({ fleetChannel: 'fleet', overwrite: true });
		const first = await load();
		expect(first.settings.fleet.channelId).toBe(house.discord.channels['fleet']);
		const [[host, token] = ['', '']] = Object.entries(first.environment.fleetTokens);
		expect(host).toMatch(/^[a-z0-9-]+$/);
		expect(token.length).toBeGreaterThanOrEqual(24);
		expect(await readFile(paths.settingsPath, 'utf8')).not.toContain(token);
		await setup({ fleetChannel: 'fleet', overwrite: true });
		expect((await load()).environment.fleetTokens).toEqual({ [host]: token });
	});

	test('OPS-3 the invite link has both scopes and never Administrator', async () => {
		const { invite } = await setup({ useHome: false });
		const { searchParams } = new URL(invite);
		expect(searchParams.get('client_id')).toBe(house.discord.applicationId);
		expect(searchParams.get('scope')).toBe('bot applications.commands');
		expect(BigInt(searchParams.get('permissions') ?? '0') & 8n).toBe(0n);
	});

	test('OPS-3 a file that is there is changed only when that is agreed to; comments, other settings and the old file stay', async () => {
		await mkdir(join(dir, 'config'));
		const old =
			'# mine\nhttp:\n  port: 9999 # the usual one\nrooms:\n  - id: cellar\n    title: Cellar\n    channelId: "123456789012345678"\n';
		await writeFile(paths.settingsPath, old);
		await writeFile(paths.envPath, '# secrets\nLOG_LEVEL=debug\nDISCORD_TOKEN=old\n', { mode: 0o644 });
		await expect(setup({ roomId: 'shop' })).rejects.toMatchObject({ code: 'declined' });
		expect(await readFile(paths.settingsPath, 'utf8')).toBe(old);
		const { kept } = await setup({ roomId: 'shop', overwrite: true });
		expect(kept).toHaveLength(2);
		expect(await readFile(`${paths.settingsPath}.bak`, 'utf8')).toBe(old);
		const text = await readFile(paths.settingsPath, 'utf8');
		expect(text).toContain('# mine');
		expect(text).toContain('# the usual one');
		expect((await load()).settings.rooms.map(({ id }) => id)).toEqual(['cellar', 'shop']);
		const secrets = await readFile(paths.envPath, 'utf8');
		expect(secrets).toMatch(/^# secrets\nLOG_LEVEL=debug\nDISCORD_TOKEN=(?!old)/);
		expect((await stat(`${paths.envPath}.bak`)).mode & 0o777).toBe(0o600);
		const again = await setup({ roomId: 'shop' });
		expect(again.kept).toEqual([]);
	});

	test('OPS-3 each answer is checked live, and the refusal says how to repair it', async () => {
		const { control } = house.discord;
		const refusal = async (change: Answers) =>
			setup(change).then(
				() => 'written',
				(error: Error) => error.message,
			);
		expect(await refusal({ discordToken: 'wrong-token-0123456789' })).toContain('Reset Token');
		expect(await refusal({ guild: 'Elsewhere' })).toContain('none of: The Rehearsal House');
		expect(await refusal({ model: 'qwen3:8b' })).toContain('scripted:latest');
		expect(await refusal({ ollamaUrl: 'http://127.0.0.1:9' })).toContain('ollama serve');
		expect(await refusal({ homeUrl: 'http://127.0.0.1:9' })).toContain('does not answer');
		expect(await refusal({ homeToken: 'not-the-token' })).toContain('refuses this token');
		expect(await refusal({ lights: ['light.nowhere'] })).toContain('light.shelf');
		expect(await refusal({ redisUrl: 'localhost' })).toContain('redis://user:password@host');
		expect(await refusal({ adminRoles: ['@everyone'] })).toContain('none of: Admin, Resident');
		await control.channelPermissions({ channel: 'room', target: 'Majordomo', deny: ['SendMessages'] });
		expect(await refusal({})).toContain('allow: Send Messages');
		await control.reset({});
		await control.channelPermissions({ channel: 'room', target: 'Majordomo', allow: [], deny: [] });
		await control.membership({ who: 'Majordomo', member: false });
		expect(await refusal({})).toContain('https://discord.com/oauth2/authorize');
		await control.membership({ who: 'Majordomo', member: true });
		await expect(stat(paths.envPath)).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(stat(paths.settingsPath)).rejects.toMatchObject({ code: 'ENOENT' });
	});

	test('OPS-3 the command itself: answers in, files and the doctor’s report out, no secret shown', async () => {
		const file = join(dir, 'answers.json');
		await writeFile(
			file,
			JSON.stringify({ ...answers, redisUrl: redis.where.kind === 'socket' ? `unix://${redis.where.path}` : 'auto' }),
		);
		const args = [
			'--answers',
			file,
			'--env',
			paths.envPath,
			'--config',
			paths.settingsPath,
			'--discord-rest',
			house.discord.restUrl,
		];
		const { code, stdout } = await run(['scripts/setup.ts', ...args], { MAJORDOMO_DATA: dir });
		expect(stdout).toContain('oauth2/authorize');
		expect(stdout).toContain('✓ Home Assistant');
		expect(stdout).toContain('http://127.0.0.1:8750/admin');
		expect(code, stdout).toBeLessThan(2);
		const variables = parseEnv(await readFile(paths.envPath, 'utf8'));
		for (const name of ['DISCORD_TOKEN', 'HOME_ASSISTANT_TOKEN', 'ADMIN_PASSWORD', 'INTAKE_KEYS'])
			expect(stdout).not.toContain(variables[name] ?? 'absent');
		await rm(dir, { recursive: true, force: true });
	});
});

function run(args: string[], env: Record<string, string>): Promise<{ code: number; stdout: string }> {
	return new Promise((resolve) => {
		const child = execFile(
			process.execPath,
			['--import', 'tsx', ...args],
			{ env: { PATH: process.env.PATH, ...env }, timeout: 60_000 },
			(_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout: stdout + stderr }),
		);
	});
}
