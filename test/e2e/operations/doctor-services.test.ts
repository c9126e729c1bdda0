import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../../core/operations/finding.ts';
import { reportJson, reportText } from '../../../core/operations/report.ts';
import { startTestRedis } from '../../support/redis.ts';
import { type DoctorRig, openDoctorRig, urlOf } from './doctor-rig.ts';

describe('the doctor, the model, the home and Redis', () => {
	let rig: DoctorRig;
	beforeAll(async () => {
		rig = await openDoctorRig();
	});
	beforeEach(async () => {
		rig.ollama.control.reset();
		await rig.home.control.reset();
	});
	afterAll(() => rig.close());

	test('OPS-3 a model that is not there: how to fetch it, and which ones are', async () => {
		const { finding, troubles } = await rig.examine((settings) => {
			settings.model.name = 'qwen3:8b';
		});
		expect(troubles).toEqual(['error model_missing_model']);
		expect(finding('model_missing_model').fix).toContain('ollama pull qwen3:8b');
		expect(finding('model_missing_model').fix).toContain('scripted:latest, tiny:1b');
	});

	test('OPS-3 a server that is off, and a model that is there and does not answer', async () => {
		const off = await rig.examine((settings) => {
			settings.model.ollama.url = 'http://127.0.0.1:9';
		});
		expect(off.finding('model_unreachable').fix).toContain('ollama serve');
		rig.ollama.control.always({ kind: 'overload' });
		expect((await rig.examine()).finding('model_overloaded').what).toContain('is there and does not answer');
	});

	test('OPS-3 a paid model without a price is a warning with the line to add', async () => {
		const { finding } = await rig.examine(
			(settings) => {
				settings.model.provider = 'anthropic';
				settings.model.name = 'claude-haiku-4-5';
				settings.model.anthropic.url = 'http://127.0.0.1:9';
			},
			{ variables: { ANTHROPIC_API_KEY: 'sk-ant-0123456789abcdef' } },
		);
		expect(finding('model_price').fix).toContain('model.prices: { anthropic/claude-haiku-4-5:');
	});

	test('OPS-3 an entity that is not there is named with the one that was meant; a lost device with its room', async () => {
		await rig.home.control.presence('light.bench', 'unavailable');
		const { finding, troubles } = await rig.examine((settings) => {
			const first = settings.rooms[0]?.lights[0];
			if (first) first.entityId = 'light.shelff';
		});
		expect([...troubles].sort()).toEqual(['error entity_missing', 'warning entity_unavailable']);
		expect(finding('entity_missing').what).toContain('light.shelff');
		expect(finding('entity_missing').fix).toContain('Did you mean light.shelf?');
		expect(finding('entity_unavailable').what).toContain('Room workshop: light.bench');
	});

	test('OPS-3 Home Assistant: refused token, absent token, nobody there', async () => {
		const refused = await rig.examine(undefined, { variables: { HOME_ASSISTANT_TOKEN: 'not-the-token-at-all' } });
		expect(refused.finding('home_token').fix).toContain('/profile/security');
		const absent = await rig.examine(undefined, { variables: { HOME_ASSISTANT_TOKEN: undefined } });
		expect(absent.finding('home_token_missing').fix).toContain('HOME_ASSISTANT_TOKEN');
		const nobody = await rig.examine((settings) => {
			settings.home.url = 'http://127.0.0.1:9';
		});
		expect(nobody.finding('home_unreachable').fix).toContain('home.url');
	});

	test('OPS-3 Redis that evicts is an error, one that keeps nothing a warning, each with the command', async () => {
		const evicting = await startTestRedis({
			flags: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru', '--appendonly', 'no'],
		});
		try {
			const { finding, troubles } = await rig.examine(undefined, { variables: { REDIS_URL: urlOf(evicting) } });
			expect(troubles).toEqual(['error redis_evicts', 'warning redis_not_kept']);
			expect(finding('redis_evicts').fix).toContain('CONFIG SET maxmemory-policy noeviction');
			expect(finding('redis_not_kept').fix).toContain('CONFIG SET appendonly yes');
		} finally {
			await evicting.stop();
		}
	});

	test('OPS-3 Redis that is away, wants a password, or whose address is no address', async () => {
		const away = await rig.examine(undefined, { variables: { REDIS_URL: 'redis://127.0.0.1:9' }, deadlineMs: 1_000 });
		expect(away.finding('redis_unreachable').fix).toContain('correct REDIS_URL');
		const locked = await startTestRedis({ own: true });
		const admin = await locked.connect();
		await admin.handlers.config('SET', 'requirepass', 'a-long-password');
		try {
			const denied = await rig.examine(undefined, { variables: { REDIS_URL: urlOf(locked) } });
			expect(denied.finding('redis_denied').fix).toContain('redis://user:password@host');
		} finally {
			await locked.stop();
		}
		const nonsense = await rig.examine(undefined, { variables: { REDIS_URL: 'redis+sentinel://host:1' } });
		expect(nonsense.finding('redis_url').what).toContain('name of the master is missing');
	});

	test('OPS-3 without an address it says what a start would do, and starts nothing', async () => {
		const { areas, troubles } = await rig.examine(undefined, { variables: { REDIS_URL: undefined } });
		expect(troubles).toEqual([]);
		expect(areas.find(({ area }) => area === 'redis')?.detail).toMatch(/^not running; npm start/);
	});

	test('OPS-3 a clock that is wrong: ours when all others disagree with it', async () => {
		const { finding, troubles } = await rig.examine(undefined, { now: () => Date.now() - 90_000 });
		expect(troubles).toEqual(['error clock_ours']);
		expect(finding('clock_ours').what).toMatch(/\d+ s behind/);
		expect(finding('clock_ours').fix).toContain('set-ntp true');
	});

	test('OPS-3 a data folder that is none, a prompt with an unknown placeholder, a settings file full of mistakes', async () => {
		const file = join(rig.dir, 'file');
		await writeFile(file, '');
		await mkdir(join(rig.dir, 'prompts', 'overseer'), { recursive: true });
		await writeFile(join(rig.dir, 'prompts', 'overseer', 'system.md'), 'You are <NAME> and <WHO>.');
		const { finding } = await rig.examine(
			(settings) => {
				settings.promptsDir = join(rig.dir, 'prompts');
			},
			{ variables: { MAJORDOMO_DATA: join(file, 'below') } },
		);
		expect(finding('disk_unusable').fix).toContain('MAJORDOMO_DATA');
		expect(finding('prompt_unknown_placeholder').what).toContain('overseer/system.md');
		const broken = await rig.examine(undefined, { yaml: 'discord:\n  guildld: 1\nrooms: 5\nhttp:\n  port: many\n' });
		const places = broken.findings.filter(({ code }) => code === 'config_file').map(({ what }) => what);
		expect(places.join('\n')).toMatch(/:2: discord\.guildld[\s\S]*:3: rooms[\s\S]*:5: http\.port/);
		expect(broken.areas.map(({ area }) => area)).toHaveLength(9);
	});

	test('OPS-3 the report: readable, as JSON, with an exit code by severity and never a secret', async () => {
		const variables = {
			DISCORD_TOKEN: 'very-secret-discord-token',
			HOME_ASSISTANT_TOKEN: 'very-secret-home-token',
			REDIS_URL: 'redis://user:very-secret-redis-pass@127.0.0.1:9',
			ADMIN_PASSWORD: 'very-secret-admin-pass',
		};
		const { areas, findings } = await rig.examine(undefined, { variables, deadlineMs: 1_000 });
		expect(exitCodeOf(findings)).toBe(2);
		const text = reportText(areas);
		const json = reportJson(areas);
		expect(text).toContain('✗ Discord');
		expect(text).toContain('→ ');
		expect(json).toMatchObject({ ok: false, exitCode: 2 });
		expect(`${text}${JSON.stringify(json)}`).not.toContain('very-secret');
		const healthy = await rig.examine();
		expect(reportJson(healthy.areas)).toMatchObject({ ok: true, exitCode: 0 });
		expect(reportText(healthy.areas)).toContain('Everything that was looked at is in order.');
	});
});
