import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { ASK, FINAL } from '../../support/fakes/memory-intake.ts';
import { type IntakeRig, openIntakeRig } from './rig.ts';
import type { Walk } from './walk.ts';

let rig: IntakeRig;
let walk: Walk;
const begin = async (...options: Parameters<typeof openIntakeRig>) => {
	rig = await openIntakeRig(...options);
	walk = await rig.begin();
	await walk.card('Questions 1 of at most 3');
};
/** Answers by form and finishes. */
const toReview = async () => {
	await walk.fill(await walk.card('Questions 1 of at most 3'), {
		'q1.1': ['o1'],
		'q1.2': 'phone',
		free: 'as soon as can be',
	});
	await walk.press(await walk.card('Questions 2 of at most 3'), 'Finish now');
	return walk.card('Your requirements');
};
afterEach(() => rig.close());

describe('the review of an intake', () => {
	test('INT-18 each requirement leads to the words it rests on; the unused and the left-out are shown; files are there', async () => {
		await begin({ intake: { settings: { language: 'en' } } });
		const review = await toReview();
		const { guildId, channels } = rig.house.discord;
		const progress = await walk.card('Whose turn');
		const round = (await walk.cards()).find(({ allText }) => allText.includes('Questions 1 of')) ?? progress;
		const [wish, choice] = [
			`[said here](https://discord.com/channels/${guildId}/${walk.threadId}/${progress.id})`,
			`[said here](https://discord.com/channels/${guildId}/${walk.threadId}/${round.id})`,
		];
		expect(review.allText).toContain(`Feature: mugs ${wish}`);
		expect(review.allText).toContain(`Platform: phone ${choice}`);
		expect(review.allText).toMatch(/Said, but not used \(\d\)[\s\S]*It rains today/);
		expect(review.allText).toMatch(/Left out \(1\)\n`has_feature\(blockchain\)\.?`: ungrounded/);
		expect(review.allText).toMatch(/Locks itself <t:\d+:R>/);
		expect(channels['intake']).toBeDefined();
		const texts = await Promise.all(
			review.attachments.map(async ({ name, url }) => [name, await (await fetch(url)).text()]),
		);
		const files = Object.fromEntries(texts) as Record<string, string>;
		expect(files['requirements.md']).toContain('R1');
		expect(files['facts.pl']).toContain('has_feature(mugs).');
		expect(JSON.parse(files['handoff.json'] ?? '')).toMatchObject({ to: 'U:BA', subject: 'requirements' });
		expect(review.controls.map(({ label }) => label)).toEqual(['Lock and send', 'Edit', 'Discard']);
	});

	test('INT-18 Lock and send hands over what was shown, and the buttons go', async () => {
		await begin({ intake: { reading: true } });
		const review = await toReview();
		const locked = await walk.press(review, 'Lock and send');
		expect(locked.message?.text).toContain('Locked');
		const done = await walk.card('Handed over: mug shop');
		expect(done.attachments.map(({ name }) => name)).toContain('handoff.json');
		expect(rig.intake.packets.map(({ to }) => to)).toEqual(['U:BA']);
		await walk.card('The business analyst has read it');
		await eventually(async () =>
			(await walk.cards()).every(({ controls, onlyFor }) => onlyFor !== null || controls.length === 0),
		);
		const last = (await walk.cards()).filter(({ embeds }) => embeds[0]?.title?.startsWith('Handed over'));
		expect(last).toHaveLength(1);
	});

	test('INT-18 Edit changes an answer, drops what rested on it and shows the result anew; the old card cannot be locked', async () => {
		await begin();
		const first = await toReview();
		const menu = await walk.press(first, 'Edit');
		const select = menu.message?.controls[0];
		expect(select?.options.map(({ label }) => label)[0]).toMatch(/^Round \d: as soon as can be/);
		const opened = await rig.control.select({
			as: 'alex',
			message: menu.message?.id ?? '',
			select: select?.customId ?? '',
			values: [select?.options[0]?.value ?? ''],
		});
		expect(opened.state).toBe('modal');
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: opened.id,
			fields: { free: 'only computers' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(sent.message?.text).toContain('Changed');
		await walk.card('An earlier version');
		const second = await walk.card('Your requirements');
		expect(second.id).not.toBe(first.id);
		expect(second.allText).not.toContain('Platform: phone');
		expect(rig.intake.only().recompiled).toBe(1);
	});

	test('INT-18 what is written under the result is taken in before it can be locked', async () => {
		await begin({ intake: { settings: { quietMs: 60_000 } } });
		await toReview();
		await walk.say('and plates, please');
		const writing = await walk.card('1 message(s) collected');
		expect(writing.controls.map(({ label }) => label)).toEqual(['Send', 'Edit', 'Discard']);
		await walk.press(writing, 'Send');
		await eventually(() => rig.intake.only().recompiled === 1 && rig.intake.only().state === 'REVIEW');
	});

	test('INT-18 Discard asks once more, then nothing is handed over', async () => {
		await begin();
		const asked = await walk.press(await toReview(), 'Discard');
		expect(asked.message?.text).toContain('cannot be taken back');
		expect(rig.intake.only().state).toBe('REVIEW');
		await rig.control.button({
			as: 'alex',
			message: asked.message?.id ?? '',
			button: 'Yes, discard',
			until: 'complete',
			timeoutMs: 10_000,
		});
		await walk.card('Cancelled');
		expect(rig.intake.packets).toEqual([]);
	});

	test('INT-18 a review that nobody touches locks itself', async () => {
		await begin({ intake: { settings: { reviewTimeoutMs: 60_000 } } });
		const review = await toReview();
		expect(review.allText).toMatch(/Locks itself/);
		const session = rig.intake.only();
		rig.intake.sessions.set(session.id, { ...session, autoLockAt: Date.now() - 1 });
		rig.intake.apply(session.id, { kind: 'tick' });
		await walk.card('Handed over');
		expect(rig.intake.packets[0]?.body).toMatchObject({ trigger: 'forced', cause: 'auto_lock' });
	});

	test('INT-10 INT-26 E13 a refusal names the article and what to do; the review stays open', async () => {
		const finding = {
			article: 'no_card_numbers',
			severity: 'deny' as const,
			reason: 'A card number was said.',
			origin: 'policy' as const,
		};
		await begin({ intake: { govern: () => ({ outcome: 'deny', findings: [finding] }) } });
		await walk.press(await toReview(), 'Lock and send');
		const error = await walk.card('E13');
		expect(error.embeds[0]?.footer?.text).toBe('E13');
		expect(error.allText).toMatch(/no_card_numbers[\s\S]*nothing was sent[\s\S]*lock again, or cancel/);
		const review = await walk.card('not allowed, nothing was sent');
		expect(review.allText).toContain('A card number was said.');
		expect(review.controls.map(({ label }) => label)).toContain('Lock and send');
		expect(rig.intake.packets).toEqual([]);
	});

	test('INT-16 D03 words of people and models ping nobody, on any card, edit, notice or file', async () => {
		const bomb = '@everyone @here <@&900000000000000001> <@900000000000000002>';
		await begin({
			intake: {
				think: (_, call) =>
					call.purpose === 'ask'
						? `D1: Who is ${bomb} there? [${bomb} | b]\n${ASK}`
						: FINAL.replace('A shop', `A shop ${bomb}`),
			},
		});
		await walk.say(`mugs ${bomb}`);
		await walk.press(await walk.card('Questions 2 of at most 3'), 'Finish now');
		await walk.press(await walk.card('Your requirements'), 'Lock and send');
		await walk.card('Handed over');
		const all = await rig.control.messages({ author: 'Majordomo' });
		expect(all.flatMap(({ pings }) => pings)).toEqual([]);
		const sends = await rig.control.requests({ limit: 500 });
		const bodies = sends.filter(
			({ method, route }) => ['POST', 'PATCH'].includes(method) && /messages|callback|webhooks/.test(route),
		);
		expect(bodies.length).toBeGreaterThan(10);
		for (const { body, route, method } of bodies) {
			const data = (body as { data?: object }).data ?? (body as object);
			const isShown = 'content' in data || 'embeds' in data;
			if (isShown) expect(data, `${method} ${route}`).toMatchObject({ allowed_mentions: { parse: [] } });
		}
	});
});
