import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createAudit } from '../../../adapters/redis/stores/audit.ts';
import { describeTarget } from '../../../adapters/redis/target.ts';
import { HOUSE_ROWS } from '../../../bot/commands/reload.ts';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../../demo/house.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let house: RehearsalHouse;
let dir: string;
let path: string;
let bot: TestChild;
let worker: TestChild;

/** As an editor does: a new file in the place of the old one. */
async function replace(text: string): Promise<void> {
	await writeFile(`${path}.new`, text);
	await rename(`${path}.new`, path);
}
const settings = (name: string, http: object = {}) =>
	stringify({
		...structuredClone(house.settings),
		overseer: { ...house.settings.overseer, name },
		http: { ...house.settings.http, port: 0, ...http },
		redis: { ...house.settings.redis, prefix: redis.prefix },
	});
const logged = (child: TestChild, msg: string) => child.lines.filter((line) => line.includes(`"msg":"${msg}`));
const until = (child: TestChild, msg: string, count = 1) =>
	eventually(
		`"${msg}" in the log; ${child.stderr().slice(-800)} ${child.lines.slice(-4).join('\n')}`,
		() => logged(child, msg).length >= count,
		90_000,
	);
const command = async (as = 'alex') => {
	const answer = await house.discord.control.command({
		as,
		channel: 'room',
		command: 'admin reload',
		options: {},
		until: 'complete',
		timeoutMs: 30_000,
	});
	return answer.message?.text ?? '';
};

beforeAll(async () => {
	redis = await startTestRedis();
	house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
	dir = await mkdtemp(join(tmpdir(), 'mj-reload-'));
	path = join(dir, 'majordomo.yaml');
	await replace(settings('Overseer'));
	const start = (role: 'bot' | 'worker') =>
		startChild('main.ts', [], {
			...process.env,
			ROLE: role,
			MAJORDOMO_CONFIG: path,
			MAJORDOMO_DATA: join(dir, role),
			REDIS_URL: describeTarget(redis.where).replace('unix:', 'unix://'),
			DISCORD_TOKEN: house.discord.token,
			HOME_ASSISTANT_TOKEN: house.home.token,
			INTAKE_KEYS: `test:${'A'.repeat(43)}=`,
			ADMIN_PASSWORD: 'only-for-tests-0123',
			LOG_FORMAT: 'json',
		});
	bot = start('bot');
	worker = start('worker');
	await until(bot, 'SIGHUP to this process');
	await until(worker, 'SIGHUP to this process');
}, 180_000);
afterAll(async () => {
	await Promise.all([bot?.end('SIGKILL'), worker?.end('SIGKILL')]);
	await house?.close();
	await redis?.stop();
	await rm(dir, { recursive: true, force: true });
});

test('OPS-4 /admin reload reads the file again in two processes; a bad one changes nothing in either and is explained', async () => {
	await replace(settings('Vesper', { host: 'localhost' }));
	const taken = await command();
	expect(taken).toContain('Changed: `overseer.name`, `http.host`');
	expect(taken).toContain('Only after a restart: `http.host`');
	expect(taken).toContain('Of 1 other processes 1 did the same.');
	await until(bot, 'settings reloaded');
	await until(worker, 'settings reloaded');

	await replace(settings('Nobody').concat('cooldownMs: soon\n'));
	const refused = await command();
	expect(refused).toContain('so the old settings stay');
	expect(refused).toContain('cooldownMs');
	expect(refused).toContain('Of 1 other processes 1 did the same.');
	await until(worker, 'settings not reloaded; the old ones stay');

	// The name of before the bad file still holds.
	const { id } = await house.discord.control.message({ as: 'alex', channel: 'room', text: 'Vesper, hello' });
	await house.discord.control.waitMessage({ channel: 'room', after: id, author: 'Majordomo', timeoutMs: 60_000 });

	const connection = await redis.connect();
	const audit = createAudit(connection, createStored(connection), { maxRows: 100, retainMs: 86_400_000 });
	const rows = await audit.query({ room: HOUSE_ROWS, limit: 10 });
	expect(rows.map(({ tool, step }) => [tool, step])).toEqual([
		['admin_reload', 'failed'],
		['admin_reload', 'confirmed'],
	]);
	await expect(command('sam'), 'Discord shows it to admins only').rejects.toThrow('may not use this command');
	expect(await audit.query({ room: HOUSE_ROWS, limit: 10 })).toHaveLength(2);
}, 240_000);
