import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { ALEX, type CardRig, openCardRig, SCHEMA } from './card-rig.ts';

let redis: TestRedis;
let rig: CardRig;
beforeAll(async () => {
	redis = await startTestRedis();
	rig = await openCardRig(redis);
});
afterAll(async () => {
	await rig.close();
	await redis.stop();
});

const labels = (message: { controls: { label: string | null }[] }) => message.controls.map(({ label }) => label);

describe('a card of a question', () => {
	test('FLT-13 mentions the owner once, shows question, context and choices, and brings a press to the reporter', async () => {
		const asked = await rig.ask('api-fix', SCHEMA);
		const card = await rig.card('api-fix asks', 'Which schema should I use?');
		expect(card.text).toBe(`<@${ALEX}>`);
		expect(card.pings).toEqual(['alex']);
		expect(card.allText).toContain('migrations/0042 drops a column');
		expect(labels(card)).toEqual(['v1 (keep)', 'v2 (migrate)', 'Open thread', 'Mute']);

		const pressed = await rig.press(card, 'v2 (migrate)');
		expect(pressed.message?.onlyFor).toBe('alex');
		expect(pressed.message?.text).toContain('On its way to api-fix: "v2 (migrate)"');
		const sending = await rig.card('Alex answered', '"v2 (migrate)"', 'sending…');
		expect(sending.id).toBe(card.id);
		expect(labels(sending)).toEqual(['Open thread']);

		const [item] = await rig.bench.inbox(asked.sessionId);
		expect(item).toMatchObject({ kind: 'answer', ref: 'ask-1', from: { role: 'person', whoId: ALEX, who: 'Alex' } });
		expect(item?.answer).toEqual({ values: ['v2'] });
		await rig.bench.post(`/fleet/sessions/${asked.sessionId}/ack`, { seq: item?.seq });
		const done = await rig.card('api-fix asks', 'Alex answered', '✓ delivered');
		expect(done.id).toBe(card.id);
		expect(done.pings).toEqual(['alex']);
		expect(await rig.cards('api-fix asks')).toHaveLength(1);
	});

	test('FLT-13 many choices are a menu, several may be taken, and words go by a form as they are written', async () => {
		const choices = Array.from({ length: 12 }, (_, index) => ({ label: `file ${index + 1}`, value: `f${index + 1}` }));
		const asked = await rig.ask('picker', { kind: 'choice', text: 'Which files?', choices, multi: true });
		const card = await rig.card('picker asks', 'Which files?');
		const chosen = await rig.control.select({
			as: 'alex',
			message: card.id,
			select: 'Choose one or several',
			values: ['file 2', 'file 11'],
			until: 'complete',
			timeoutMs: 15_000,
		});
		expect(chosen.message?.text).toContain('"file 2", "file 11"');
		expect((await rig.question(asked)).answer).toEqual({ values: ['f2', 'f11'] });

		const free = await rig.ask('namer', { kind: 'text', text: 'What should it be called?' });
		const open = await rig.card('namer asks');
		const form = await rig.control.button({ as: 'alex', message: open.id, button: 'Reply…' });
		expect(form.modal).toMatchObject({ title: 'To namer' });
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: form.id,
			fields: { words: 'call it **Bob**\nsecond line' },
			until: 'complete',
			timeoutMs: 15_000,
		});
		expect(sent.message?.text).toContain('On its way to namer');
		expect((await rig.question(free)).answer).toEqual({ values: [], text: 'call it **Bob**\nsecond line' });
	});

	test('FLT-13 words that come too late are given back to whoever wrote them', async () => {
		const asked = await rig.ask('slowhand', { kind: 'text', text: 'Which port?' });
		const card = await rig.card('slowhand asks');
		const form = await rig.control.button({ as: 'alex', message: card.id, button: 'Reply…' });
		await rig.bench.desks.questionDesk.answerInWords(asked.questionId, '8080', { who: 'Ria', whoId: '1' });
		const late = await rig.control.modal({
			as: 'alex',
			interaction: form.id,
			fields: { words: 'take 9090' },
			until: 'complete',
			timeoutMs: 15_000,
		});
		expect(late.message?.text).toMatch(/^Ria answered <t:\d+:R>: "8080"\. Nothing further was sent\./);
		expect(late.message?.text).toContain('take 9090');
		expect((await rig.question(asked)).answer?.text).toBe('8080');
	});

	test('FLT-13 of two people who press at the same time one wins and the other is told', async () => {
		const asked = await rig.ask('racer', SCHEMA);
		await rig.control.memberRoles({ who: 'sam', roles: ['Admin'] });
		const card = await rig.card('racer asks');
		const both = await Promise.all([rig.press(card, 'v1 (keep)', 'alex'), rig.press(card, 'v2 (migrate)', 'sam')]);
		const texts = both.map(({ message }) => message?.text ?? '');
		expect(texts.filter((text) => text.startsWith('On its way to racer'))).toHaveLength(1);
		expect(
			texts.filter((text) => /^(Alex|Sam) answered <t:\d+:R>: .* Nothing further was sent/.test(text)),
		).toHaveLength(1);
		await eventually(async () => (await rig.bench.inbox(asked.sessionId)).length === 1);
		await rig.control.memberRoles({ who: 'sam', roles: ['Resident'] });
	});

	test('FLT-17 a press of somebody without a right to it changes nothing', async () => {
		const asked = await rig.ask('guarded', SCHEMA);
		const card = await rig.card('guarded asks');
		const pressed = await rig.press(card, 'v1 (keep)', 'casey');
		expect(pressed.message?.text).toContain('Nothing was changed');
		const muted = await rig.press(card, 'Mute', 'casey');
		expect(muted.message?.text).toContain('Nothing was changed');
		expect((await rig.question(asked)).state).toBe('open');
	});

	test('FLT-13 a card closes visibly when the session moves on, and a late press says what happened', async () => {
		const asked = await rig.ask('mover', SCHEMA);
		const card = await rig.card('mover asks');
		// The press is made on the card as it was: Discord shows it a moment longer than it is true.
		await rig.control.restFault({
			method: 'PATCH',
			path: `/messages/${card.id}`,
			kind: 'latency',
			delayMs: 1_500,
			times: 1,
		});
		await rig.say('mover', 'idle');
		const late = await rig.press(card, 'v1 (keep)');
		expect(late.message?.text).toContain('moved on without an answer');
		expect(late.message?.text).toContain('Nothing was sent');
		const closed = await rig.card('mover asks', 'the session moved on without an answer');
		expect(closed.id).toBe(card.id);
		expect(labels(closed)).toEqual(['Open thread']);
		expect((await rig.question(asked)).state).toBe('closed');
	});

	test('FLT-13 an answer that does not arrive is shown as failed and can be sent again', async () => {
		const asked = await rig.ask('lostone', SCHEMA);
		const card = await rig.card('lostone asks');
		await rig.say('lostone', 'ended');
		const lost = await rig.card('lostone asks', "the session's process ended before anybody answered");
		expect(lost.id).toBe(card.id);

		// A full inbox takes no answer; later it does.
		const second = await rig.ask('fullbox', SCHEMA);
		const open = await rig.card('fullbox asks');
		const question = await rig.question(second);
		const by = { who: 'Alex', whoId: ALEX };
		await rig.bench.stores.questions.save(
			{
				...question,
				state: 'answered',
				settledAt: Date.now(),
				answeredBy: by,
				answer: { values: ['v2'] },
				delivery: 'failed',
				deliveryError: 'too many messages wait for the session',
				revision: question.revision + 1,
			},
			[],
		);
		const failed = await rig.card('fullbox asks', '✗ not delivered: too many messages wait for the session');
		expect(failed.id).toBe(open.id);
		expect(labels(failed)).toEqual(['Retry', 'Open thread']);
		const retried = await rig.press(failed, 'Retry');
		expect(retried.message?.text).toContain('On its way to fullbox again');
		await eventually(async () => (await rig.bench.inbox(second.sessionId)).length === 1);
		expect((await rig.question(asked)).state).toBe('lost');
	});

	test('FLT-13 FLT-17 D03 words of a session mention nobody and are no mark-up', async () => {
		await rig.ask('loud', {
			kind: 'choice',
			text: `@everyone @here <@${ALEX}> **bold** [free money](https://evil.example) # big`,
			context: '```\n@everyone <@&900000000000000001>',
			choices: [{ label: '@everyone' }, { label: '**yes**' }],
		});
		const card = await rig.card('loud asks');
		expect(card.pings).toEqual(['alex']);
		const body = String(card.embeds[0]?.description);
		expect(body).toContain('\\*\\*bold\\*\\*');
		expect(body).toContain('\\[free money\\]');
		expect(body).not.toContain(`<@${ALEX}>`);
		const pressed = await rig.press(card, '@everyone');
		expect(pressed.message?.pings).toEqual([]);
		const done = await rig.card('loud asks', 'Alex answered');
		expect(done.pings).toEqual(['alex']);
		const bodies = await rig.control.requests({ path: '/messages', contains: 'loud asks' });
		const sent = bodies.map(({ body: one }) => (one as { allowed_mentions?: object }).allowed_mentions);
		expect(sent.every((allowed) => allowed !== undefined)).toBe(true);
	});

	test('FLT-20 a failed run has a card too: words to the session, dismissed once, over when it goes on', async () => {
		const begun = await rig.say('breaker', 'started');
		await rig.say('breaker', 'failed', { reason: 'out of tokens' });
		const card = await rig.card('breaker failed', 'out of tokens');
		expect(card.pings).toEqual(['alex']);
		expect(labels(card)).toEqual(['Reply…', 'Open thread', 'Mute', 'Dismiss']);
		const form = await rig.control.button({ as: 'alex', message: card.id, button: 'Reply…' });
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: form.id,
			fields: { words: 'try again' },
			until: 'complete',
			timeoutMs: 15_000,
		});
		expect(sent.message?.text).toContain('To breaker: queued');
		await eventually(async () => (await rig.bench.inbox(begun.id))[0]?.text === 'try again');
		const dismissed = await rig.press(card, 'Dismiss');
		expect(dismissed.message?.text).toContain('Dismissed');
		const after = await rig.card('breaker failed', 'Alex dismissed it');
		expect(after.id).toBe(card.id);
		expect(labels(after)).toEqual(['Open thread']);

		await rig.say('breaker', 'working');
		await rig.say('breaker', 'failed', { reason: 'out of luck' });
		await rig.card('breaker failed', 'out of luck');
		await rig.say('breaker', 'working');
		await rig.card('breaker failed', 'out of luck', 'the session went on');
	});
});
