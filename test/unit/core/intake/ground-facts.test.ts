import { describe, expect, test } from 'vitest';
import { intakeSettings } from '../../../../config/intake.ts';
import { checkFacts } from '../../../../core/intake/facts/fact-pipeline.ts';
import { findQuote } from '../../../../core/intake/facts/find-quote.ts';
import { numbersSaid } from '../../../../core/intake/facts/spoken-numbers.ts';
import { unusedSentences } from '../../../../core/intake/facts/unused-sentences.ts';
import { SETTINGS } from './intake-driver.ts';

const say = (...texts: string[]) =>
	texts.map((text, at) => ({ turnId: `t${at + 1}`, messageId: `m${at + 1}`, text, chosen: false }));
const TALK = say(
	'I want an online shop for handmade mugs called Mug Shop with inventory.',
	'Two admins, customers pay by credit card. Budget is 5.000 EUR. No reviews please. Postgres, not MySQL.',
	'It should count what is left. Ready by 2026-12-01. About 10k users. Details at https://mugs.example/spec',
);
const check = (block: string, talk = TALK) => checkFacts(block, talk, SETTINGS);
const kept = (block: string, talk = TALK) => check(block, talk).facts.map(({ text }) => text);
const why = (block: string, talk = TALK) => check(block, talk).excluded.map(({ reason }) => reason);

describe('INT-9 CONST-032-001 CONST-032-004 CONST-032-006 grounding', () => {
	test.each([
		'has_feature(inventory).',
		'has_payment(credit_card).',
		'user_role(admin,2).',
		'budget(5000,eur).',
		'uses_technology(postgres).',
		'out_of_scope(reviews).',
		"deadline('2026-12-01').",
		'users_expected(10000).',
		"project('Mug Shop').",
		'requires_ui(true).',
	])('INT-9 CONST-032-006 %s rests on words that were said', (text) => {
		const { facts } = check(text);
		expect(facts.map((fact) => fact.text)).toEqual([text]);
		for (const { turnId, quote } of facts[0]?.evidence ?? [])
			expect(findQuote(TALK.find((one) => one.turnId === turnId)?.text ?? '', quote), quote).toBeDefined();
	});

	test.each([
		['has_feature(blockchain).', 'ungrounded'],
		['has_feature(reviews).', 'negated'],
		['uses_technology(mysql).', 'negated'],
		['uses_technology(oracle).', 'ungrounded'],
		['uses_technology(oracle). % "Postgres, not MySQL"', 'name_not_said'],
		['budget(9000,eur).', 'number_not_said'],
		['user_role(admin,3).', 'number_not_said'],
		["project('Acme Mug Shop').", 'name_not_said'],
		["interface('https://evil.example/spec details').", 'url_not_said'],
		['requires_ui(false).', 'negated'],
		['requires_ui(maybe).', 'ungrounded'],
		['has_feature(gift_cards). % "they want gift cards"', 'ungrounded'],
		['has_feature(gift_cards). % "and"', 'ungrounded'],
		["shell('id').", 'unknown_predicate'],
		['has_feature(a,b,c).', 'unknown_arity'],
		['has_feature.', 'unknown_arity'],
		['constructor(inventory).', 'unknown_predicate'],
	])('INT-9 CONST-032-004 %s is set aside: %s', (text, reason) => {
		expect(kept(text)).toEqual([]);
		expect(why(text)).toEqual([reason]);
	});

	test('INT-9 words the model names count when they are there, whatever the language of the fact', () => {
		const { facts } = check('has_feature(stock_tracking). % t3 "count what is left"');
		expect(facts).toMatchObject([
			{ support: 'quoted', evidence: [{ turnId: 't3', messageId: 'm3', quote: 'count what is left' }] },
		]);
		const german = say('Wir brauchen eine Übersicht über das Lager für 3 Filialen.');
		expect(kept('has_feature(inventory). % "Übersicht über das Lager"', german)).toEqual(['has_feature(inventory).']);
		expect(kept('has_feature(stock). % “übersicht  ÜBER das lager”', german)).toEqual(['has_feature(stock).']);
		expect(kept('has_feature(inventory). % "库存管理"', say('我需要库存管理功能'))).toEqual([
			'has_feature(inventory).',
		]);
	});

	test('INT-9 a number said elsewhere adds that place to the evidence', () => {
		const { facts } = check('has_feature(inventory, 5000).');
		expect(facts[0]?.evidence.map(({ turnId }) => turnId)).toEqual(['t1', 't2']);
	});

	test('INT-9 a chosen option is enough by itself', () => {
		const chosen = [{ turnId: 't1', messageId: '', text: 'Phone', chosen: true }];
		expect(kept('platform(phone).', chosen)).toEqual(['platform(phone).']);
	});

	test('INT-9 P04 P05 bad facts go one by one with reason, an entirely bad block gives nothing, and doubles are one', () => {
		const mixed = check(
			'has_feature(inventory).\n- has_feature(cart).\nhas_feature(blockchain).\nhas_feature(inventory)。\n',
		);
		expect(mixed.block).toBe('has_feature(inventory).\n');
		expect(mixed.excluded.map(({ line, reason }) => [line, reason])).toEqual([
			[2, 'bullet'],
			[3, 'ungrounded'],
		]);
		expect(mixed.notes).toEqual(['full_width_stop_replaced', 'bullet']);
		expect(check('Sure! Here you go').block).toBe('');
	});

	test('INT-9 an operator can add a kind of fact', () => {
		const settings = intakeSettings.parse({
			facts: { predicates: { glaze: { arities: [1], dimension: 'D1', label: 'Glaze' } } },
		});
		expect(checkFacts('glaze(inventory).', TALK, settings).facts.map(({ text }) => text)).toEqual([
			'glaze(inventory).',
		]);
		expect(why('glaze(inventory).')).toEqual(['unknown_predicate']);
	});
});

test('INT-28 numbers are heard in digits, words, thousands and other languages', () => {
	const said = numbersSaid(
		'Two admins, 1,500 orders, 1.200 Kunden, zwölf Filialen, 10k users, 3 million rows, trois, 两个, 2026-12-01, 99.5%',
	);
	for (const number of [2, 1500, 1200, 12, 10_000, 3_000_000, 3, 2026, 12, 1, 99.5])
		expect(said, String(number)).toContain(number);
	for (const number of [7, 150, 100_000]) expect(said, String(number)).not.toContain(number);
});

test('INT-18 INT-28 sentences that no fact rests on are listed', () => {
	const { facts } = check('has_feature(inventory). has_payment(credit_card).');
	const quotes = unusedSentences(TALK, facts).map(({ quote }) => quote);
	expect(quotes).toContain('Budget is 5.000 EUR.');
	expect(quotes).not.toContain('Two admins, customers pay by credit card.');
});
