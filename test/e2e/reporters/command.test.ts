import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { type FleetBench, LAPTOP, openFleet } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
beforeAll(async () => {
	redis = await startTestRedis();
	bench = await openFleet(redis);
});
afterAll(async () => {
	await bench.close();
	await redis.stop();
});

async function run(args: string[], url = bench.http.url): Promise<{ code: number | null; stderr: string }> {
	const env = { PATH: process.env['PATH'], MAJORDOMO_URL: url, MAJORDOMO_TOKEN: LAPTOP };
	const child = startChild('scripts/majordomo-report.ts', args, env);
	const [code] = (await once(child.process, 'close')) as [number | null];
	return { code, stderr: child.stderr() };
}

test('FLT-3 any script reports with one command', async () => {
	const nightly = ['send', '--session', 'nightly', '--name', 'nightly-build'];
	expect(await run([...nightly, '--kind', 'started'])).toMatchObject({ code: 0 });
	expect(await run([...nightly, '--kind', 'finished', '--text', 'All green.', '--usd', '0.5'])).toMatchObject({
		code: 0,
	});
	const [session] = await bench.stores.sessions.list(10);
	expect(session).toMatchObject({ name: 'nightly-build', state: 'finished', summary: 'All green.', host: 'laptop' });
	expect(session?.cost.totalUsd).toBe(0.5);
});

test('FLT-3 a wrong command says what is wrong, and a house that is away holds nobody up', async () => {
	const odd = await run(['send', '--session', 'x', '--kind', 'dancing']);
	expect(odd.code).toBe(2);
	expect(odd.stderr).toContain('kind');
	expect((await run(['dance'])).stderr).toContain('majordomo-report send');
	const away = await run(['send', '--session', 'x', '--kind', 'working'], 'http://127.0.0.1:9');
	expect(away.code).toBe(1);
	expect(away.stderr).toContain('not sent');
});
