import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../support/chromium.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { intakeReady } from './walk.ts';

const executable = findChromium();
/** Where a picture of the walk goes, for whoever wants to look at it. */
const pictures = process.env['INTAKE_PICTURES'];

describe.skipIf(executable === undefined)('an intake on the page (skipped without Chromium)', () => {
	let house: TestHousehold;
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		house = await openTestHousehold({
			change: (settings) => {
				// Nothing is sent by itself: the person presses Send.
				settings.intake.quietMs = 60_000;
				settings.intake.model.attemptTimeoutMs = 30_000;
			},
		});
		await intakeReady(house.house.discord.control);
		browser = await launchChromium(executable ?? '');
		page = await browser.newPage({ viewport: { width: 1_100, height: 1_400 } });
		page.setDefaultTimeout(40_000);
	}, 120_000);
	afterAll(async () => {
		await browser?.close();
		await house?.stop();
	});

	const seeing = (text: string | RegExp) => page.getByTestId('embed').filter({ hasText: text }).last();
	const press = async (label: string) => {
		// Those of messages: the composer has a button of that name too.
		const button = page
			.locator('[data-testid^="button-"]')
			.filter({ hasText: new RegExp(`^${label}$`) })
			.last();
		await button.click();
	};
	const write = async (text: string) => {
		await page.getByTestId('composer').fill(text);
		await page.getByTestId('send').click();
	};
	const picture = async (name: string) => {
		if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
	};

	test('INT-16 INT-18 INT-20 a person walks from a wish to the handover by hand, with a restart in the middle', {
		timeout: 120_000,
	}, async () => {
		await page.goto(`${house.house.discord.url}/#alex/intake`);
		await page.waitForSelector('body[data-ready]');
		await write('I want a shop for handmade mugs with a cart, but no newsletter.');
		await page.locator('[data-testid^="thread-"]').first().click();
		await seeing('Questions 1 of at most 3').waitFor();
		await press('Answer');
		await page.getByTestId('modal').waitFor();
		await picture('form');
		await page.getByTestId('field-q1.1-o1').click();
		await page.getByTestId('field-q1.2-o1').click();
		await page.getByTestId('field-free').fill('About 200 customers, with an inventory.');
		await page.getByTestId('modal-submit').click();
		await seeing('Questions 2 of at most 3').waitFor();
		await picture('second-round');
		await house.restart();
		await write('It talks to Paypal.');
		await write('We have 12 people, a rented cloud and 5000 euros.');
		await seeing(/message\(s\) collected/).waitFor();
		await press('Send');
		await seeing('Your requirements').waitFor();
		await picture('review');
		const review = (await seeing('Your requirements').textContent()) ?? '';
		for (const said of ['Feature: cart', 'Not wanted: newsletter', 'Works with: paypal', 'Budget: 5000'])
			expect(review).toContain(said);
		await press('Lock and send');
		await seeing(/^Handed over/).waitFor();
		await seeing('The business analyst has read it').waitFor();
		await picture('done');
		expect(await page.getByRole('button', { name: 'Lock and send' }).count()).toBe(0);
	});
});
