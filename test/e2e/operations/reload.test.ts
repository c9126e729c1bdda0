import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { describeTarget } from '../../../adapters/redis/target.ts';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../../demo/house.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

interface Line {
	readonly level?: string;
	readonly msg?: string;
	readonly pid?: number;
	readonly changed?: readonly string[];
	readonly restartNeeded?: readonly string[];
	readonly problems?: unknown;
}

describe('settings read again by a signal', () => {
	let redis: TestRedis;
	let house: RehearsalHouse;
	let dir: string;
	let path: string;
	let bot: TestChild;

	beforeAll(async () => {
		redis = await startTestRedis();
		house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
		dir = await mkdtemp(join(tmpdir(), 'mj-reload-'));
		path = join(dir, 'majordomo.yaml');
		await replace(stringify(named('Overseer')));
		bot = startChild('main.ts', [], {
			...process.env,
			MAJORDOMO_CONFIG: path,
			MAJORDOMO_DATA: dir,
			REDIS_URL: describeTarget(redis.where).replace('unix:', 'unix://'),
			DISCORD_TOKEN: house.discord.token,
			HOME_ASSISTANT_TOKEN: house.home.token,
			INTAKE_KEYS: `test:${'A'.repeat(43)}=`,
			ADMIN_PASSWORD: 'only-for-tests-0123',
			LOG_FORMAT: 'json',
		});
	});
	afterAll(async () => {
		await bot?.end('SIGKILL');
		await house?.close();
		await redis?.stop();
		await rm(dir, { recursive: true, force: true });
	});

	const named = (name: string) => ({
		...structuredClone(house.settings),
		overseer: { ...house.settings.overseer, name },
		redis: { ...house.settings.redis, prefix: redis.prefix },
	});
	/** As an editor does: a new file in the place of the old one. */
	async function replace(text: string): Promise<void> {
		await writeFile(`${path}.new`, text);
		await rename(`${path}.new`, path);
	}
	const logged = () =>
		bot.lines.flatMap((line): Line[] => {
			try {
				return [JSON.parse(line) as Line];
			} catch {
				return [];
			}
		});
	const until = async (msg: string): Promise<Line> => {
		await eventually(
			`"${msg}" in the log; ${bot.stderr().slice(-1_000)} ${bot.lines.slice(-5).join('\n')}`,
			() => logged().some((line) => line.msg === msg),
			60_000,
		);
		return logged().find((line) => line.msg === msg)!;
	};
	const hears = async (name: string): Promise<void> => {
		const { id } = await house.discord.control.message({ as: 'alex', channel: 'room', text: `${name}, hello` });
		await house.discord.control.waitMessage({ channel: 'room', after: id, author: 'Majordomo', timeoutMs: 30_000 });
	};

	test('OPS-4 C03 after SIGHUP a bad file changes nothing and is explained, a good one holds at once', {
		timeout: 150_000,
	}, async () => {
		const { pid } = await until('SIGHUP to this process reads settings and prompts again');
		expect(pid).toBe(bot.process.pid);

		await replace(
			(await readFile(path, 'utf8')).replace('name: Overseer', 'name: Vesper').concat('cooldownMs: soon\n'),
		);
		bot.process.kill('SIGHUP');
		const refused = await until('settings not reloaded; the old ones stay');
		expect(refused.level).toBe('error');
		expect(String(refused.problems)).toContain('cooldownMs');
		await hears('overseer');

		await replace(stringify({ ...named('Vesper'), http: { ...house.settings.http, port: 65_000 } }));
		bot.process.kill('SIGHUP');
		const taken = await until('settings reloaded');
		expect(taken.changed).toContain('overseer.name');
		expect(taken.restartNeeded).toEqual(['http.port']);
		await hears('vesper');

		await bot.end('SIGTERM');
		expect(bot.process.exitCode).toBe(0);
	});
});
