import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLoopbackHome, type LoopbackHome } from '../../../demo/home/loopback-home.ts';
import { eventually } from './connected-home.ts';

const executablePath = '/usr/bin/chromium';
const quiet = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map((what) => `--disable-${what}`);

describe.skipIf(!existsSync(executablePath))('the page of the simulated room', () => {
	let loopback: LoopbackHome;
	let browser: Browser;
	let page: Page;
	const problems: string[] = [];

	beforeAll(async () => {
		loopback = await createLoopbackHome({ tickMs: 50, pace: { liftTravelMs: 600 } });
		const args = ['--headless', '--no-sandbox', '--no-first-run', ...quiet];
		browser = await chromium.launch({ executablePath, args });
		page = await browser.newPage({ viewport: { width: 460, height: 900 } });
		page.on('pageerror', (error) => problems.push(error.message));
		page.on('dialog', (dialog) => {
			problems.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		await page.goto(loopback.url);
		await byId('row-rover3').waitFor();
	}, 120_000);
	afterAll(async () => {
		await browser?.close();
		await loopback?.close();
	});

	const byId = (id: string) => page.getByTestId(id);
	const reads = (id: string, text: string) =>
		eventually(async () => ((await byId(id).textContent()) ?? '').includes(text), `${id} reads ${text}`);

	test('a person toggles a lamp, by its row and on the plan, and the page follows what others do', async () => {
		await byId('toggle-shelf').click();
		await eventually(() => loopback.control.world().entities['light.shelf']?.state === 'off', 'lamp off');
		await reads('toggle-shelf', 'Off');
		await byId('plan-light.shelf').click();
		await reads('toggle-shelf', 'On');
		loopback.control.act({
			domain: 'light',
			service: 'turn_on',
			entityId: 'light.bench',
			data: { rgb_color: [255, 0, 0] },
		});
		await reads('toggle-bench', 'On');
		await eventually(async () => (await byId('color-bench').inputValue()) === '#ff0000', 'colour shown');
	});

	test('a person moves and jams the lift, and gives the vacuum an error', async () => {
		await byId('lift-up').click();
		await reads('state-lift', '100 %');
		await byId('jam-lift').selectOption('stuck');
		await eventually(() => loopback.control.world().room.lift.jam === 'stuck', 'jammed');
		await byId('vacuum-error').click();
		await reads('state-vacuum', 'BRUSH_STUCK');
		await byId('vacuum-error').click();
		await reads('state-vacuum', 'docked');
	});

	test('a person drives, bumps and docks a rover, and makes it vanish and come back', async () => {
		await byId('drive-rover1').click();
		await reads('state-rover1', 'driving · alex');
		await byId('bump-rover1').click();
		await reads('state-rover1', 'bumped');
		await byId('presence-rover1').selectOption('removed');
		await eventually(() => !('sensor.rover1_driver' in loopback.control.world().entities), 'gone');
		await byId('presence-rover1').selectOption('unavailable');
		await eventually(() => loopback.control.world().entities['sensor.rover1_driver']?.state === 'unavailable', 'away');
		await byId('presence-rover1').selectOption('available');
		await eventually(() => loopback.control.world().entities['sensor.rover1_driver']?.state === 'alex', 'back');
	});

	test('S01 names that are markup stay text', async () => {
		const driver = '<img src=x onerror=alert(1)>';
		loopback.control.poke({ kind: 'drive', rover: 'rover2', driver });
		await reads('state-rover2', driver);
		expect(await page.locator('img').count()).toBe(0);
	});

	test('it fits a phone, and nothing went wrong in it', async () => {
		await page.setViewportSize({ width: 340, height: 700 });
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(340);
		expect(problems).toEqual([]);
	});
});
