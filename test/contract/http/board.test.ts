import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createQueues, type Queues } from '../../../jobs/queues.ts';
import { startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';
import { closeHouses, openHouse } from './house.ts';

let redis: TestRedis;
let queues: Queues;
beforeAll(async () => {
	redis = await startTestRedis();
	const connection = await redis.connect();
	queues = createQueues({ connection: connection.handlers, prefix: redis.prefix, log: testLog() });
	await queues.add('overseer-decide', { roomId: 'living' });
});
afterAll(async () => {
	await queues?.close();
	await redis?.stop();
});
afterEach(closeHouses);

const open = async (queuesReadOnly: boolean) => {
	const house = await openHouse({ queues: queues.all, settings: { host: '127.0.0.1', port: 0, queuesReadOnly } });
	return { house, cookie: await house.cookie() };
};

describe('/queues', () => {
	test('OPS-6 all queues are shown to those who logged in, and to nobody else', async () => {
		const { house, cookie } = await open(true);
		expect((await house.get('/queues/api/queues')).status).toBe(401);
		const page = await house.get('/queues', { cookie });
		expect(page.status).toBe(200);
		expect(await page.text()).toContain('<base href="/queues/"');
		const answer = await house.get('/queues/api/queues', { cookie });
		const { queues: shown } = (await answer.json()) as {
			queues: { name: string; readOnlyMode: boolean; counts: Record<string, number> }[];
		};
		expect(shown.map((queue) => queue.name).sort()).toEqual(queues.all.map((queue) => queue.name).sort());
		expect(shown.find((queue) => queue.name === 'overseer-decide')?.counts['waiting']).toBe(1);
		expect(shown.every((queue) => queue.readOnlyMode)).toBe(true);
	});

	test('OPS-6 its scripts and styles are served from here', async () => {
		const { house, cookie } = await open(true);
		const html = await (await house.get('/queues', { cookie })).text();
		const script = /static\/js\/main[^"]+\.js/.exec(html)![0];
		const answer = await house.get(`/queues/${script}`, { cookie });
		expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
		expect((await house.get('/queues/static/../../../../package.json', { cookie })).status).not.toBe(200);
		expect((await house.get('/queues/static/%2e%2e%2f%2e%2e%2fpackage.json', { cookie })).status).not.toBe(200);
	});

	test('OPS-6 read-only means that nothing is changed, whatever is sent', async () => {
		const { house, cookie } = await open(true);
		const answer = await house.get('/queues/api/queues', { cookie });
		expect(answer.status).toBe(200);
		for (const [method, path] of [
			['PUT', '/queues/api/queues/overseer-decide/pause'],
			['PUT', '/queues/api/queues/overseer-decide/empty'],
			['PUT', '/queues/api/queues/overseer-decide/1/clean'],
			['POST', '/queues/api/queues/overseer-decide/add'],
		] as const) {
			const tried = await fetch(house.server.url + path, { method, headers: { cookie } });
			expect([path, tried.status]).toEqual([path, 403]);
		}
		expect(await queues.queue('overseer-decide').getWaitingCount()).toBe(1);
		expect(await queues.queue('overseer-decide').isPaused()).toBe(false);
	});

	test('OPS-6 by setting, a queue can be paused and resumed', async () => {
		const { house, cookie } = await open(false);
		const act = (what: string) =>
			fetch(`${house.server.url}/queues/api/queues/overseer-decide/${what}`, { method: 'PUT', headers: { cookie } });
		expect((await act('pause')).status).toBe(200);
		expect(await queues.queue('overseer-decide').isPaused()).toBe(true);
		expect((await act('resume')).status).toBe(200);
		expect(await queues.queue('overseer-decide').isPaused()).toBe(false);
	});
});
