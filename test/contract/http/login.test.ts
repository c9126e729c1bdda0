import { afterEach, describe, expect, test } from 'vitest';
import { closeHouses, openHouse, PASSWORD } from './house.ts';

afterEach(closeHouses);

describe('login', () => {
	test('OPS-6 the pages lead to the login, and the right password back to where one wanted to go', async () => {
		const house = await openHouse();
		for (const path of ['/admin', '/queues', '/queues/queue/x?page=2', '/admin/room.js']) {
			const answer = await house.get(path);
			expect([answer.status, answer.headers.get('location')]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
		}
		const page = await house.get('/login?next=/queues');
		expect(await page.text()).toContain('value="/queues"');
		const entered = await house.post('/login', new URLSearchParams({ password: PASSWORD, next: '/queues' }));
		expect([entered.status, entered.headers.get('location')]).toEqual([303, '/queues']);
	});

	test('OPS-6 the cookie is HttpOnly, strict and, over https, secure', async () => {
		const house = await openHouse();
		const plain = (await house.login()).headers.getSetCookie()[0]!;
		expect(plain).toMatch(/^majordomo_session=[\w-]{43};/);
		expect(plain).toContain('HttpOnly');
		expect(plain).toContain('SameSite=Strict');
		expect(plain).toContain('Path=/');
		expect(plain).not.toContain('Secure');
		expect((await house.login(PASSWORD, { 'x-forwarded-proto': 'https' })).headers.getSetCookie()[0]).toContain(
			'Secure',
		);
	});

	test('OPS-6 a login opens the pages, ends by logout, by time, and with another cookie never begins', async () => {
		const house = await openHouse();
		const cookie = await house.cookie();
		expect((await house.get('/admin', { cookie })).status).toBe(200);
		expect((await house.get('/admin', { cookie: 'majordomo_session=forged' })).status).toBe(303);
		expect((await house.post('/logout', undefined, { cookie })).status).toBe(303);
		expect((await house.get('/admin', { cookie })).status).toBe(303);
		const second = await house.cookie();
		house.pass(13 * 3_600_000);
		expect((await house.get('/admin', { cookie: second })).status).toBe(303);
	});

	test('OPS-6 every login has a new id: a cookie that was there before is worth nothing', async () => {
		const house = await openHouse();
		const first = await house.cookie();
		const entered = await house.post('/login', new URLSearchParams({ password: PASSWORD }), { cookie: first });
		const second = entered.headers.getSetCookie()[0]!.split(';')[0]!;
		expect(second).not.toBe(first);
		expect((await house.get('/admin', { cookie: first })).status).toBe(303);
	});

	test('OPS-6 wrong passwords lock the address for a growing time; the right one waits too', async () => {
		const house = await openHouse();
		for (let round = 0; round < 5; round++) expect((await house.login(`guess ${round}`)).status).toBe(401);
		const locked = await house.login();
		expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '60']);
		house.pass(60_000);
		expect((await house.login('again wrong')).status).toBe(401);
		expect((await house.login()).headers.get('retry-after')).toBe('120');
		house.pass(120_000);
		expect((await house.login()).status).toBe(303);
		expect((await house.login('one wrong')).status).toBe(401);
		expect((await house.login()).status).toBe(303);
	});

	test('OPS-6 many tries at once do not get past the lock', async () => {
		const house = await openHouse();
		const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => house.login(`guess ${index}`)));
		const statuses = answers.map((answer) => answer.status);
		expect(statuses.filter((status) => status === 401)).toHaveLength(5);
		expect(statuses.filter((status) => status === 429)).toHaveLength(55);
	});

	test('OPS-6 a lock does not throw out those who are in', async () => {
		const house = await openHouse();
		const cookie = await house.cookie();
		for (let round = 0; round < 6; round++) await house.login('wrong');
		expect((await house.get('/admin', { cookie })).status).toBe(200);
	});

	test.each([
		'//evil.example',
		'https://evil.example',
		'/\\evil.example',
		'/admin/../logout\\',
		'javascript:alert(1)',
		'/adminx',
	])('OPS-6 after the login nobody is sent to %s', async (next) => {
		const house = await openHouse();
		const entered = await house.post('/login', new URLSearchParams({ password: PASSWORD, next }));
		expect(entered.headers.get('location')).toBe('/admin');
		expect(await (await house.get(`/login?next=${encodeURIComponent(next)}`)).text()).not.toContain('evil');
	});

	test('OPS-6 the password is never logged', async () => {
		const house = await openHouse();
		await house.login('sesame sesame');
		await house.login();
		const lines = JSON.stringify(house.log.lines);
		expect(lines).toContain('failed login');
		expect(lines).not.toMatch(/sesame|correct horse/);
	});
});

describe('requests from other pages', () => {
	const foreign = [
		{ origin: 'https://evil.example' },
		{ origin: 'null' },
		{ origin: 'http://127.0.0.1:1' },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
	] as Record<string, string>[];

	test.each(foreign)('OPS-6 %j changes nothing, not even with a valid cookie', async (headers) => {
		const house = await openHouse({ settings: { host: '127.0.0.1', port: 0, queuesReadOnly: false } });
		const cookie = await house.cookie();
		for (const path of ['/logout', '/login', '/queues/api/queues/x/clean/completed']) {
			const answer = await house.post(path, new URLSearchParams({ password: PASSWORD }), { ...headers, cookie });
			expect([path, answer.status]).toEqual([path, 403]);
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		expect((await house.get('/admin', { cookie })).status).toBe(200);
	});

	test('OPS-6 our own page may', async () => {
		const house = await openHouse();
		const answer = await house.login(PASSWORD, { origin: house.server.url });
		expect(answer.status).toBe(303);
	});

	test('OPS-6 a link from elsewhere is asked once more by our own page, where the strict cookie comes along', async () => {
		const house = await openHouse();
		const answer = await house.get('/admin?room=living', { 'sec-fetch-site': 'cross-site' });
		expect(answer.status).toBe(200);
		expect(await answer.text()).toContain('content="0; url=/admin?room=living"');
	});
});

describe('without a password', () => {
	test('OPS-6 board and admin page stay closed and say how to open them', async () => {
		const house = await openHouse({ secrets: {} });
		for (const path of ['/admin', '/queues', '/queues/api/queues', '/login']) {
			const answer = await house.get(path);
			expect(answer.status).toBe(503);
			expect(await answer.json()).toMatchObject({
				error: { code: 'login_off', hint: expect.stringContaining('ADMIN_PASSWORD') },
			});
		}
		expect((await house.login('')).status).toBe(503);
		expect((await house.get('/healthz')).status).toBe(200);
	});
});
