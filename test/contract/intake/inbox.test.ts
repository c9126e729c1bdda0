import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebhookSink } from '../../../adapters/inbox/webhook.ts';
import { canonicalJson } from '../../../core/intake/canonical-json.ts';
import { checkSignature } from '../../../core/intake/packet-signature.ts';
import { handoffFor } from '../../support/handoff.ts';
import { cxpSession, type IntakeBench, intakeTestSettings, openIntake } from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

const key = { id: 'k1', secret: 'a secret of the desk' };
let server: TestRedis;
let hook: Server;
let url: string;
/** Connections to the hook since the last test. */
let connections = 0;
const got: { headers: IncomingMessage['headers']; body: string }[] = [];
let respond: (response: ServerResponse, count: number) => void;
const benches: IntakeBench[] = [];

beforeAll(async () => {
	server = await startTestRedis();
	hook = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk) => {
			body += chunk;
		});
		request.on('end', () => {
			got.push({ headers: request.headers, body });
			respond(response, got.length);
		});
	});
	hook.on('connection', () => {
		connections += 1;
	});
	await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/packets`;
});
afterEach(async () => {
	got.length = 0;
	connections = 0;
	await Promise.all(benches.splice(0).map((bench) => bench.close()));
	await server.flush();
});
afterAll(async () => {
	hook.closeAllConnections();
	hook.close();
	await server.stop();
});

const answerWith = (...statuses: number[]) => {
	respond = (response, count) => {
		response.statusCode = statuses[Math.min(count, statuses.length) - 1] ?? 200;
		response.setHeader('location', 'http://169.254.169.254/');
		response.end('{}');
	};
};
const sinkWith = (change: object = {}) =>
	createWebhookSink({
		settings: { name: 'desk', url, allowPrivate: true, timeoutMs: 1_000, ...change },
		key,
		now: Date.now,
	});
const signal = new AbortController().signal;

describe('a webhook', () => {
	test('INT-22 gets the packet once, as canonical JSON, signed, under its id', async () => {
		answerWith(202);
		expect(await sinkWith().deliver(handoffFor(), signal)).toEqual({ ok: true });
		const [one] = got;
		const packet = JSON.parse(one?.body ?? '');
		expect(one?.headers['idempotency-key']).toBe('p1');
		expect(one?.body).toBe(canonicalJson(packet));
		expect(checkSignature(packet, [key], Date.now(), 60_000).ok).toBe(true);
		expect(packet).toMatchObject(handoffFor());
	});

	test.each([
		[500, false],
		[429, false],
		[404, true],
		[302, true],
		[307, true],
	])('INT-22 OPS-17 %i: given up for good %s; a redirect is never followed', async (status, permanent) => {
		answerWith(status);
		expect(await sinkWith().deliver(handoffFor(), signal)).toMatchObject({ ok: false, permanent });
		expect(got).toHaveLength(1);
	});

	test('INT-22 OPS-17 a private address is refused without a request', async () => {
		answerWith(200);
		for (const change of [
			{},
			{ url: url.replace('127.0.0.1', 'localhost') },
			{ url: url.replace('127.0.0.1', '[::1]') },
		])
			expect(await sinkWith({ ...change, allowPrivate: false }).deliver(handoffFor(), signal)).toMatchObject({
				ok: false,
				permanent: true,
			});
		expect(got).toEqual([]);
	});

	test.each([
		['decimal', '2130706433'],
		['hexadecimal', '0x7f000001'],
		['octal', '0177.0.0.1'],
		['short', '127.1'],
		['zero', '0.0.0.0'],
		['mapped', '[::ffff:127.0.0.1]'],
		['mapped as words', '[::ffff:7f00:1]'],
		['compatible', '[::127.0.0.1]'],
		['a dot behind', 'localhost.'],
		['capitals', 'LOCALHOST'],
		['full-width digits', '１２７.0.0.1'],
		['a name and a password before it', 'example.org:pw@127.0.0.1'],
	])('INT-22 OPS-17 S03 no way of writing this machine leads to it: %s', async (_, host) => {
		answerWith(200);
		const port = new URL(url).port;
		const sink = sinkWith({ url: `http://${host}:${port}/`, allowPrivate: false });
		expect(await sink.deliver(handoffFor(), signal)).toMatchObject({ ok: false });
		expect(got).toEqual([]);
		expect(connections).toBe(0);
	});

	test('INT-22 OPS-17 a name that leads elsewhere when asked again is connected to where it was checked', async () => {
		answerWith(200);
		let asked = 0;
		const sink = createWebhookSink({
			settings: { name: 'desk', url: url.replace('127.0.0.1', 'desk.invalid'), allowPrivate: true, timeoutMs: 2_000 },
			key,
			now: Date.now,
			lookup: async () => {
				asked += 1;
				return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
			},
		});
		expect(await sink.deliver(handoffFor(), signal)).toEqual({ ok: true });
		expect([asked, got.length, got[0]?.headers.host]).toEqual([
			1,
			1,
			new URL(url).host.replace('127.0.0.1', 'desk.invalid'),
		]);
	});

	test('INT-22 one that does not answer, hangs up or talks without end does not hold us', async () => {
		respond = () => undefined;
		expect(await sinkWith({ timeoutMs: 500 }).deliver(handoffFor(), signal)).toMatchObject({
			ok: false,
			permanent: false,
			problem: 'no answer in time',
		});
		respond = (response) => response.destroy();
		expect(await sinkWith().deliver(handoffFor(), signal)).toMatchObject({ ok: false, permanent: false });
		respond = (response) => {
			const pour = () => {
				while (!response.destroyed && response.write('x'.repeat(65_536)));
				if (!response.destroyed) response.once('drain', pour);
			};
			pour();
		};
		expect(await sinkWith({ timeoutMs: 5_000 }).deliver(handoffFor(), signal)).toEqual({ ok: true });
	});
});

describe('the inbox of U:BA', () => {
	const open = async (attempts: number, change: object = {}) => {
		const bench = await openIntake(server, {
			settings: intakeTestSettings({ inbox: { analyst: false, webhooks: [], folders: [], channels: [] }, ...change }),
			sinks: [{ sink: sinkWith(), attempts, backoffMs: 50 }],
		});
		benches.push(bench);
		return bench;
	};
	const put = async (bench: IntakeBench) => {
		const session = cxpSession({}, 's1');
		await bench.stores.work.create(session, []);
		const entry = await bench.stores.inbox.put(handoffFor(), ['desk'], Date.now());
		// Without its job, as if the process had died right here.
		expect(entry.deliveries).toMatchObject([{ sink: 'desk', state: 'waiting', attempts: 0 }]);
	};
	const settled = (bench: IntakeBench, state: string) =>
		eventually(`it is ${state}`, async () => {
			const entry = await bench.stores.inbox.entry('p1');
			return entry?.deliveries[0]?.state === state ? entry : undefined;
		});

	test('INT-22 OPS-15 a packet whose job was lost is found, tried until it is taken, and its content goes', async () => {
		answerWith(500, 503, 200);
		const bench = await open(5);
		await put(bench);
		bench.work();
		const entry = await settled(bench, 'delivered');
		expect(entry.deliveries[0]?.attempts).toBe(3);
		expect(entry).toMatchObject({ hasContent: false, projectName: 'mug_shop' });
		expect(await bench.stores.inbox.packet('p1')).toBeUndefined();
		expect(got).toHaveLength(3);
		expect(new Set(got.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['p1']));
		// Put again, as after a crash before the session heard of it: nobody gets it twice.
		await bench.stores.inbox.put(handoffFor(), ['desk'], Date.now());
		await bench.queues.add('ba-inbox', { packetId: 'p1', sink: 'desk', generation: 0 });
		await eventually('the further job is done', async () => {
			const { active, waiting } = await bench.queues.queue('ba-inbox').getJobCounts();
			return active === 0 && waiting === 0;
		});
		expect(got).toHaveLength(3);
		expect((await bench.stores.inbox.entry('p1'))?.deliveries).toMatchObject([{ state: 'delivered', attempts: 3 }]);
	});

	test('INT-22 INT-26 one that nobody takes is set aside, kept, told once, and delivered when it is replayed', async () => {
		answerWith(500, 500, 200);
		const bench = await open(2);
		await put(bench);
		bench.work();
		const dead = await settled(bench, 'dead');
		expect(dead).toMatchObject({ hasContent: true, deliveries: [{ attempts: 2, problem: 'it answered 500' }] });
		expect(await bench.stores.inbox.list({ state: 'dead', limit: 5 })).toHaveLength(1);
		const told = await eventually(
			'somebody is told',
			async () => (await bench.stores.surface.items('s1', 'discord'))[0],
		);
		expect(told.item).toMatchObject({ kind: 'notify_admin', code: 'undeliverable', detail: 'p1 to desk' });
		const again = await bench.stores.inbox.replay('p1', 'desk', Date.now());
		expect(again?.deliveries[0]).toMatchObject({ state: 'waiting', generation: 1 });
		await settled(bench, 'delivered');
		expect(got).toHaveLength(3);
		expect(await bench.stores.inbox.replay('p1', 'desk', Date.now())).toBeUndefined();
	});

	test('INT-22 what can never be taken is not tried again', async () => {
		answerWith(410);
		const bench = await open(5);
		await put(bench);
		bench.work();
		expect((await settled(bench, 'dead')).deliveries[0]?.attempts).toBe(1);
		expect(got).toHaveLength(1);
	});

	test('INT-22 a Discord channel gets the packet through the bot, once', async () => {
		const bench = await open(1, {
			inbox: {
				analyst: true,
				webhooks: [],
				folders: [],
				channels: [{ name: 'specs', channelId: '123456789012345678' }],
			},
		});
		const session = cxpSession({ place: { kind: 'discord', guildId: 'g', channelId: 'c', threadId: 't' } }, 's1');
		await bench.stores.work.create(session, []);
		await bench.stores.inbox.put(handoffFor(), ['specs', 'analyst'], Date.now());
		bench.work();
		const items = await eventually('both are there', async () => {
			const all = await bench.stores.surface.items('s1', 'discord');
			return all.length === 2 ? all : undefined;
		});
		expect(items.map(({ item }) => item?.kind).sort()).toEqual(['handoff', 'reading']);
		expect(items.find(({ item }) => item?.kind === 'handoff')?.item).toMatchObject({ channelId: '123456789012345678' });
	});
});
