import { describe, expect, test } from 'vitest';
import { replyFromValue } from '../../../../../core/intake/reply/structured-reply.ts';

const read = (value: Record<string, unknown>) => replyFromValue(value, new Set(['yes', 'ja', 'true']));

describe('INT-7 a reply that came as an object', () => {
	test.each([
		[true, true],
		[false, false],
		[1, true],
		[0, false],
		['ja', true],
		['not yet', false],
	])('INT-7 the marker as %o is %o', (given, wanted) => {
		expect(read({ REQUIREMENTS_COMPLETE: given }).fields.REQUIREMENTS_COMPLETE).toBe(wanted);
	});

	test('INT-7 a marker that says nothing is no marker', () => {
		for (const given of [null, [], {}]) expect(read({ REQUIREMENTS_COMPLETE: given }).fields).toEqual({});
	});

	test('INT-7 facts as one text, as a list of texts, and with their quotes', () => {
		const facts = (given: unknown) => read({ PROLOG_FACTS: given }).fields.PROLOG_FACTS;
		expect(facts(' a(b). ')).toBe('a(b).');
		expect(facts(['a(b)', 'c(d).', 7, '', null])).toBe('a(b).\nc(d).');
		expect(facts([{ fact: 'a(b)', quote: 'the\n b', turn: 't2' }, { fact: 'c', quote: 5 }, { quote: 'alone' }])).toBe(
			'a(b). % t2 "the b"\nc.',
		);
		for (const nothing of [[], {}, 7, '']) expect(facts(nothing)).toBeUndefined();
	});

	test('INT-7 texts that say nothing are absent; fields may be wrapped once', () => {
		expect(read({ TASK_SUMMARY: '  ', ESCALATE_TO: 'None', PROJECT_NAME: 4 })).toMatchObject({
			fields: {},
			empty: true,
		});
		expect(read({ fields: { PROJECT_NAME: ' shop ' }, mood: 'fine' })).toMatchObject({
			fields: { PROJECT_NAME: 'shop' },
			empty: false,
		});
	});

	test('INT-12 questions as texts or objects, under either name, at most twenty', () => {
		const { questions } = read({
			QUESTIONS: [
				' Who pays? ',
				'',
				9,
				{ text: '' },
				{
					question: 'Which\n one?',
					dimension: 'd3 data',
					options: [' a ', { label: 'b' }, { other: 1 }, 7],
					kind: 'multi',
				},
				{ text: 'Only one?', options: ['a'], kind: 'single' },
				{ text: 'Two?', options: ['a', 'b'], kind: 'odd', dimension: 'X9' },
			],
		});
		expect(questions).toEqual([
			{ dimension: undefined, text: 'Who pays?', kind: 'text', options: [] },
			{ dimension: 'D3', text: 'Which one?', kind: 'multi', options: ['a', 'b'] },
			{ dimension: undefined, text: 'Only one?', kind: 'text', options: [] },
			{ dimension: undefined, text: 'Two?', kind: 'single', options: ['a', 'b'] },
		]);
		expect(read({ questions: Array.from({ length: 30 }, (_, at) => `Which ${at}?`) }).questions).toHaveLength(20);
		expect(read({ questions: 'none' })).toMatchObject({ questions: [], empty: true });
	});
});
