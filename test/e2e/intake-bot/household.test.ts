import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Control } from '../../../demo/discord/control/control.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { intakeReady, linkedThread, walkIn } from './walk.ts';

describe('an intake in the whole household', () => {
	let house: TestHousehold;
	let control: Control;

	beforeAll(async () => {
		house = await openTestHousehold({
			change: (settings) => {
				settings.intake.quietMs = 300;
				settings.intake.model.attemptTimeoutMs = 30_000;
			},
		});
		control = house.house.discord.control;
		await intakeReady(control);
	}, 90_000);
	afterAll(() => house?.stop());

	test('INT-16 INT-17 INT-18 INT-20 a wish becomes a packet, with a restart in the middle', {
		timeout: 90_000,
	}, async () => {
		const started = await control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: 'I want a shop for handmade mugs with a cart and an inventory.' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		const threadId = linkedThread(started.message?.text ?? '');
		expect(threadId).not.toBe('');
		const walk = walkIn(control, threadId);
		const first = await walk.card('Questions 1 of at most 3');
		expect(first.controls.map(({ label }) => label)).toEqual(['Answer', 'Skip round']);
		const sent = await walk.fill(first, {
			'q1.1': ['customers', 'staff'],
			'q1.2': ['phone'],
			'q1.3': ['orders'],
			free: 'About 200 customers a day.',
		});
		expect(sent.message?.allText).toContain('What comes of it stands here');

		const second = await walk.card('Questions 2 of at most 3');
		expect((await walk.card('Questions 1 of at most 3')).allText).toContain('customers');
		await house.restart();

		await walk.say('It exchanges data with Paypal.');
		await walk.say('We are 12 people. It has to run in a rented cloud.');
		await walk.say('The budget is 5000 euros.');
		const review = await walk.card('Your requirements', 30_000);
		expect(second.id).not.toBe(review.id);
		expect(review.attachments.map(({ name }) => name).sort()).toEqual(['facts.pl', 'handoff.json', 'requirements.md']);
		expect(review.allText).toContain(`/${threadId}/`);
		await walk.press(review, 'Lock and send');
		const done = await walk.card('Handed over');
		expect(done.allText).toContain('packet');
		await walk.card('The business analyst has read it');
	});
});
