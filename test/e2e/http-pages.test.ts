import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '../../adapters/http/deps.ts';
import { settingsSchema } from '../../config/schema.ts';
import type { OverseerStatus } from '../../core/overseer/status.ts';
import {
	freshStatus,
	withCall,
	withDecision,
	withGate,
	withLedger,
	withModelInput,
	withOutput,
} from '../../core/overseer/status-change.ts';
import { QUEUE_NAMES } from '../../jobs/contracts.ts';
import { createQueues, type Queues } from '../../jobs/queues.ts';
import { closeHouses, openHouse, PASSWORD } from '../contract/http/house.ts';
import { houseBoards } from '../support/house-boards.ts';
import { startTestRedis, type TestRedis, testLog } from '../support/redis.ts';

const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasBrowser = existsSync(browserPath);
if (!hasBrowser) console.warn(`skipped: no browser at ${browserPath} (install chromium, or set CHROMIUM)`);
/** Pictures for people who look at the pages; only with SCREENSHOTS=<folder>. */
const pictures = process.env['SCREENSHOTS'];

const overseer = settingsSchema.parse({}).overseer;
const START = Date.parse('2026-05-01T12:00:00Z');

function busyRoom(roomId: string): OverseerStatus {
	const decision = {
		id: 'd1',
		trigger: 'direct_address' as const,
		evidence: [{ note: 'alex: “turn the shelf lamp off”', messageIds: ['1'] }],
		addresses: [{ messageId: '1', authorId: '2', authorName: 'alex', at: START }],
		since: START,
		attempt: 0,
	};
	let status = freshStatus(roomId, { ...overseer, stage: 'full' }, START);
	status = withGate(status, {
		gate: {
			messageCursor: 1,
			eventCursor: 0,
			lastModelAt: START,
			lastHumanAt: START,
			failures: 0,
			backoffUntil: 0,
			lastHold: { at: START, reason: 'quiet' },
			lastTrigger: { at: START, trigger: 'direct_address', note: 'called by name' },
		},
		settings: overseer,
		stage: 'full',
		runtime: 'overseer',
		site: { mode: 'open', lightsLock: 'on', paused: false },
		votedQuiet: false,
		now: START,
	});
	status = withDecision(status, decision, START);
	status = withModelInput(
		status,
		'time: 12:00\nlights:\n- shelf lamp: on\n<img src=x onerror="document.title=\'hacked\'">',
		{
			model: 'ollama/qwen3:8b',
			messages: 9,
			turns: 6,
			estimatedTokens: 812,
			reportedTokens: 840,
			available: ['chat_say'],
			blocked: [
				{ tool: 'ha_set_entity', reasons: [{ code: 'policy_lock:lights_locked_on' }] },
				{ tool: 'neato_start', reasons: [{ code: 'cooldown', remainingMs: 21_000 }] },
			],
		},
		START,
	);
	status = withOutput(
		status,
		{
			at: START,
			raw: '{"mode":"ACTION+CHAT"}',
			mode: 'ACTION+CHAT',
			notes: [],
			latencyMs: 1_400,
			chat: 'The lamp stays. House rules.',
		},
		START,
	);
	status = withCall(
		status,
		{
			at: START,
			callId: 'c1',
			tool: 'ha_set_entity',
			args: { entity_id: 'light.shelf', state: 'off' },
			state: 'blocked',
			reasons: [{ code: 'policy_lock:lights_locked_on' }],
			summary: 'lights are locked on',
		},
		START,
	);
	return withLedger(status, { neato: START + 21_000 }, { minuteUsed: 1, hourUsed: 4 }, overseer, START);
}

describe.skipIf(!hasBrowser)('the pages in a real browser', () => {
	let redis: TestRedis;
	let queues: Queues;
	let context: BrowserContext;
	let profile: string;
	let page: Page;
	const wrong: string[] = [];

	beforeAll(async () => {
		profile = mkdtempSync(join(tmpdir(), 'browser-'));
		context = await chromium.launchPersistentContext(profile, {
			executablePath: browserPath,
			headless: true,
			args: [
				'--headless',
				'--no-sandbox',
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		});
		redis = await startTestRedis();
		queues = createQueues({ connection: (await redis.connect()).handlers, prefix: redis.prefix, log: testLog() });
		await queues.add('overseer-decide', { roomId: 'living' });
	}, 120_000);
	afterAll(async () => {
		await context?.close();
		await queues?.close();
		await redis?.stop();
		rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	});
	afterEach(async () => {
		await page?.close();
		await closeHouses();
	});

	async function open(over: Parameters<typeof openHouse>[0] = {}) {
		const documents = new Map<string, unknown>([['living', busyRoom('living')]]);
		const listeners = new Set<(roomId: string) => void>();
		const panel: Panel = {
			rooms: () => [
				{ id: 'living', title: 'Living room' },
				{ id: 'workshop', title: 'Workshop' },
			],
			read: async (id) => documents.get(id),
			onWrite: (listener) => {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
		};
		const write = (id: string, status: unknown) => {
			documents.set(id, status);
			for (const listener of listeners) listener(id);
		};
		const probes = [
			{ name: 'gateway', required: true, check: () => ({ ok: true, detail: 'connected as Majordomo, 41 ms' }) },
			{
				name: 'model',
				required: false,
				check: () => ({ ok: false, detail: 'ollama does not answer', hint: 'start it: ollama serve' }),
			},
		];
		const house = await openHouse({ panel, probes, queues: queues.all, ...over });
		wrong.length = 0;
		page = await context.newPage();
		page.on('pageerror', (error) => wrong.push(String(error)));
		return { house, write, listeners };
	}
	const shoot = async (name: string) => {
		if (!pictures) return;
		mkdirSync(pictures, { recursive: true });
		await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
	};
	const enter = async (url: string, path: string) => {
		await page.goto(url + path);
		await page.getByLabel('Admin password').fill(PASSWORD);
		await page.getByRole('button', { name: 'Log in' }).click();
	};

	test('OPS-6 a wrong password is told, the right one opens the live page, logging out closes it', async () => {
		const { house } = await open();
		await page.goto(`${house.server.url}/admin`);
		await page.getByLabel('Admin password').fill('wrong');
		await page.getByRole('button', { name: 'Log in' }).click();
		await page.getByRole('alert').getByText('That is not the password.').waitFor();
		await shoot('login');
		await page.getByLabel('Admin password').fill(PASSWORD);
		await page.getByRole('button', { name: 'Log in' }).click();
		await page.getByText('House rules').waitFor();
		await page.getByRole('button', { name: 'Log out' }).click();
		await page.waitForURL('**/login');
		await page.goto(`${house.server.url}/admin`);
		await page.waitForURL('**/login?next=*');
	});

	test('OPS-6 OVR-31 the page shows each part of the panel, and new documents without a reload', async () => {
		const { house, write } = await open();
		await enter(house.server.url, '/admin');
		const room = page.locator('article[data-room="living"]');
		await room.getByText('House rules').waitFor();
		const text = ((await room.textContent()) ?? '').replace(/\s+/g, ' ');
		for (const part of [
			'Living room',
			'full',
			'lights locked on',
			'thinking',
			'direct_address',
			'called by name',
			'quiet',
			'ollama/qwen3:8b',
			'840 reported',
			'ACTION+CHAT',
			'1 of 6 a minute',
			'neato 21 s',
			'blocked',
			'ha_set_entity',
			'policy_lock:lights_locked_on',
		])
			expect(text).toContain(part);
		expect(await page.locator('#health').textContent()).toBe('degraded');
		expect(await page.locator('#parts').textContent()).toContain('start it: ollama serve');
		await shoot('admin-wide');
		await page.locator('article[data-room="workshop"]').getByText('Nothing has been decided').waitFor();
		write('workshop', { ...busyRoom('workshop'), stage: 'observe', phase: 'posted' });
		await page.locator('article[data-room="workshop"]').getByText('observe').waitFor();
		expect(wrong).toEqual([]);
	});

	test('OPS-2 OPS-6 where nothing is kept, a red banner stands above everything', async () => {
		const storage = { name: 'storage', required: false, check: () => ({ ok: false, detail: 'NOTHING IS KEPT' }) };
		const { house: unkept } = await open({ probes: [storage] });
		await enter(unkept.server.url, '/admin');
		const banner = page.getByRole('alert').filter({ hasText: 'NOTHING IS KEPT' });
		await banner.waitFor();
		expect(await page.evaluate('getComputedStyle(banner).backgroundColor')).toBe('rgb(179, 38, 30)');
		await page.close();
		const { house } = await open();
		await enter(house.server.url, '/admin');
		await page.getByText('House rules').waitFor();
		expect(await page.locator('#banner').isVisible()).toBe(false);
	});

	test('OPS-6 nothing that a model or a person wrote becomes part of the page', async () => {
		const { house, write } = await open();
		await enter(house.server.url, '/admin');
		await page.getByText('What it was told of the room').first().click();
		await page.getByText('<img src=x').waitFor();
		write('workshop', { version: 9, note: '<script>document.title="hacked"</script>' });
		await page.locator('article[data-room="workshop"] pre').waitFor();
		expect(await page.title()).toBe('Majordomo · house');
		expect(await page.locator('main img, main script').count()).toBe(0);
		// What somebody reads stays open while the page renews itself.
		write('living', busyRoom('living'));
		await page.waitForTimeout(1_500);
		expect(
			await page.locator('article[data-room="living"] details[data-part="state"]').getAttribute('open'),
		).not.toBeNull();
	});

	test('OPS-6 fleet, intakes, budgets and audit stand beside the rooms, live, and one that fails spoils nothing', async () => {
		const documents = houseBoards(START);
		let fails = false;
		const boards = Object.keys(documents).map((name) => ({
			name,
			read: async () => {
				if (fails && name === 'fleet') throw new Error('the store is away');
				return documents[name];
			},
		}));
		const { house } = await open({ boards });
		await enter(house.server.url, '/admin');
		const board = (name: string) => page.locator(`article[data-board="${name}"]`);
		await board('fleet').getByText('needs you: api-fix').waitFor();
		expect(await board('fleet').locator('li').first().textContent()).toContain('Which schema <b>now</b>?');
		expect(await board('fleet').locator('b').count()).toBe(0);
		await board('intake').getByText('round 2').waitFor();
		await board('spending').getByText('$0.25 of $1.00').waitFor();
		await board('audit').getByText('policy_lock').waitFor();
		await shoot('admin-boards');
		documents['spending'] = { ...(documents['spending'] as object), concierge: { usd: 1.5, budgetUsd: 1 } };
		fails = true;
		await board('spending').getByText('$1.50 of $1.00').waitFor({ timeout: 15_000 });
		await board('fleet').getByText('cannot be read now').waitFor({ timeout: 15_000 });
		await board('audit').getByText('policy_lock').waitFor();
		expect(wrong).toEqual([]);
	});

	test('OPS-6 it fits a phone', async () => {
		const documents = houseBoards(START);
		const boards = Object.keys(documents).map((name) => ({ name, read: async () => documents[name] }));
		const { house } = await open({ boards });
		await page.setViewportSize({ width: 360, height: 740 });
		await enter(house.server.url, '/admin');
		await page.getByText('House rules').waitFor();
		await page.locator('article[data-board="audit"] li').first().waitFor();
		const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
		expect((widths as number[])[0]).toBeLessThanOrEqual((widths as number[])[1]!);
		await shoot('admin-phone');
	});

	test('OPS-6 when the login ends, the live page goes back to the login', async () => {
		const { house, listeners } = await open();
		await enter(house.server.url, '/admin');
		await page.getByText('House rules').waitFor();
		expect(listeners.size).toBe(1);
		house.pass(13 * 3_600_000);
		await page.waitForURL('**/login?next=/admin', { timeout: 20_000 });
		await expect.poll(() => listeners.size, { timeout: 10_000 }).toBe(0);
	});

	test('OPS-6 the queue board shows the queues', async () => {
		const { house } = await open();
		await enter(house.server.url, '/queues');
		for (const name of QUEUE_NAMES) await page.getByText(name).first().waitFor();
		await page.locator('main, #root').getByText('Loading').waitFor({ state: 'detached' });
		await page.goto(`${house.server.url}/queues/queue/overseer-decide?status=waiting`);
		await page.getByText('"living"').first().waitFor();
		await shoot('queues');
		expect(wrong).toEqual([]);
	});

	test('OPS-6 a form on another page of this very machine cannot log anybody out, though the cookie comes along', async () => {
		const { house } = await open();
		await enter(house.server.url, '/admin');
		await page.getByText('House rules').waitFor();
		const html = `<form method="post" action="${house.server.url}/logout"></form><script>document.forms[0].submit()</script>`;
		const hostile = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html));
		hostile.listen(0, '127.0.0.1');
		await once(hostile, 'listening');
		const sent = page.waitForRequest(`${house.server.url}/logout`);
		await page.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`);
		const request = await sent;
		expect((await request.response())?.status()).toBe(403);
		expect((await request.allHeaders())['cookie']).toContain('majordomo_session=');
		await page.goto(`${house.server.url}/admin`);
		await page.getByText('House rules').waitFor();
		hostile.close();
	});
});
