import { describe, expect, test } from 'vitest';
import { ALL_OPEN, DIMENSIONS } from '../../../../core/intake/dimension.ts';
import { isSameQuestion } from '../../../../core/intake/questions/likeness.ts';
import { lintQuestion, lintQuestions } from '../../../../core/intake/questions/lint-question.ts';
import { bankQuestions } from '../../../../core/intake/questions/question-bank.ts';
import { questionSetOf, sortQuestions } from '../../../../core/intake/questions/question-set.ts';
import { questionsInText } from '../../../../core/intake/reply/question-text.ts';
import { drive, WISH } from './intake-driver.ts';

const NOTHING = { said: '', earlier: [] };
const rules = (text: string, context: { said: string; earlier: string[] } = NOTHING) => lintQuestion({ text }, context);
const context = (over = {}) => ({
	said: '',
	earlier: [],
	dimensions: { ...ALL_OPEN },
	language: 'en',
	round: 1,
	now: 0,
	...over,
});

describe('reading', () => {
	test('INT-12 the example of the specification gives four questions of two dimensions', () => {
		const questions = questionsInText(
			'D1: What product categories besides jewelry? Do you need inventory management?\nD2: Preferred hosting platform? Any budget constraints?',
		);
		expect(questions.map(({ dimension, text }) => [dimension, text])).toEqual([
			['D1', 'What product categories besides jewelry?'],
			['D1', 'Do you need inventory management?'],
			['D2', 'Preferred hosting platform?'],
			['D2', 'Any budget constraints?'],
		]);
	});

	test('INT-12 headings, numbers, lists and brackets of choices are understood', () => {
		const text =
			'**D2 – Tech stack**\n1. Which platform?\n   a) Web\n   b) Android\n2. Which database? [Postgres | MySQL]\nD4: Which of these? (pick any: mail | chat)\nThanks!';
		expect(questionsInText(text).map(({ dimension, kind, options }) => [dimension, kind, options])).toEqual([
			['D2', 'single', ['Web', 'Android']],
			['D2', 'single', ['Postgres', 'MySQL']],
			['D4', 'multi', ['mail', 'chat']],
		]);
	});

	test('INT-12 prose without a question gives none', () => {
		expect(questionsInText('Understood. I will think about it.\n- point\n- point')).toEqual([]);
	});
});

describe('lint', () => {
	test.each([
		["Wouldn't you rather have a web app?", 'leading'],
		["Don't you think users want accounts?", 'leading'],
		['I assume you want accounts, how many users are there?', 'leading'],
		['We should support mobile, which devices come first?', 'leading'],
		['You obviously need a login, who gets one?', 'leading'],
		['Sollten Sie nicht auch eine App haben?', 'leading'],
		['您难道不需要登录吗？', 'leading'],
		['Given that you need payments, who handles refunds?', 'presupposing'],
		['When you scale to more countries, which come first?', 'presupposing'],
		['Should it use React?', 'named_product'],
		['Do you want it on AWS?', 'named_product'],
		['Which modern framework do you prefer?', 'evaluative'],
		['Who manages the stock and how often do they count?', 'compound'],
		['Do you need e-mail and/or chat?', 'compound'],
		['Wer verwaltet das Lager und wie oft wird gezählt?', 'compound'],
		['Tell me about the users.', 'no_question'],
		[`Which of ${'all these many '.repeat(12)}things matter?`, 'too_long'],
	])('INT-12 CONST-032-002 "%s" is %s', (text, rule) => {
		expect(rules(text)).toContain(rule);
	});

	test.each([
		'Who manages the stock?',
		'How many people use it at the same time?',
		'What is the budget?',
		'Which devices do your customers use?',
		'How should orders and invoices be kept?',
		'Wer verwaltet das Lager?',
		'Qui gère le stock ?',
		'谁管理库存？',
	])('INT-12 CONST-032-002 "%s" is neutral', (text) => {
		expect(rules(text)).toEqual([]);
	});

	test('INT-12 a product that the person named may be asked about', () => {
		expect(rules('Which version of Postgres is it?', { said: 'We run Postgres.', earlier: [] })).toEqual([]);
	});

	test('INT-12 repeated, in the same or nearly the same words, also without blanks', () => {
		expect(rules('What is the budget for this?', { said: '', earlier: ['What is the budget?'] })).toContain('repeated');
		expect(rules('谁来管理库存？', { said: '', earlier: ['谁管理库存？'] })).toEqual([]);
		expect(isSameQuestion('请问由谁来负责管理这个库存系统？', '请问由谁负责管理这个库存系统？')).toBe(true);
		expect(rules('Who pays?', { said: '', earlier: ['What is the budget?'] })).toEqual([]);
		const raw = (text: string) => ({ text, kind: 'text' as const, options: [] });
		expect(lintQuestions([raw('Who pays for it?'), raw('Who pays for it then?')], NOTHING)[1]?.rules).toEqual([
			'repeated_now',
		]);
	});

	test.each(['en', 'de'])('INT-12 CONST-032-002 our own standing questions keep every rule (%s)', (language) => {
		for (const dimension of DIMENSIONS)
			for (const text of bankQuestions(dimension, language)) expect(rules(text), text).toEqual([]);
	});
});

describe('set', () => {
	const raw = (dimension: (typeof DIMENSIONS)[number], text: string, options: string[] = []) => ({
		dimension,
		text,
		kind: options.length > 0 ? ('single' as const) : ('text' as const),
		options,
	});

	test('INT-12 FR-011 at most five, by dimension, every dimension before a second one of any', () => {
		const many = [
			raw('D7', 'What is the budget?'),
			...['a', 'b', 'c', 'd', 'e'].map((x) => raw('D1', `What is ${x}${x}${x}?`)),
			raw('D3', 'What is kept?'),
		];
		const { questions } = questionSetOf(many, context());
		expect(questions.map(({ dimension }) => dimension)).toEqual(['D1', 'D1', 'D1', 'D3', 'D7']);
		expect(questions.map(({ id }) => id)).toEqual(['q1.1', 'q1.2', 'q1.3', 'q1.4', 'q1.5']);
	});

	test('INT-12 options keep their order, lose every mark, and end with other and not sure; at most ten', () => {
		const { good } = sortQuestions(
			[
				raw('D2', 'Where will people use it?', [
					'Phone (Recommended)',
					'⭐ Computer',
					'Other',
					'Not sure',
					'Phone',
					...'123456789',
				]),
			],
			context(),
		);
		const [question] = questionSetOf(good, context()).questions;
		expect(question?.options.map(({ label }) => label)).toEqual([
			'Phone',
			'Computer',
			'1',
			'2',
			'3',
			'4',
			'5',
			'6',
			'Other',
			'Not sure, decide later',
		]);
		expect(question?.options.map(({ value }) => value)).toEqual([
			'o1',
			'o2',
			'o3',
			'o4',
			'o5',
			'o6',
			'o7',
			'o8',
			'other',
			'later',
		]);
	});

	test('INT-12 one option alone is no choice', () => {
		const [question] = questionSetOf([raw('D2', 'Where will people use it?', ['Phone', 'Other'])], context()).questions;
		expect(question).toMatchObject({ kind: 'text', options: [] });
	});

	test('INT-12 a question without a label is placed by its words', () => {
		const { good } = sortQuestions(
			[
				{ text: 'Is there a deadline?', kind: 'text', options: [] },
				{ text: 'Who is it for?', kind: 'text', options: [] },
			],
			context(),
		);
		expect(good.map(({ dimension }) => dimension)).toEqual(['D7', 'D1']);
	});

	test('INT-12 offending questions are asked for anew once, then dropped, never all', () => {
		const driver = drive().say(WISH).reply("D1: Wouldn't you like accounts?\nD7: What is the budget?");
		expect(driver.session.call).toMatchObject({
			followUp: 'lint',
			complaints: ["leading: Wouldn't you like accounts?"],
		});
		driver.reply('D1: Surely you want accounts?\nD7: What is the budget?');
		expect(driver.session.questionSets[0]?.questions.map(({ text }) => text)).toEqual(['What is the budget?']);
		const all = drive().say(WISH).reply("D1: Wouldn't you like accounts?").reply('D1: Surely you want accounts?');
		expect(all.session.questionSets[0]?.questions.length).toBeGreaterThan(0);
		expect(all.session.questionSets[0]?.questions.every(({ origin }) => origin === 'bank')).toBe(true);
	});

	test('INT-12 standing questions ask about what is open and never the same twice', () => {
		const answered = { ...ALL_OPEN, D1: 'answered', D2: 'answered' } as const;
		const first = questionSetOf([], context({ dimensions: answered }));
		expect(first.questions.map(({ dimension }) => dimension)).toEqual(['D3', 'D4', 'D5']);
		const second = questionSetOf(
			[],
			context({ dimensions: answered, earlier: first.questions.map(({ text }) => text) }),
		);
		expect(second.questions.some(({ text }) => first.questions.some((one) => one.text === text))).toBe(false);
	});
});
