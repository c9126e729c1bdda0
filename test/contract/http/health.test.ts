import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Probe } from '../../../adapters/http/deps.ts';
import { closeHouses, openHouse } from './house.ts';

afterEach(closeHouses);

const part = (name: string, required: boolean, ok = true): Probe => ({
	name,
	required,
	check: () => ({ ok, detail: ok ? 'fine' : 'gone' }),
});
const states = async (probes: Probe[]) => {
	const house = await openHouse({ probes });
	const answer = await house.get('/readyz');
	return {
		status: answer.status,
		...((await answer.json()) as { state: string; parts: { name: string; ok: boolean; detail: string }[] }),
	};
};

describe('/healthz and /readyz', () => {
	test('OPS-9 alive is alive whatever the parts do', async () => {
		const house = await openHouse({ probes: [part('gateway', true, false), part('redis', true, false)] });
		house.pass(5_000);
		const answer = await house.get('/healthz');
		expect([answer.status, await answer.json()]).toEqual([
			200,
			{ alive: true, role: 'all', version: '1.2.3', upSeconds: 5 },
		]);
	});

	test('OPS-9 all parts there is ready', async () => {
		expect(await states([part('gateway', true), part('model', false)])).toMatchObject({ status: 200, state: 'ready' });
	});

	test('OPS-9 a missing optional part degrades and is listed, a missing required one is down', async () => {
		expect(await states([part('gateway', true), part('redis', true), part('model', false, false)])).toMatchObject({
			status: 200,
			state: 'degraded',
			parts: [{ ok: true }, { ok: true }, { name: 'model', ok: false, detail: 'gone' }],
		});
		expect(await states([part('gateway', true, false), part('model', false)])).toMatchObject({
			status: 503,
			state: 'down',
		});
	});

	test('OPS-9 a part that hangs or throws counts as broken and keeps nobody waiting', async () => {
		const broken = await states([
			{ name: 'home', required: false, check: () => new Promise(() => undefined) },
			{ name: 'model', required: false, check: () => Promise.reject(new Error('no route')) },
			{
				name: 'redis',
				required: false,
				check: () => {
					throw new Error('closed');
				},
			},
		]);
		expect(broken.state).toBe('degraded');
		expect(broken.parts.map(({ detail }) => detail)).toEqual(['no answer in 2 s', 'no route', 'closed']);
	});

	test('OPS-9 a flood of questions asks the parts once a second', async () => {
		let asked = 0;
		const probe: Probe = { name: 'redis', required: true, check: () => ({ ok: Boolean(++asked), detail: 'fine' }) };
		const house = await openHouse({ probes: [probe] });
		await Promise.all(Array.from({ length: 50 }, () => house.get('/readyz')));
		expect(asked).toBe(1);
		house.pass(1_000);
		await house.get('/readyz');
		expect(asked).toBe(2);
	});

	test('OPS-9 a part that is dear to ask is asked as seldom as it says', async () => {
		let asked = 0;
		const model: Probe = {
			name: 'model',
			required: false,
			freshMs: 15_000,
			check: () => ({ ok: Boolean(++asked), detail: 'fine' }),
		};
		const house = await openHouse({ probes: [model] });
		for (const ms of [0, 5_000, 9_000]) {
			house.pass(ms);
			await house.get('/readyz');
		}
		expect(asked).toBe(1);
		house.pass(1_000);
		await house.get('/readyz');
		expect(asked).toBe(2);
	});

	test('OPS-9 OPS-17 from outside the state and the names are shown, details only with the admin token', async () => {
		const house = await openHouse({
			secrets: { adminPassword: 'x'.repeat(12), adminToken: 'a'.repeat(20) },
			probes: [part('redis', true, false)],
		});
		const outside = await house.get('/readyz', { 'x-forwarded-for': '203.0.113.9' });
		expect([outside.status, await outside.json()]).toEqual([
			503,
			{ state: 'down', parts: [{ name: 'redis', required: true, ok: false }] },
		]);
		const admin = await house.get('/readyz', {
			'x-forwarded-for': '203.0.113.9',
			authorization: `Bearer ${'a'.repeat(20)}`,
		});
		expect(JSON.stringify(await admin.json())).toContain('gone');
	});

	test('OPS-9 recovery shows without a restart', async () => {
		let ok = false;
		const house = await openHouse({ probes: [{ name: 'redis', required: true, check: () => ({ ok, detail: '' }) }] });
		expect((await house.get('/readyz')).status).toBe(503);
		ok = true;
		house.pass(1_500);
		expect((await house.get('/readyz')).status).toBe(200);
		expect(await house.metrics.render()).toContain('majordomo_probe_ok{part="redis"} 1');
	});
});

describe('/metrics', () => {
	const tokens = { adminPassword: 'x'.repeat(12), metricsToken: 'm'.repeat(20), adminToken: 'a'.repeat(20) };

	test('OPS-7 a program on this machine reads it without a token', async () => {
		const house = await openHouse({ secrets: tokens });
		const answer = await house.get('/metrics');
		expect(answer.status).toBe(200);
		expect(answer.headers.get('content-type')).toContain('text/plain');
		expect(await answer.text()).toContain('# HELP majordomo_http_requests_total');
	});

	test.each<Record<string, string>>([
		{ 'x-forwarded-for': '203.0.113.9' },
		{ forwarded: 'for=203.0.113.9' },
		{ 'x-real-ip': '127.0.0.1' },
	])('OPS-7 what a proxy passed on needs a token: %j', async (headers) => {
		const house = await openHouse({ secrets: tokens });
		expect((await house.get('/metrics', headers)).status).toBe(401);
		expect((await house.get('/metrics', { ...headers, authorization: 'Bearer wrong' })).status).toBe(401);
		for (const token of [tokens.metricsToken, tokens.adminToken])
			expect((await house.get('/metrics', { ...headers, authorization: `Bearer ${token}` })).status).toBe(200);
	});

	test('OPS-7 a web page that points its own name at this machine gets nothing', async () => {
		const house = await openHouse({ secrets: tokens });
		const status = await new Promise((resolve, reject) => {
			const asked = request(`${house.server.url}/metrics`, { headers: { host: 'evil.example:8750' } }, (answer) =>
				resolve(answer.resume().statusCode),
			);
			asked.on('error', reject).end();
		});
		expect(status).toBe(401);
	});

	test('OPS-7 requests are counted under a closed set of routes', async () => {
		const house = await openHouse();
		for (const path of ['/a', '/b', '/queues/deep/x', '/healthz']) await house.get(path);
		const page = await house.metrics.render();
		expect(page).toContain('majordomo_http_requests_total{route="other",method="GET",status="404"} 2');
		expect(page).toContain('route="/queues"');
		expect(page).not.toContain('deep');
	});
});
