import { expect, test } from 'vitest';
import { askQuestion } from '../../../../core/fleet/ask-question.ts';
import type { Question } from '../../../../core/fleet/question.ts';
import { questionView } from '../../../../core/fleet/question-view.ts';
import { reminderAt, reminderText, withReminder } from '../../../../core/fleet/reminder.ts';
import type { ReportedQuestion } from '../../../../core/fleet/report.ts';
import {
	answerFromWords,
	answerQuestion,
	closeQuestion,
	deliveryDone,
	retryDelivery,
} from '../../../../core/fleet/settle-question.ts';
import { ALEX, asked, SAM, settingsOf, T0 } from './fixture.ts';

const MINUTE = 60_000;

function open(change: Partial<ReportedQuestion> = {}): Question {
	return askQuestion({ id: 's1', name: 'api-fix' }, asked('r1', change).question, 1, T0);
}

function taken(question: Question, values: string[], by = ALEX, now = T0 + MINUTE): Question {
	const result = answerQuestion(question, { values }, by, now);
	if (result.kind !== 'taken') throw new Error(result.kind);
	return result.question;
}

test('FLT-13 a press is taken as the words of who pressed, and goes out before it counts as delivered', () => {
	const result = answerQuestion(open(), { values: ['v2'] }, ALEX, T0 + MINUTE);
	expect(result).toMatchObject({
		kind: 'taken',
		question: { state: 'answered', delivery: 'pending', answeredBy: ALEX, answer: { values: ['v2'] }, revision: 2 },
		events: [{ kind: 'answered', cause: { role: 'person', whoId: ALEX.whoId }, text: '"v2 (migrate)"' }],
	});
});

test('FLT-13 of two people who press at once the first is taken and the second is told who was faster', () => {
	const question = open();
	const first = taken(question, ['v1'], ALEX);
	// The second one's save fails on the revision, so it reads again and is judged on what is stored now.
	const second = answerQuestion(first, { values: ['v2'] }, SAM, T0 + MINUTE + 1);
	expect(second.kind).toBe('late');
	expect(first.answer).toEqual({ values: ['v1'] });
});

test('FLT-13 sending, delivered, failed and retry follow each other and nothing else', () => {
	const sending = taken(open(), ['v1']);
	expect(deliveryDone(sending, { kind: 'queued' })).toBeUndefined();
	const failed = deliveryDone(sending, { kind: 'failed', why: 'connection lost' }) as Question;
	expect(failed).toMatchObject({ delivery: 'failed', deliveryError: 'connection lost', revision: 3 });
	expect(deliveryDone(failed, { kind: 'delivered' })).toBeUndefined();
	const again = retryDelivery(failed) as Question;
	expect(again).toMatchObject({ delivery: 'pending', deliveryTries: 2 });
	expect(again.deliveryError).toBeUndefined();
	const done = deliveryDone(again, { kind: 'delivered' }) as Question;
	expect(done.delivery).toBe('delivered');
	expect(retryDelivery(done)).toBeUndefined();
	expect(closeQuestion(done, 'lost', T0)).toBeUndefined();
});

test('FLT-13 the session going on proves that the answer arrived; its end before that is a failure', () => {
	const sending = taken(open(), ['v1']);
	expect(closeQuestion(sending, 'answered', T0)).toMatchObject({
		state: 'answered',
		delivery: 'delivered',
		answeredBy: ALEX,
	});
	expect(closeQuestion(sending, 'lost', T0)).toMatchObject({ state: 'answered', delivery: 'failed' });
});

test('FLT-13 only what the question allows is an answer', () => {
	const why = (question: Question, values: string[], text?: string) => {
		const result = answerQuestion(question, { values, ...(text === undefined ? {} : { text }) }, ALEX, T0);
		return result.kind === 'invalid' ? result.why : result.kind;
	};
	expect(why(open(), [])).toBe('The answer is empty.');
	expect(why(open(), [], ' \n ')).toBe('The answer is empty.');
	expect(why(open(), ['v3'])).toBe('That is none of its choices.');
	expect(why(open(), ['v1', 'v2'])).toBe('Only one choice can be taken.');
	expect(why(open({ multi: true }), ['v1', 'v1'])).toBe('A choice was given twice.');
	expect(why(open({ multi: true }), ['v1', 'v2'])).toBe('taken');
	expect(why(open(), [], 'v9')).toBe('This question takes one of its choices only.');
	expect(why(open({ freeText: true }), [], 'v9')).toBe('taken');
	expect(why(open({ freeText: true }), [], 'x'.repeat(4_001))).toContain('4000 characters');
});

test('FLT-13 words that are a choice are that choice, other words are words', () => {
	const question = open({ freeText: true });
	expect(answerFromWords(question, ' V2 (MIGRATE) ')).toEqual({ values: ['v2'] });
	expect(answerFromWords(question, 'v1')).toEqual({ values: ['v1'] });
	expect(answerFromWords(question, '2.')).toEqual({ values: ['v2'] });
	expect(answerFromWords(question, '3')).toEqual({ values: [], text: '3' });
	expect(answerFromWords(question, 'neither')).toEqual({ values: [], text: 'neither' });
});

test('FLT-13 a permission without choices offers to allow and to deny; a choice without choices takes words', () => {
	expect(open({ kind: 'permission', choices: [] }).choices.map(({ value }) => value)).toEqual(['allow', 'deny']);
	expect(open({ choices: [] })).toMatchObject({ kind: 'text', freeText: true, choices: [] });
});

test('FLT-13 reminders come at growing gaps, three at most, and only for a question that people were shown', () => {
	const settings = settingsOf();
	expect(reminderAt(open(), undefined, false, settings)).toBeUndefined();
	let question = open();
	const at: number[] = [];
	for (let due = reminderAt(question, T0, false, settings); due !== undefined; ) {
		at.push((due - T0) / MINUTE);
		question = withReminder(question, due);
		due = reminderAt(question, T0, false, settings);
	}
	expect(at).toEqual([15, 75, 315]);
	expect(reminderAt(open(), T0, true, settings)).toBeUndefined();
	expect(reminderAt(taken(open(), ['v1']), T0, false, settings)).toBeUndefined();
	expect(reminderText(open(), T0 + 15 * MINUTE)).toBe(
		'api-fix still waits for an answer (15m): "Which schema should I use?"',
	);
	expect(reminderAt(withReminder(open(), T0), T0, false, { reminderAfterMs: [900_000, 60_000] })).toBe(T0 + 900_000);
});

test('FLT-13 few short choices are buttons; many, long, described or several are a menu', () => {
	const view = questionView(open(), T0);
	expect(view.choices.map(({ label }) => label)).toEqual(['v1 (keep)', 'v2 (migrate)']);
	expect(view.choices[1]!.action).toEqual({ act: 'choose', questionId: open().id, index: 1 });
	expect(view.controls.map(({ label }) => label)).toEqual(['Open thread', 'Mute']);
	const many = Array.from({ length: 30 }, (_, at) => ({ label: `choice ${at}` }));
	const select = questionView(open({ choices: many }), T0);
	expect(select.choices).toEqual([]);
	expect(select.select).toMatchObject({ max: 1, more: 5 });
	expect(select.select!.options).toHaveLength(25);
	expect(select.body).toContain('choice 29');
	expect(select.controls.map(({ label }) => label)).toContain('Reply…');
	expect(questionView(open({ multi: true }), T0).select).toMatchObject({ max: 2 });
	const long = questionView(open({ choices: [{ label: '🚀'.repeat(200) }, { label: 'b' }] }), T0);
	expect(long.select!.options[0]!.label.isWellFormed()).toBe(true);
	expect(Array.from(long.select!.options[0]!.label).length).toBeLessThanOrEqual(100);
});

test('FLT-13 choices that look alike once cut get their number', () => {
	const view = questionView(
		open({
			choices: [
				{ label: 'same', value: 'a' },
				{ label: 'Same', value: 'b' },
			],
		}),
		T0,
	);
	expect(view.choices.map(({ label }) => label)).toEqual(['1. same', '2. Same']);
});

test('FLT-13 the card shows who answered what and how it fares, and stays as a record', () => {
	const sending = taken(open(), ['v2']);
	const done = deliveryDone(sending, { kind: 'delivered' }) as Question;
	const failed = deliveryDone(sending, { kind: 'failed', why: 'no reply' }) as Question;
	const now = T0 + 6 * MINUTE;
	const footers = [open(), sending, done, failed].map((question) => questionView(question, now).footer);
	expect(footers).toEqual([
		'open for 6m',
		'alex answered 5m ago: "v2 (migrate)" · sending…',
		'alex answered 5m ago: "v2 (migrate)" · delivered',
		'alex answered 5m ago: "v2 (migrate)" · not delivered: no reply',
	]);
	expect(questionView(done, now).choices).toEqual([]);
	expect(questionView(failed, now).controls.map(({ label }) => label)).toEqual(['Retry', 'Open thread']);
	expect(questionView(closeQuestion(open(), 'lost', T0) as Question, now)).toMatchObject({ tone: 'gone', choices: [] });
});
