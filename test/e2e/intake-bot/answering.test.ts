import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { type IntakeRig, openIntakeRig } from './rig.ts';
import type { Walk } from './walk.ts';

let rig: IntakeRig;
let walk: Walk;
const begin = async (...options: Parameters<typeof openIntakeRig>) => {
	rig = await openIntakeRig(...options);
	walk = await rig.begin();
	return walk.card('Questions 1 of at most 3');
};
afterEach(() => rig.close());

const kinds = () => rig.intake.events.map(({ event }) => event.kind);
const answers = () => rig.intake.only().history.filter(({ kind }) => kind === 'answer');

describe('answering an intake', () => {
	test('INT-16 the form has a group a question and one free field; what is sent stands on the card', async () => {
		const card = await begin();
		const opened = await rig.control.button({ as: 'alex', message: card.id, button: 'Answer' });
		const { components: labels } = opened.modal as { components: { component: { type: number; custom_id: string } }[] };
		expect(labels.map(({ component }) => [component.type, component.custom_id])).toEqual([
			[22, 'q1.1'],
			[21, 'q1.2'],
			[4, 'q1.3'],
			[4, 'free'],
		]);
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: opened.id,
			fields: { 'q1.1': ['o1', 'o3'], 'q1.2': 'phone', 'q1.3': 'in my cellar', free: 'for winter' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(sent.message?.onlyFor).toBe('alex');
		await walk.card('Questions 2 of at most 3');
		const [answer] = answers();
		expect(answer?.choices).toEqual([
			{ questionId: 'q1.1', labels: ['mugs', 'bowls'], text: '' },
			{ questionId: 'q1.2', labels: ['phone'], text: '' },
			{ questionId: 'q1.3', labels: [], text: 'in my cellar' },
		]);
		expect(answer?.parts.map(({ text }) => text)).toEqual(['for winter']);
		await eventually(async () => {
			const [first] = (await walk.cards()).filter(({ allText }) => allText.includes('Questions 1 of'));
			return (
				first?.allText.includes('mugs, bowls') === true && first.controls.every(({ label }) => label === 'Edit answers')
			);
		});
	});

	test('OPS-12 all cards of a thread together are edited at most once a second, and end up as things are', async () => {
		const { channelId } = await begin({ intake: { settings: { quietMs: 60_000 } } });
		for (let index = 1; index <= 6; index += 1) await walk.say(`part ${index}`);
		await walk.press(await walk.card('6 message(s) collected'), 'Send');
		const next = await walk.card('Questions 2 of at most 3');
		await walk.press(next, 'Skip round');
		await eventually(async () => {
			const older = (await walk.cards()).filter(({ allText }) => /Questions [12] of/.test(allText));
			return (
				older.length === 2 && older.every(({ controls }) => controls.every(({ label }) => label === 'Edit answers'))
			);
		}, 20_000);
		const edits = (await rig.control.requests({ route: 'PATCH /channels/:id/messages/:id' })).filter(({ path }) =>
			path.startsWith(`/channels/${channelId}/`),
		);
		expect(new Set(edits.map(({ path }) => path)).size).toBeGreaterThan(1);
		for (const [index, { atMs }] of edits.entries())
			if (index > 0) expect(atMs - (edits[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(950);
	});

	test('INT-17 several messages in a row are one answer; Send does not wait for the quiet', async () => {
		await begin({ intake: { settings: { quietMs: 60_000 } } });
		await walk.say('mugs first');
		await walk.say('on a phone');
		await eventually(() => rig.intake.only().pending?.parts.length === 2);
		const card = await walk.card('2 message(s) collected');
		await walk.press(card, 'Send');
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first\non a phone']);
	});

	test('INT-17 without Send the quiet period ends the answer', async () => {
		await begin();
		await walk.say('mugs first');
		await walk.say('on a phone');
		await walk.card('Questions 2 of at most 3');
		expect(answers()).toHaveLength(1);
	});

	test('INT-17 D05 an edit before the call replaces, a preview is no edit, a late edit is pointed out once', async () => {
		await begin({ intake: { settings: { quietMs: 1_500 } } });
		const waiting = await walk.say('MySQL');
		await eventually(() => rig.intake.only().pending !== undefined);
		// Pinning updates a message as a link preview does: without an edit.
		await rig.control.pin({ as: 'alex', message: waiting.id });
		await rig.control.edit({ as: 'alex', message: waiting.id, text: 'Postgres, not MySQL' });
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['Postgres, not MySQL']);
		const rounds = rig.intake.only().roundCount;
		await rig.control.edit({ as: 'alex', message: waiting.id, text: 'no database at all' });
		await walk.card('You changed this message after I had used it');
		await rig.control.edit({ as: 'alex', message: waiting.id, text: 'really none' });
		await eventually(() => kinds().filter((kind) => kind === 'message_edited').length === 3);
		await new Promise((resolve) => setTimeout(resolve, 300));
		const told = (await walk.cards()).filter(({ allText }) => allText.includes('after I had used it'));
		expect(told).toHaveLength(1);
		expect(rig.intake.only().roundCount).toBe(rounds);
		expect(answers().map(({ content }) => content)).toEqual(['Postgres, not MySQL']);
	});

	test('INT-16 D04 only the requester and who was invited count: one round, one call', async () => {
		await begin({ house: { discord: { bots: [{ name: 'Majordomo' }, { name: 'Other' }] } } });
		await rig.control.threadMember({ thread: walk.threadId, who: 'sam', member: true });
		await rig.control.message({ as: 'sam', channel: walk.threadId, text: 'just use Rust' });
		const pressed = await rig.control.button({
			as: 'sam',
			message: (await walk.card('Questions 1 of')).id,
			button: 'Skip round',
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(pressed.message?.text).toContain('not yours');
		const form = await rig.control.button({
			as: 'sam',
			message: (await walk.card('Questions 1 of')).id,
			button: 'Answer',
		});
		expect(form.state).toBe('replied');
		expect(form.message?.onlyFor).toBe('sam');
		await walk.say('Web and Android.');
		await walk.card('Questions 2 of at most 3');
		expect(kinds().filter((kind) => kind === 'message')).toHaveLength(1);
		expect(rig.intake.only().roundCount).toBe(2);
		await rig.control.command({
			as: 'alex',
			channel: walk.threadId,
			command: 'intake invite',
			options: { person: 'sam' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		await walk.card('Somebody more may answer');
		await rig.control.message({ as: 'sam', channel: walk.threadId, text: 'in my cellar, please' });
		await walk.card('Questions 3 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['Web and Android.', 'in my cellar, please']);
	});

	test('INT-17 D07 a text file is an answer; a picture, a big file and a sticker are declined in a sentence', async () => {
		await begin({ intake: { settings: { maxAttachmentBytes: 1_024 } } });
		const say = (attachments: { name: string; text?: string; base64?: string; contentType?: string }[]) =>
			rig.control.message({ as: 'alex', channel: walk.threadId, attachments });
		await say([{ name: 'sketch.png', base64: 'aGk=', contentType: 'image/png' }]);
		expect((await walk.card('sketch.png')).allText).toMatch(/text files of up to 1 KiB.*no round was used/s);
		await say([{ name: 'long.md', text: 'x'.repeat(2_000), contentType: 'text/markdown' }]);
		await walk.card('`long.md` was not read (too big)');
		expect(kinds()).not.toContain('message');
		expect(rig.intake.only().roundCount).toBe(1);
		await say([{ name: 'brief.md', text: '# Mugs\nblue ones', contentType: 'text/markdown; charset=utf-8' }]);
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['# Mugs\nblue ones']);
	});

	test('INT-16 D07 without the message-content intent replies, mentions and forms still work, and it is said once', async () => {
		await begin({ house: { settings: { discord: { messageContent: false } } } });
		await walk.say('nobody hears this');
		await walk.say('nor this');
		await walk.card('cannot read plain messages here');
		const card = await walk.card('Questions 1 of');
		expect(card.allText).toContain('reply');
		await rig.control.message({ as: 'alex', channel: walk.threadId, text: 'mugs first', replyTo: card.id, ping: true });
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
		expect((await walk.cards()).filter(({ allText }) => allText.includes('cannot read plain'))).toHaveLength(1);
	});

	test('INT-16 Skip round and Finish now, the latter only after round one', async () => {
		const first = await begin();
		expect(first.controls.map(({ label }) => label)).not.toContain('Finish now');
		const skipped = await walk.press(first, 'Skip round');
		expect(skipped.message?.text).toContain('skipped');
		const second = await walk.card('Questions 2 of at most 3');
		expect(second.controls.map(({ label }) => label)).toContain('Finish now');
		await walk.press(second, 'Finish now');
		const review = await walk.card('Your requirements');
		expect(review.allText).toContain('without the model');
	});

	test('INT-14 with the store away an answer is not lost: it is said with code and reason, and read again', async () => {
		await begin();
		rig.intake.setAway('redis');
		await walk.say('mugs first');
		const told = await walk.card('assistant_unavailable');
		expect(told.embeds[0]?.footer?.text).toBe('assistant_unavailable · reason=redis · kept=false');
		expect(told.text).toContain('read it again by myself');
		const card = await walk.card('Questions 1 of');
		const form = await rig.control.button({ as: 'alex', message: card.id, button: 'Answer' });
		expect(form.state, 'the form is known from before').toBe('modal');
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: form.id,
			fields: { free: 'precious words' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(sent.message?.text).toContain('precious words');
		rig.intake.setAway(undefined);
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
	});

	test('INT-14 a model that cannot be reached is shown with code and reason, on the card too, and it goes on by itself', async () => {
		let isAway = false;
		await begin({
			intake: {
				settings: { model: { retryAfterMs: 1_000 } },
				think: (_, call) => {
					if (isAway) throw new Error('refused');
					return call.purpose === 'ask' ? `D${(Date.now() % 7) + 1}: What is number ${Date.now()}?` : 'nothing';
				},
			},
		});
		isAway = true;
		await walk.say('mugs first');
		const told = await walk.card('The assistant cannot be reached');
		expect(told.embeds[0]?.footer?.text).toBe('assistant_unavailable · reason=model · kept=true · E09');
		await walk.card('Nobody’s for now'.replace('’', "'"));
		expect(rig.intake.only().roundCount).toBe(1);
		isAway = false;
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
	});
});
