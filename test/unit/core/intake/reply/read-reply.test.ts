import { describe, expect, test } from 'vitest';
import { DEFAULT_WORDS } from '../../../../../config/intake-words.ts';
import { cleanFactBlock } from '../../../../../core/intake/reply/fact-block.ts';
import { readReply } from '../../../../../core/intake/reply/read-reply.ts';

const YES = new Set(Object.values(DEFAULT_WORDS).flatMap(({ yes }) => yes.map((word) => word.toLowerCase())));
const read = (text: string, structured?: unknown) => readReply({ text, structured }, YES);
const PLAIN = `REQUIREMENTS_COMPLETE: true
PROLOG_FACTS: has_feature(inventory).
ESCALATE_TO: U:BA
TASK_SUMMARY: A shop.
PROJECT_NAME: mug_shop`;

describe('fields', () => {
	test('INT-7 TEST-032-027 FR-007 US-004 all five fields are read', () => {
		expect(read(PLAIN).fields).toEqual({
			REQUIREMENTS_COMPLETE: true,
			PROLOG_FACTS: 'has_feature(inventory).',
			ESCALATE_TO: 'U:BA',
			TASK_SUMMARY: 'A shop.',
			PROJECT_NAME: 'mug_shop',
		});
	});

	test('INT-7 P01 the same block in fancy dress', () => {
		const text =
			'Great, here is the summary!\r\n\r\n```text\r\n**Project_Name:** mug_shop\r\n- **TASK_SUMMARY**: Online shop for hand-made mugs.\r\n  Two admins, card payment.  \r\n### escalate_to : U:PM\r\nProlog_Facts:\r\n```prolog\r\nhas_feature(inventory).\r\nhas_payment(credit_card).\r\n```\r\n__REQUIREMENTS_COMPLETE__: **Yes**\r\n```\r\nLet me know if anything is missing.';
		expect(read(text).fields).toEqual({
			REQUIREMENTS_COMPLETE: true,
			PROJECT_NAME: 'mug_shop',
			TASK_SUMMARY: 'Online shop for hand-made mugs.\n  Two admins, card payment.',
			ESCALATE_TO: 'U:PM',
			PROLOG_FACTS: 'has_feature(inventory).\nhas_payment(credit_card).',
		});
	});

	test.each([
		['numbered', (line: string, at: number) => `${at + 1}. ${line}`],
		['bullets', (line: string) => `• ${line}`],
		['headings', (line: string) => `## ${line}`],
		['lower case', (line: string) => line.replace(/^[A-Z_]+/, (label) => label.toLowerCase())],
		['blanks for underscores', (line: string) => line.replace(/^[A-Z_]+/, (label) => label.replaceAll('_', ' '))],
		['wide colons', (line: string) => line.replace(':', '：')],
		['colons with a fine blank', (line: string) => line.replace(':', '\u202f:')],
		['code marks', (line: string) => line.replace(/^[A-Z_]+/, (label) => `\`${label}\``)],
		['bold with the colon', (line: string) => line.replace(/^[A-Z_]+:/, (label) => `**${label}**`)],
	] as const)('INT-7 P01 %s, in any order', (_, dress) => {
		const lines = PLAIN.split('\n').reverse().map(dress);
		expect(read(lines.join('\n')).fields).toEqual(read(PLAIN).fields);
	});

	test('INT-7 P04 translated labels and yes-words; values stay in their language', () => {
		expect(
			read(
				'REQUIREMENTS_COMPLETE：是\n项目名称：手工杯子商店\nTASK_SUMMARY：面向手工杯子的网店。\nPROLOG_FACTS：\nhas_feature(inventory)。',
			).fields,
		).toEqual({
			REQUIREMENTS_COMPLETE: true,
			PROJECT_NAME: '手工杯子商店',
			TASK_SUMMARY: '面向手工杯子的网店。',
			PROLOG_FACTS: 'has_feature(inventory)。',
		});
		expect(
			read(
				'REQUIREMENTS_COMPLETE : oui\nNOM_DU_PROJET : boutique_tasses\nRÉSUMÉ_DE_LA_TÂCHE : Boutique de tasses.\nFAITS_PROLOG : has_feature(inventory).',
			).fields,
		).toEqual({
			REQUIREMENTS_COMPLETE: true,
			PROJECT_NAME: 'boutique_tasses',
			TASK_SUMMARY: 'Boutique de tasses.',
			PROLOG_FACTS: 'has_feature(inventory).',
		});
	});

	test.each([
		['true', true],
		['Yes.', true],
		['**done**', true],
		['1', true],
		['oui', true],
		['ja', true],
		['是', true],
		['false', false],
		['no', false],
		['partial', false],
		['yes, but I need the budget', false],
		['tak', false],
		['', false],
	])('INT-7 P01 P04 "%s" means %s', (value, complete) => {
		expect(read(`REQUIREMENTS_COMPLETE: ${value}\nTASK_SUMMARY: x`).fields.REQUIREMENTS_COMPLETE ?? false).toBe(
			complete,
		);
	});

	test('INT-7 P02 CONST-032-003 mentioned is not given', () => {
		for (const text of [
			"I won't say REQUIREMENTS_COMPLETE until I know the budget. What is it?",
			'When done I will reply:\n> REQUIREMENTS_COMPLETE: true\nFirst: who are the users?',
			'I will end with this:\n```\nREQUIREMENTS_COMPLETE: true\n```\nWho are the users?',
			'Then REQUIREMENTS_COMPLETE: true follows. Who are the users?',
			'REQUIREMENTS_COMPLETE\nWho are the users?',
			'REQUIREMENTS_COMPLETE: false\nWho are the users?',
			'REQUIREMENTS_COMPLETE: true\nREQUIREMENTS_COMPLETE: false\nWho are the users?',
		]) {
			const reply = read(text);
			expect(reply.fields.REQUIREMENTS_COMPLETE ?? false, text).toBe(false);
			expect(reply.questions.length, text).toBeGreaterThan(0);
			expect(reply.questions.map((question) => question.text).join(' '), text).not.toContain('REQUIREMENTS_COMPLETE');
		}
	});

	test('INT-7 a field given twice: the last one counts, facts are joined, and it is noted', () => {
		const reply = read('PROJECT_NAME: a\nPROLOG_FACTS: x(1).\nPROJECT_NAME: b\nPROLOG_FACTS: y(2).');
		expect(reply.fields).toMatchObject({ PROJECT_NAME: 'b', PROLOG_FACTS: 'x(1).\ny(2).' });
		expect(reply.notes).toContain('duplicate_field');
	});

	test('INT-7 TEST-032-028 TEST-032-029 TEST-032-030 US-005 missing or empty fields are absent, never an exception', () => {
		expect(read('TASK_SUMMARY: x').fields).toEqual({ TASK_SUMMARY: 'x' });
		expect(read('PROLOG_FACTS: none\nPROJECT_NAME:\nESCALATE_TO: N/A').fields).toEqual({});
		expect(read('').empty).toBe(true);
	});
});

describe('thinking', () => {
	test('INT-7 O03 is taken out, and a marker in it ends nothing', () => {
		for (const text of [
			'<think>They want a shop. I could say REQUIREMENTS_COMPLETE: true later.</think>\nWhich payment methods?',
			'they want a shop, so maybe I should ask\nREQUIREMENTS_COMPLETE: true\n</think>\n\nWhich payment methods?',
		]) {
			const reply = read(text);
			expect(reply.fields).toEqual({});
			expect(reply.questions.map((question) => question.text)).toEqual(['Which payment methods?']);
		}
		expect(read('<think>They want a shop and I am still').empty).toBe(true);
		expect(read('Use the `<think>` tag if you like. Which payment methods?').questions.at(-1)?.text).toContain(
			'Which payment methods?',
		);
	});
});

describe('structured', () => {
	test('INT-7 a forced object is read; facts carry their quotes', () => {
		const reply = read('', {
			REQUIREMENTS_COMPLETE: true,
			TASK_SUMMARY: 'A shop.',
			PROJECT_NAME: 'x',
			ESCALATE_TO: 'none',
			PROLOG_FACTS: [
				{ fact: 'has_feature(inventory)', quote: 'with\ninventory' },
				{ fact: 'a(b).', quote: '' },
				'c(d).',
			],
		});
		expect(reply.fields).toEqual({
			REQUIREMENTS_COMPLETE: true,
			TASK_SUMMARY: 'A shop.',
			PROJECT_NAME: 'x',
			PROLOG_FACTS: 'has_feature(inventory). % "with inventory"\na(b).\nc(d).',
		});
	});

	test('INT-7 an object in the text, bare or fenced, is read like a forced one', () => {
		const json =
			'{"questions": [{"dimension": "D2", "text": "Which devices?", "kind": "multi", "options": ["phone", "computer"]}]}';
		for (const text of [json, `\`\`\`json\n${json}\n\`\`\``])
			expect(read(text).questions).toEqual([
				{ dimension: 'D2', text: 'Which devices?', kind: 'multi', options: ['phone', 'computer'] },
			]);
	});

	test('INT-7 an object of odd things is no exception', () => {
		for (const value of [
			{ questions: 'x' },
			{ questions: [null, 3, {}, { text: '' }] },
			{ PROLOG_FACTS: {} },
			{ fields: [] },
			{ REQUIREMENTS_COMPLETE: {} },
		])
			expect(read('', value).empty).toBe(true);
	});
});

test('INT-7 P01 time grows with the reply, not faster', () => {
	const hostile = [
		'**Project_Name:** x\n',
		'- ',
		'*_`',
		'# ',
		'> ',
		'```\n',
		'D1: ',
		'?',
		'. ',
		'(a|',
		'[',
		'|',
		' ',
		'：',
		'<think>',
		'{',
		'"',
		'REQUIREMENTS_COMPLETE: ',
	];
	for (const piece of hostile) {
		const text = piece.repeat(Math.floor(200_000 / piece.length));
		const start = process.cpuUsage().user;
		read(text);
		expect((process.cpuUsage().user - start) / 1_000, piece).toBeLessThan(5_000);
	}
}, 90_000);

test('P04 P05 what is put right before reading is written down: wide stops at line ends, one fence, a byte order mark', () => {
	expect(cleanFactBlock('\ufeffa(b)。\nc(d)． \n')).toMatchObject({
		text: 'a(b).\nc(d).\n',
		notes: ['byte_order_mark_removed', 'full_width_stop_replaced'],
	});
	expect(cleanFactBlock('```prolog\na(b).\n```')).toMatchObject({ text: 'a(b).', notes: ['fence_removed'] });
	expect(cleanFactBlock("a('b。c').").notes).toEqual([]);
});
