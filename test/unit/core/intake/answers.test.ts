import { describe, expect, test } from 'vitest';
import { wakeAt } from '../../../../core/intake/wake.ts';
import { ALEX, compiled, drive, MORE_QUESTIONS, QUESTIONS, SETTINGS, START, WISH } from './intake-driver.ts';

const asked = () => drive().say(WISH).reply(QUESTIONS);
const piece = (id: string, text: string) => ({ kind: 'message', id, author: ALEX, text, whole: false }) as const;

describe('several messages, one answer', () => {
	test('INT-17 messages in a row wait for the quiet period and are one answer', () => {
		const driver = asked().do(piece('a', 'Two admins.'));
		driver.now += 4_000;
		driver.do(piece('b', 'Budget is 5000 EUR.'));
		expect(wakeAt(driver.session, SETTINGS)).toBe(START + 4_000 + SETTINGS.quietMs);
		driver.wait(4_000);
		expect(driver.session.state).toBe('QUESTIONING');
		driver.wait(2_000);
		expect(driver.session).toMatchObject({ state: 'RESPONSE_RECEIVED', roundCount: 2, pending: undefined });
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.\nBudget is 5000 EUR.');
		expect(driver.session.history.at(-1)?.parts.map(({ messageId }) => messageId)).toEqual(['a', 'b']);
	});

	test('INT-17 Send does not wait', () => {
		expect(asked().do(piece('a', 'Two admins.')).press('send_now').session.state).toBe('RESPONSE_RECEIVED');
		expect(asked().press('send_now').notices()).toEqual(['nothing_to_do']);
	});

	test('INT-17 D05 an edit before the call replaces, once; a later one is pointed out once and changes nothing', () => {
		const driver = asked().do(piece('a', 'MySQL'));
		driver.do({ kind: 'message_edited', id: 'a', author: ALEX, text: 'Postgres, not MySQL' });
		const waiting = driver.session;
		driver.do({ kind: 'message_edited', id: 'a', author: ALEX, text: 'Postgres, not MySQL' });
		expect(driver.session).toBe(waiting);
		driver.press('send_now');
		expect(driver.session.history.at(-1)?.content).toBe('Postgres, not MySQL');
		const { history, roundCount } = driver.session;
		driver.do({ kind: 'message_edited', id: 'a', author: ALEX, text: 'no database' });
		expect(driver.notices()).toEqual(['edit_too_late']);
		driver.do({ kind: 'message_edited', id: 'a', author: ALEX, text: 'no database at all' });
		expect(driver.notices()).toEqual([]);
		expect(driver.session).toMatchObject({ history, roundCount });
	});

	test('D05 an update of a message nobody knows, or without change, is nothing', () => {
		const driver = asked();
		const before = driver.session;
		driver.do({ kind: 'message_edited', id: 'm_old', author: ALEX, text: 'x' });
		driver.do({ kind: 'message_edited', id: 'm1', author: ALEX, text: WISH });
		expect(driver.session).toBe(before);
	});

	test('INT-17 a message deleted before the call is no part of the answer', () => {
		const driver = asked().do(piece('a', 'Two admins.')).do(piece('b', 'oops'));
		driver.do({ kind: 'message_deleted', messageId: 'b' }).press('send_now');
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.');
	});

	test('INT-17 INT-19 text that comes while the model works is kept and joins the next answer', () => {
		const driver = asked().say('Two admins.').do(piece('late', 'and a courier'));
		expect(driver.notices()).toEqual(['held_over']);
		driver.reply(MORE_QUESTIONS).say('Name and address.');
		expect(driver.session.history.at(-1)?.content).toBe('and a courier\nName and address.');
		expect(driver.session.roundCount).toBe(3);
	});

	test('INT-19 text that comes while compiling is in the packet, though too late for a fact', () => {
		const driver = asked().say('Two admins.').press('finish_now').do(piece('late', 'and gift cards'));
		driver.reply('TASK_SUMMARY: A shop.\nPROLOG_FACTS: has_feature(inventory).');
		expect(driver.session.history.at(-1)).toMatchObject({ kind: 'late', content: 'and gift cards' });
		expect(driver.notices()).toContain('came_late');
	});
});

describe('who may speak', () => {
	test('D04 only the requester counts: echoes, bots, hooks and others cause no call and no word', () => {
		const driver = asked();
		const before = driver.session;
		for (const author of [
			{ id: 'B1', bot: true },
			{ id: 'u1', bot: true },
			{ id: 'u2', bot: false },
		])
			driver.do({ kind: 'message', id: `x${author.id}${author.bot}`, author, text: 'just use Rust', whole: true });
		expect(driver.session).toBe(before);
		expect(driver.last).toEqual([]);
		driver.say('Web and Android.');
		expect(driver.session.roundCount).toBe(2);
		expect(driver.lastOf('call_model')).toHaveLength(1);
	});

	test('INT-16 an invited co-owner counts; only the requester invites', () => {
		const driver = asked();
		const sam = { id: 'u2', bot: false };
		driver.do({ kind: 'invite', id: 'i1', author: ALEX, personId: 'u2' });
		driver.do({ kind: 'invite', id: 'i2', author: sam, personId: 'u3' });
		expect(driver.session.coOwnerIds).toEqual(['u2']);
		driver.do({ kind: 'message', id: 'x', author: sam, text: 'Two admins.', whole: true });
		expect(driver.session.state).toBe('RESPONSE_RECEIVED');
	});
});

describe('doubles and bad text', () => {
	test('INT-15 a message delivered twice makes one call, one round, one reply', () => {
		const driver = asked();
		const event = { kind: 'message', id: 'dup', author: ALEX, text: 'Two admins.', whole: true } as const;
		driver.do(event);
		const after = driver.session;
		driver.do(event);
		expect(driver.session).toBe(after);
		expect(driver.all('call_model')).toHaveLength(2);
		const call = driver.session.call?.id ?? '';
		driver.do({ kind: 'model_reply', callId: call, text: MORE_QUESTIONS });
		const answered = driver.session;
		driver.do({ kind: 'model_reply', callId: call, text: MORE_QUESTIONS });
		expect(driver.session).toBe(answered);
		expect(driver.all('ask')).toHaveLength(2);
	});

	test('D07 E05 an empty text uses no round and calls nobody', () => {
		const driver = asked().say(' \u200b\n ');
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E05' }]);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 1 });
		expect(drive().say('').lastOf('error')).toMatchObject([{ code: 'E05' }]);
	});

	test('INT-26 E06 a text that is too long is not taken, and all before stays', () => {
		const driver = asked().say('x'.repeat(SETTINGS.maxTextChars + 1));
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E06' }]);
		expect(driver.session.history).toHaveLength(2);
	});
});

describe('forms', () => {
	const withChoices = () =>
		drive().say(WISH).reply('D2: Where will people use it? [phone | computer]\nD7: What is the budget?');
	const form = (setId: string, entries: { questionId: string; values: string[]; text: string }[], text = '') =>
		({ kind: 'form', id: `f${setId}${entries.length}${text}`, author: ALEX, setId, entries, text }) as const;

	test('INT-16 INT-12 a form is one answer; choices are named, and each dimension gets its state', () => {
		const driver = withChoices().do(
			form('r1', [
				{ questionId: 'q1.1', values: ['o1'], text: '' },
				{ questionId: 'q1.2', values: [], text: 'not sure' },
			]),
		);
		expect(driver.session.history.at(-1)).toMatchObject({ kind: 'answer', content: 'phone\nnot sure' });
		expect(driver.session.dimensions).toMatchObject({ D2: 'answered', D7: 'deferred', D1: 'open' });
	});

	test('INT-12 "decide later" puts its dimension off', () => {
		const driver = withChoices().do(form('r1', [{ questionId: 'q1.1', values: ['later'], text: '' }]));
		expect(driver.session.dimensions).toMatchObject({ D2: 'deferred', D7: 'deferred' });
	});

	test('INT-16 a form of an older round, with unknown questions or empty, changes no round', () => {
		const stale = withChoices().do(form('r0', [{ questionId: 'q1.1', values: ['o1'], text: '' }]));
		expect(stale.notices()).toEqual(['stale_form']);
		const empty = withChoices().do(form('r1', [{ questionId: 'q9.9', values: ['o1'], text: '' }]));
		expect(empty.lastOf('error')).toMatchObject([{ code: 'E05' }]);
		expect([stale.session.roundCount, empty.session.roundCount]).toEqual([1, 1]);
	});

	test('INT-17 text that waits and the form sent after it are one answer', () => {
		const driver = withChoices()
			.do(piece('a', 'On the road mostly.'))
			.do(form('r1', [{ questionId: 'q1.1', values: ['o1'], text: '' }]));
		expect(driver.session.history.at(-1)?.content).toBe('On the road mostly.\nphone');
		expect(driver.session.roundCount).toBe(2);
	});
});

describe('skip, finish, edit', () => {
	test('INT-16 a skipped round counts, and what it asked is put off', () => {
		const driver = asked().press('skip_round');
		expect(driver.session).toMatchObject({ state: 'RESPONSE_RECEIVED', roundCount: 2 });
		expect(driver.session.dimensions).toMatchObject({ D1: 'deferred', D7: 'deferred', D2: 'open' });
	});

	test('INT-5 three skipped rounds end in a compilation', () => {
		const driver = asked()
			.press('skip_round')
			.reply(MORE_QUESTIONS)
			.press('skip_round')
			.reply('D6: Where should it run?')
			.press('skip_round');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 4 });
	});

	test('INT-16 INT-4 finishing is possible only after one round', () => {
		const driver = asked().press('finish_now');
		expect(driver.notices()).toEqual(['finish_too_early']);
		driver.say('Two admins.').reply(MORE_QUESTIONS).press('finish_now');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 3 });
		driver.reply('TASK_SUMMARY: A shop.\nPROLOG_FACTS: has_feature(inventory).');
		expect(driver.session.finalization).toMatchObject({ trigger: 'forced', cause: 'finish_now' });
		expect(driver.session.dimensions.D3).toBe('deferred');
	});

	test('INT-16 finishing while an answer waits takes the answer along', () => {
		const driver = asked().do(piece('a', 'Two admins.')).press('finish_now');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 2 });
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.');
	});

	test('INT-16 an earlier answer can be edited while questions are open; the intent cannot', () => {
		const driver = asked().say('Two admins.').reply(MORE_QUESTIONS);
		driver.do({ kind: 'edit_answer', id: 'e1', author: ALEX, turnId: 't3', text: 'Three admins.' });
		expect(driver.session.history[2]).toMatchObject({ content: 'Three admins.', editedAt: START });
		expect(driver.session.roundCount).toBe(2);
		driver.do({ kind: 'edit_answer', id: 'e2', author: ALEX, turnId: 't1', text: 'A casino.' });
		expect(driver.notices()).toEqual(['no_more_edits']);
		expect(driver.session.originalIntent).toBe(WISH);
	});

	test('INT-16 an edit in the review drops the facts that rested on it, and the result is compiled again', () => {
		const driver = compiled();
		driver.do({ kind: 'edit_answer', id: 'e1', author: ALEX, turnId: 't3', text: 'Only I manage it.' });
		expect(driver.session.facts.map(({ text }) => text)).toEqual(['has_feature(inventory).']);
		expect(driver.session.prologFacts).toBe('has_feature(inventory).\n');
		expect(driver.session.excluded).toContainEqual({ text: 'user_role(admin,2).', reason: 'answer_edited' });
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 2 });
		driver.reply('TASK_SUMMARY: A shop.\nPROLOG_FACTS:\nhas_feature(inventory).\nuser_role(admin, 2).');
		expect(driver.session.state).toBe('REVIEW');
		expect(driver.session.facts.map(({ text }) => text)).toEqual(['has_feature(inventory).']);
		expect(driver.all('ask')).toHaveLength(1);
	});

	test('INT-16 an edit while the model thinks makes the call anew, with what is true now', () => {
		const driver = asked().say('Two admins.');
		const old = driver.session.call?.id ?? '';
		driver.do({ kind: 'edit_answer', id: 'e1', author: ALEX, turnId: 't3', text: 'Three admins.' });
		expect(driver.session).toMatchObject({ state: 'RESPONSE_RECEIVED', roundCount: 2 });
		const waiting = driver.session;
		expect(driver.do({ kind: 'model_reply', callId: old, text: MORE_QUESTIONS }).session).toBe(waiting);
		expect(driver.reply(MORE_QUESTIONS).session.roundCount).toBe(2);
	});

	test('INT-16 finishing while the model thinks takes the call back and compiles', () => {
		const driver = asked().say('Two admins.').press('finish_now');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 2, call: { purpose: 'finalize' } });
	});
});
