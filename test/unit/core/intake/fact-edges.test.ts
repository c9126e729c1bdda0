import { describe, expect, test } from 'vitest';
import { intakeSettings } from '../../../../config/intake.ts';
import { checkFacts } from '../../../../core/intake/facts/fact-pipeline.ts';
import { findQuote, quotesIn } from '../../../../core/intake/facts/find-quote.ts';
import { numbersSaid } from '../../../../core/intake/facts/spoken-numbers.ts';
import { isSameQuestion } from '../../../../core/intake/questions/likeness.ts';

const SETTINGS = intakeSettings.parse({
	facts: { predicates: { urgent: { arities: [0], dimension: 'D7', label: 'Urgent' } } },
});
const check = (block: string, ...texts: string[]) =>
	checkFacts(
		block,
		texts.map((text, at) => ({ turnId: `t${at}`, messageId: `m${at}`, text, chosen: false })),
		SETTINGS,
	);
const kept = (block: string, ...texts: string[]) => check(block, ...texts).facts.map(({ text }) => text);
const why = (block: string, ...texts: string[]) => check(block, ...texts).excluded.map(({ reason }) => reason);

describe('grounding at its edges', () => {
	test('INT-9 a fact without arguments rests on the words of its kind', () => {
		expect(kept('urgent.', 'This is urgent for us.')).toEqual(['urgent.']);
		expect(why('urgent.', 'No hurry.')).toEqual(['ungrounded']);
		expect(why('urgent(very).', 'This is urgent.')).toEqual(['unknown_arity']);
	});

	test('INT-9 a number alone needs its kind beside it, or has to be telling by itself', () => {
		expect(kept('budget(700).', 'We can spend 700 at most.')).toEqual(['budget(700).']);
		expect(why('team(3).', 'We have 3 cats.')).toEqual(['ungrounded']);
		expect(kept('team(3).', 'Our team is 3.')).toEqual(['team(3).']);
		expect(why('team(4).', 'Our team is 3.')).toEqual(['number_not_said']);
		expect(kept('deadline(2026,12,1).', 'Done on 2026-12-01.')).toEqual([]);
	});

	test('INT-9 INT-8 the flag as a fact says what the words say, in either spelling, and nothing else', () => {
		expect(kept('requires_ui(yes).', 'We want a dashboard.')).toEqual(['requires_ui(yes).']);
		expect(kept('requires_ui(no).', 'No dashboard.')).toEqual(['requires_ui(no).']);
		expect(why('requires_ui(false).', 'We want a dashboard.')).toEqual(['negated']);
		expect(why('requires_ui(true).', 'A nightly job.')).toEqual(['ungrounded']);
		expect(why('requires_ui(false).', 'A nightly job.')).toEqual(['ungrounded']);
		expect(why('requires_ui(maybe).', 'We want a dashboard.')).toEqual(['ungrounded']);
	});

	test('INT-9 a name said elsewhere brings that place along; one said nowhere takes the fact away', () => {
		const { facts } = check("user_role('Anna Berg', owner).", 'The owner decides.', 'Anna Berg is my sister.');
		expect(facts[0]?.evidence.map(({ turnId }) => turnId)).toEqual(['t1', 't0'].slice(0, facts[0]?.evidence.length));
		expect(why("user_role('Anna Krull').", 'Anna decides about the shop.')).toEqual(['ungrounded']);
		expect(why("interface('Anna desk Krull').", 'The Anna desk decides.')).toEqual(['name_not_said']);
	});

	test('INT-9 what is not wanted may be a fact only as such', () => {
		expect(why('has_feature(reviews). % "no product reviews"', 'We want no product reviews.')).toEqual(['negated']);
		expect(kept('out_of_scope(reviews). % "no product reviews"', 'We want no product reviews.')).toHaveLength(1);
		expect(why('has_feature(评论).', '不要评论。')).not.toEqual([]);
	});

	test('INT-9 the same fact twice is one; reader and grounding complain in the order of the lines', () => {
		const { facts, excluded } = check(
			'has_feature(cart).\nX.\nhas_feature(cart).\nhas_feature(moon).',
			'A shop with a cart.',
		);
		expect(facts).toHaveLength(1);
		expect(excluded.map(({ line }) => line)).toEqual([2, 4]);
	});
});

describe('small parts of grounding', () => {
	test('INT-9 quotes are found whatever their marks, blanks and dots', () => {
		expect(quotesIn('t1 "a b" and “c d” or «e f» or „g h“')).toEqual(['a b', 'c d', 'e f', 'g h']);
		expect(findQuote('It’s  a\nlong tale', "…it's a long…")).toBe('It’s  a\nlong');
		expect(findQuote('abc', ' … ')).toBeUndefined();
		expect(findQuote('ﬁne', 'fine')).toBe('ﬁne');
	});

	test('INT-28 numbers are heard in digits, words, scales and Chinese', () => {
		const said = numbersSaid("about 2.5k users, two dozen, 3 Millionen, 5万, 十二, 1'200 9’800 and 4 kilos");
		for (const number of [2_500, 2.5, 2, 12, 3_000_000, 50_000, 10, 1_200, 9_800, 4]) expect(said).toContain(number);
		expect(said).not.toContain(4_000);
	});

	test('INT-12 texts too short to compare are the same only when their words are', () => {
		expect(isSameQuestion('', '')).toBe(false);
		expect(isSameQuestion('?', 'ab')).toBe(false);
		expect(isSameQuestion('谁来管理库存？', '谁来管理库存呢？')).toBe(true);
	});
});
