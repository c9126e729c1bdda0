import { describe, expect, test } from 'vitest';
import { DEFAULT_WORDS } from '../../../../config/intake-words.ts';
import { measureUiFlag } from '../../../../core/intake/measures/gold.ts';
import { speechOf } from '../../../../core/intake/speech/speech.ts';
import { uiSignal } from '../../../../core/intake/speech/ui-signal.ts';
import { ALEX, drive, QUESTIONS } from './intake-driver.ts';

const WORDS = Object.values(DEFAULT_WORDS);
const flag = (...texts: string[]) =>
	uiSignal(
		texts.map((text, at) => ({ turnId: `t${at}`, messageId: `m${at}`, text, chosen: false })),
		WORDS,
	).required;

const LABELLED: readonly { text: string; ui: boolean }[] = [
	...[
		'We need a dashboard.',
		'A UI for the warehouse.',
		'The frontend should show orders.',
		'Two screens are enough.',
		'a website that does not crash',
		'The website should not be slow.',
		'not only a dashboard but also reports',
		'No, a dashboard please.',
		'It needs a front-end and an API.',
		'a UI-heavy tool',
		'People fill in forms.',
		'I want an online shop.',
		'No emails, just a web page.',
		'Wir brauchen eine Weboberfläche.',
		'Ein Dashboard für das Lager.',
		'Un tableau de bord pour le stock.',
		'Una aplicación móvil.',
		'需要一个网站',
		'a mobile app with two buttons',
		"We don't have a database, but we want a dashboard.",
	].map((text) => ({ text, ui: true })),
	...[
		'Build a guide that require information on the platform.',
		'We build pipelines that perform transformations.',
		'The platform requires quick builds.',
		'No dashboard.',
		'No dashboard, forms or buttons.',
		'A headless service.',
		'no gui, headless',
		'We do not need a website.',
		"We don't want a frontend.",
		'without any kind of user interface',
		'A dashboard is not needed.',
		'CLI only, no screens.',
		'Kein Dashboard, nur eine API.',
		'Dashboard brauchen wir nicht.',
		'Sans interface.',
		'sin interfaz',
		'不需要界面',
		'A nightly batch job for invoices.',
		'Dashboard: no.',
		'an API instead of a website',
		'It suits the fluid build of our squid units.',
	].map((text) => ({ text, ui: false })),
];

describe('INT-8 FR-009', () => {
	test.each(LABELLED.map(({ text, ui }) => [text, ui] as const))(
		'INT-8 TEST-032-033 TEST-032-034 "%s" is %s',
		(text, ui) => {
			expect(flag(text)).toBe(ui);
		},
	);

	test('INT-28 precision and recall on the labelled set', () => {
		expect(measureUiFlag(LABELLED, WORDS)).toEqual({ precision: 1, recall: 1, wrong: [] });
	});

	test('INT-8 FR-009 TEST-032-035 all turns of people count, and the last word on a thing', () => {
		expect(flag('We need a dashboard.', 'Two admins.', 'Budget is small.')).toBe(true);
		expect(flag('Maybe a dashboard.', 'No, no dashboard after all.')).toBe(false);
		expect(flag('A website and a dashboard.', 'Make it headless.')).toBe(false);
		expect(flag('Make it headless.', 'On second thought, a website.')).toBe(true);
	});

	test("INT-8 the assistant's own questions never set it; a chosen option does", () => {
		const driver = drive()
			.say('I want something for my stock.')
			.reply('D4: Which of these? [dashboard | mail]\nD1: Who uses the screens?');
		expect(uiSignal(speechOf(driver.session), WORDS).required).toBe(false);
		driver.do({
			kind: 'form',
			id: 'f',
			author: ALEX,
			setId: 'r1',
			entries: [{ questionId: 'q1.2', values: ['o1'], text: '' }],
			text: '',
		});
		expect(uiSignal(speechOf(driver.session), WORDS).required).toBe(true);
	});

	test('INT-8 our own turns are never speech, whatever they hold', () => {
		const { history } = drive().say('A dashboard.').session;
		const own = history.map((turn) => ({ ...turn, role: 'assistant' as const }));
		expect(speechOf({ history: own })).toEqual([]);
	});

	test('INT-8 TEST-032-036 it is found at finalization only', () => {
		const driver = drive().say('A dashboard for stock.').reply(QUESTIONS);
		expect(driver.session.finalization).toBeUndefined();
		driver
			.say('Two admins.')
			.reply('REQUIREMENTS_COMPLETE: true\nTASK_SUMMARY: A dashboard.\nPROLOG_FACTS: requires_ui(true).');
		expect(driver.session.finalization?.uiRequired).toBe(true);
		expect(driver.session.facts).toMatchObject([
			{ text: 'requires_ui(true).', evidence: [{ quote: 'dashboard', messageId: 'm1' }] },
		]);
	});
});
