import { describe, expect, test } from 'vitest';
import type { UnavailableReason } from '../../../../core/intake/session.ts';
import { wakeAt } from '../../../../core/intake/wake.ts';
import {
	ALEX,
	compiled,
	type Driver,
	drive,
	FINAL,
	MORE_QUESTIONS,
	QUESTIONS,
	SETTINGS,
	WISH,
} from './intake-driver.ts';

const asked = () => drive().say(WISH).reply(QUESTIONS);

function fail(driver: Driver, reason: UnavailableReason = 'model', transient = false): Driver {
	return driver.do({ kind: 'model_failed', callId: driver.session.call?.id ?? '', reason, transient });
}

describe('assistant unavailable', () => {
	test.each([
		['model', 'E09'],
		['worker', 'E09'],
		['redis', 'E09'],
		['timeout', 'E08'],
		['paused', 'E09'],
		['limit', 'E09'],
	] as const)(
		'INT-14 FR-013 INT-26 %s: an explicit answer, the text kept, the round not used (%s)',
		(reason, error) => {
			const driver = fail(asked().say('Two admins.'), reason);
			expect(driver.lastOf('unavailable')).toMatchObject([{ code: 'assistant_unavailable', reason, error }]);
			expect(driver.session).toMatchObject({ state: 'SUSPENDED', roundCount: 1, lastError: { code: error } });
			expect(driver.session.history.at(-1)?.content).toBe('Two admins.');
			expect(driver.all('ask')).toHaveLength(1);
		},
	);

	test('OPS-18 a pause is looked at every few seconds, however long it lasts, and told once', () => {
		const driver = asked().say('Two admins.');
		for (let tries = 0; tries < 12; tries += 1) {
			fail(driver, 'paused');
			expect((driver.session.suspension?.retryAt ?? 0) - driver.now).toBeLessThanOrEqual(5_000);
			driver.wait(5_000).do({ kind: 'tick' });
		}
		expect(driver.all('unavailable')).toHaveLength(1);
		driver.reply(MORE_QUESTIONS);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 2 });
	});

	test('OPS-18 a used-up limit keeps the answer and is told with the time when it opens', () => {
		const driver = asked().say('Two admins.');
		const opensAt = driver.now + 1_800_000;
		const { call } = driver.session;
		driver.do({ kind: 'model_failed', callId: call?.id ?? '', reason: 'limit', transient: false, opensAt });
		expect(driver.lastOf('unavailable')).toMatchObject([{ reason: 'limit', opensAt }]);
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.');
		expect(driver.session.suspension?.retryAt).toBeGreaterThan(driver.now);
	});

	test('INT-14 it goes on by itself: tried again in growing steps, told once, the round taken when the reply comes', () => {
		const driver = fail(asked().say('Two admins.'));
		const { retryAfterMs } = SETTINGS.model;
		expect(wakeAt(driver.session, SETTINGS)).toBe(driver.now + retryAfterMs);
		driver.wait(retryAfterMs - 1);
		expect(driver.session.call).toBeUndefined();
		driver.wait(1);
		expect(driver.session.call?.purpose).toBe('ask');
		fail(driver, 'model', true);
		expect(driver.all('unavailable')).toHaveLength(1);
		expect(wakeAt(driver.session, SETTINGS)).toBe(driver.now + 2 * retryAfterMs);
		driver.wait(2 * retryAfterMs).reply(MORE_QUESTIONS);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 2 });
		expect(driver.session.suspension).toBeUndefined();
		expect(driver.notices()).toEqual(['resumed']);
	});

	test('INT-14 on the very first call the round is not used either', () => {
		const driver = fail(drive().say(WISH));
		expect(driver.session).toMatchObject({ state: 'SUSPENDED', roundCount: 0, originalIntent: WISH });
		driver.do({ kind: 'resume' }).reply(QUESTIONS);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 1 });
	});

	test('INT-14 INT-19 what is written meanwhile belongs to the same answer', () => {
		const driver = fail(asked().say('Two admins.'));
		driver.say('And a courier.').do({ kind: 'resume' });
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.\nAnd a courier.');
		driver.reply(MORE_QUESTIONS);
		expect(driver.session.roundCount).toBe(2);
	});

	test('INT-14 INT-5 at the last round it waits too, and still compiles', () => {
		const driver = asked()
			.say('a b')
			.reply(MORE_QUESTIONS)
			.say('c d')
			.reply('D6: Where should it run?')
			.say('On a server.');
		fail(driver);
		expect(driver.session).toMatchObject({ state: 'SUSPENDED', roundCount: 3 });
		driver.do({ kind: 'resume' }).reply(FINAL);
		expect(driver.session).toMatchObject({ state: 'REVIEW', roundCount: 4 });
		expect(driver.session.finalization?.cause).toBe('round_limit');
	});

	test('INT-14 whoever does not want to wait gets what code can compile, and nothing invented', () => {
		const driver = fail(asked().say('Two admins.')).press('finish_now');
		expect(driver.session).toMatchObject({ state: 'REVIEW', facts: [], roundCount: 2 });
		expect(driver.session.finalization).toMatchObject({ trigger: 'forced', cause: 'finish_now', standIns: ['all'] });
	});
});

describe('model calls', () => {
	test('INT-15 a transient failure is tried once more at once; the second one counts', () => {
		const driver = fail(asked().say('Two admins.'), 'timeout', true);
		expect(driver.session.state).toBe('RESPONSE_RECEIVED');
		expect(driver.lastOf('call_model')).toMatchObject([{ call: { attempt: 2 } }]);
		fail(driver, 'timeout', true);
		expect(driver.session.state).toBe('SUSPENDED');
	});

	test('INT-15 a reply to an older call is too late', () => {
		const driver = asked().say('Two admins.');
		const old = driver.session.call?.id ?? '';
		fail(driver, 'timeout', true);
		const waiting = driver.session;
		driver.do({ kind: 'model_reply', callId: old, text: MORE_QUESTIONS });
		expect(driver.session).toBe(waiting);
	});

	test('INT-15 INT-14 a call whose worker died is noticed by time alone', () => {
		const driver = asked().say('Two admins.');
		const { deadlineAt = 0 } = driver.session.call ?? {};
		expect(wakeAt(driver.session, SETTINGS)).toBe(deadlineAt);
		driver.wait(deadlineAt - driver.now);
		expect(driver.session.call?.attempt).toBe(2);
		driver.wait((driver.session.call?.deadlineAt ?? 0) - driver.now);
		expect(driver.lastOf('unavailable')).toMatchObject([{ reason: 'worker' }]);
	});

	test('INT-26 E10 O03 a reply of nothing but thinking is asked for again, then standing questions go on', () => {
		const driver = drive().say(WISH).reply('<think>They want a shop and I am still');
		expect(driver.session.call?.followUp).toBe('unusable');
		driver.reply('   ');
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E10' }]);
		expect(driver.session.state).toBe('QUESTIONING');
		expect(driver.session.questionSets[0]?.questions.every(({ origin }) => origin === 'bank')).toBe(true);
	});

	test('INT-12 good questions are not lost when the second try for better ones fails', () => {
		const driver = drive().say(WISH).reply("D1: Who manages the stock?\nD2: Wouldn't you rather use React?");
		expect(driver.session.call?.followUp).toBe('lint');
		fail(driver);
		expect(driver.session.questionSets[0]?.questions.map(({ text }) => text)).toEqual(['Who manages the stock?']);
	});
});

describe('thread', () => {
	test('D08 INT-19 locked while the model thinks: nothing is sent, the reply is kept, and it goes on when opened', () => {
		const driver = asked().say('Two admins.').do({ kind: 'suspend', reason: 'thread_locked' });
		expect(driver.session.state).toBe('SUSPENDED');
		driver.reply(MORE_QUESTIONS);
		expect(driver.last).toEqual([]);
		expect(driver.session.roundCount).toBe(2);
		driver.do({ kind: 'resume' });
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 2 });
		expect(driver.lastOf('ask')).toHaveLength(1);
	});

	test('D08 INT-19 locked while an answer waits: the answer is there when it opens', () => {
		const driver = asked().do({ kind: 'message', id: 'a', author: ALEX, text: 'Two admins.', whole: false });
		driver.do({ kind: 'suspend', reason: 'thread_locked' }).wait(60_000);
		expect(driver.session.state).toBe('SUSPENDED');
		driver.do({ kind: 'resume' }).wait(SETTINGS.quietMs);
		expect(driver.session.history.at(-1)?.content).toBe('Two admins.');
	});

	test('INT-14 INT-19 an outage inside a locked thread goes on after both', () => {
		const driver = fail(asked().say('Two admins.')).do({ kind: 'suspend', reason: 'thread_locked' });
		driver.wait(3_600_000);
		expect(driver.session.call).toBeUndefined();
		driver.do({ kind: 'resume' }).reply(MORE_QUESTIONS);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 2 });
	});

	test('INT-14 INT-19 a call that fails inside a locked thread says nothing there, and is made again when it opens', () => {
		const driver = asked().say('Two admins.').do({ kind: 'suspend', reason: 'thread_locked' });
		fail(driver);
		expect(driver.all('unavailable')).toEqual([]);
		expect(driver.session).toMatchObject({ roundCount: 1, suspension: { reason: 'thread_locked' } });
		driver.wait(3_600_000);
		expect(driver.session.call).toBeUndefined();
		driver.do({ kind: 'resume' }).reply(MORE_QUESTIONS);
		expect(driver.session).toMatchObject({ state: 'QUESTIONING', roundCount: 2 });
	});

	test('D08 INT-19 deleted: cancelled, the late reply is nothing, and nobody gets a packet', () => {
		const driver = asked().say('Two admins.');
		const call = driver.session.call?.id ?? '';
		driver.do({ kind: 'cancel', id: 'gone', reason: 'thread_deleted' });
		expect(driver.session).toMatchObject({ state: 'CANCELLED', cancelReason: 'thread_deleted' });
		const ended = driver.session;
		driver.do({ kind: 'model_reply', callId: call, text: FINAL });
		expect(driver.session).toBe(ended);
		expect(driver.all('deliver')).toEqual([]);
	});

	test('INT-26 E07 whoever writes to a finished or cancelled intake is told so', () => {
		const driver = asked().do({ kind: 'cancel', id: 'c', author: ALEX, reason: 'discarded' }).say('hello?');
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E07' }]);
		expect(driver.session.history).toHaveLength(2);
	});

	test('INT-23 an intake that nobody answers is closed in the end', () => {
		const driver = asked();
		expect(wakeAt(driver.session, SETTINGS)).toBe(driver.now + SETTINGS.retention.idleMs);
		driver.wait(SETTINGS.retention.idleMs);
		expect(driver.session).toMatchObject({ state: 'CANCELLED', cancelReason: 'expired' });
	});
});

test('INT-1 INT-14 a locked thread does not hold up a packet that is on its way', () => {
	const driver = compiled().press('lock').do({ kind: 'suspend', reason: 'thread_locked' });
	expect(driver.session.state).toBe('HANDOVER');
});
