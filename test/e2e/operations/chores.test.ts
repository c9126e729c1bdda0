import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../adapters/redis/migrations/schema-version.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';
import { urlOf } from './doctor-rig.ts';
import { ALEX, stockStore, wholeStore } from './stocked-store.ts';

describe('chores on the command line', () => {
	let server: TestRedis;
	let dir: string;
	beforeAll(async () => {
		server = await startTestRedis({ own: true });
		dir = await mkdtemp(join(tmpdir(), 'mj-chores-'));
		await writeFile(join(dir, 'majordomo.yaml'), `redis:\n  prefix: ${server.prefix}\n`);
	});
	afterAll(async () => {
		await server.stop();
		await rm(dir, { recursive: true, force: true });
	});

	const chore = (script: string, ...args: string[]) =>
		new Promise<{ code: number; out: string; err: string }>((resolve) => {
			const env = {
				PATH: process.env.PATH,
				REDIS_URL: urlOf(server),
				MAJORDOMO_CONFIG: join(dir, 'majordomo.yaml'),
				MAJORDOMO_DATA: dir,
			};
			const child = execFile(
				process.execPath,
				['--import', 'tsx', `scripts/${script}.ts`, ...args],
				{ env, timeout: 60_000 },
				(_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
			);
		});

	test('OPS-16 backup, loss of everything, restore; then one person is handed out and erased', async () => {
		const redis = await server.connect();
		const { queue, stores } = await stockStore(redis);
		await queue.close();
		const file = join(dir, 'house.gz');
		expect(await chore('backup', file)).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ keys saved/) });
		const before = await wholeStore(redis);

		const refused = await chore('restore', file);
		expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('a household runs') });
		await stores.leases.release('bucket:1');
		await server.restart({ empty: true });
		await eventually('Redis is back', () => redis.handlers.ping().catch(() => undefined));
		expect(await chore('restore', file)).toMatchObject({ code: 0, out: expect.stringContaining('keys restored') });
		expect(await wholeStore(redis)).toEqual(before);
		expect(await chore('restore', file)).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });

		const out = join(dir, 'alex.json');
		expect((await chore('person', 'export', ALEX.id, '--out', out)).code).toBe(0);
		expect(await readFile(out, 'utf8')).toContain('marzipan');
		expect(await chore('person', 'delete', 'alex')).toMatchObject({ code: 64 });
		const erased = await chore('person', 'delete', ALEX.id, '--yes');
		expect(erased).toMatchObject({ code: 0, out: expect.stringContaining('left: note 1 of room lab') });
		expect(JSON.stringify(await wholeStore(redis))).not.toContain(ALEX.id);
	});

	test('OPS-16 the version of the layout and the migrations that lead to it belong together', async () => {
		const redis = await server.connect({ prefix: `${server.prefix}-m` });
		const { migrate } = await import('../../../adapters/redis/migrations/migrate.ts');
		expect((await migrate(redis)).to).toBe(SCHEMA_VERSION);
	});
});
