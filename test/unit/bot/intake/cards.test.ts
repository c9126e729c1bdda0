import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import { intakeCards } from '../../../../bot/intake/views/intake-cards.ts';
import { progressCard } from '../../../../bot/intake/views/progress-card.ts';
import { fitLines } from '../../../../bot/intake/views/review-card.ts';
import { roundCard } from '../../../../bot/intake/views/round-card.ts';
import { errorView, noticeView, unavailableView } from '../../../../bot/intake/views/said-once.ts';
import english from '../../../../bot/locales/intake.en.json' with { type: 'json' };
import { toPayload, type View } from '../../../../bot/views/view.ts';
import { intakeSettings } from '../../../../config/intake.ts';
import { INTAKE_ERRORS, type IntakeErrorCode } from '../../../../core/intake/error-code.ts';
import type { Question, QuestionSet } from '../../../../core/intake/question.ts';
import { freshSession, INTAKE_STATES, type IntakeSession } from '../../../../core/intake/session.ts';

const t = createTranslate('en');
const settings = intakeSettings.parse({});
const place = {
	kind: 'discord' as const,
	guildId: '1'.repeat(18),
	channelId: '2'.repeat(18),
	threadId: '3'.repeat(18),
};

const question = (n: number, text = `What is number ${n}?`, count = 10): Question => ({
	id: `q1.${n}`,
	dimension: 'D3',
	text,
	kind: 'multi',
	options: Array.from({ length: count }, (_, index) => ({
		value: `o${index + 1}`,
		label: `${'x'.repeat(95)} ${index}`,
	})),
	origin: 'model',
});
const set = (questions: Question[], state: QuestionSet['state'] = 'open'): QuestionSet => ({
	...{ id: 'r1', round: 1, questions, askedAt: 0, state },
});
const session = (more: Partial<IntakeSession> = {}): IntakeSession => ({
	...freshSession({ id: 's1', place, requesterId: '4'.repeat(18), review: true }, 0),
	originalIntent: 'a shop',
	state: 'QUESTIONING',
	roundCount: 1,
	...more,
});

const size = (view: View) =>
	(view.embeds ?? [])
		.flatMap((embed) => [
			embed.title ?? '',
			embed.description ?? '',
			embed.footer?.text ?? '',
			...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
		])
		.join('').length;

describe('cards of an intake', () => {
	test('INT-16 five long questions with ten long options each are all on the card, within what Discord takes', () => {
		const one = set([1, 2, 3, 4, 5].map((n) => question(n, `${'w'.repeat(290)} ${n}?`)));
		const view = roundCard(session({ questionSets: [one] }), one, t, { readsEverything: true });
		const [embed] = toPayload(view).embeds;
		expect(embed?.fields).toHaveLength(5);
		expect(embed?.fields?.every(({ value }) => value.length <= 1_024)).toBe(true);
		expect(size(view)).toBeLessThanOrEqual(6_000);
		expect(view.components?.[0]?.components).toHaveLength(2);
	});

	test.each(INTAKE_STATES)('INT-16 in state %s the progress card says whose turn it is, in both languages', (state) => {
		for (const language of ['en', 'de'] as const) {
			const view = progressCard(session({ state }), createTranslate(language));
			const turn = view.embeds?.[0]?.fields?.[1]?.value ?? '';
			expect(turn.length).toBeGreaterThan(5);
			expect(turn).not.toMatch(/\{\w+\}/);
		}
	});

	test('INT-16 the language of the session is the language of its cards', () => {
		const one = set([question(1, 'Wo läuft es?', 3)]);
		const cards = intakeCards(session({ language: 'de-AT', questionSets: [one] }), settings, {
			cards: new Map(),
			readsEverything: true,
		});
		expect(JSON.stringify(cards)).toContain('Fragen 1 von höchstens 3');
		expect(JSON.stringify(cards)).toContain('Antworten');
	});

	test('INT-26 every code is shown with sentence, what is kept and what comes next, and the code itself for machines', () => {
		for (const code of Object.keys(INTAKE_ERRORS) as IntakeErrorCode[]) {
			const { sentence, kept, next } = INTAKE_ERRORS[code];
			const [embed] = errorView(code, 'detail `x`', t).embeds ?? [];
			expect(embed?.title).toBe(`${code}: ${sentence}`);
			expect(embed?.fields?.map(({ value }) => value)).toEqual([kept, next]);
			expect(embed?.footer?.text).toBe(code);
			expect(JSON.stringify(errorView(code, undefined, createTranslate('de')))).not.toContain(sentence);
		}
	});

	test('INT-14 the unavailable answer carries code and reason in no language', () => {
		for (const reason of ['model', 'worker', 'redis', 'timeout'] as const)
			for (const language of ['en', 'de'] as const)
				expect(unavailableView(reason, true, createTranslate(language)).embeds?.[0]?.footer?.text).toBe(
					`assistant_unavailable · reason=${reason} · kept=true`,
				);
	});

	test('INT-16 every notice has a sentence', () => {
		const codes = Object.keys(english).filter((key) => key.startsWith('intake.notice.'));
		expect(codes).toHaveLength(12);
		for (const key of codes) {
			const code = key.slice('intake.notice.'.length) as Parameters<typeof noticeView>[0];
			expect(noticeView(code, t).embeds?.[0]?.description).toBe(english[key as keyof typeof english]);
		}
	});

	test('INT-18 thirty requirements, each with its link, fill the card to what Discord takes and no further', () => {
		const evidence = [{ turnId: 't1', messageId: '1523456789012345678', quote: 'so' }];
		const facts = Array.from({ length: 30 }, (_, index) => ({
			text: `has_feature(feature_${index}).`,
			predicate: 'has_feature',
			arity: 1,
			evidence,
			support: 'quoted' as const,
		}));
		const excluded = Array.from({ length: 30 }, (_, index) => ({
			text: `has_feature(no_${index})`,
			reason: 'ungrounded',
		}));
		const finalization = {
			...{ trigger: 'forced' as const, cause: 'round_limit' as const, roundCount: 4, at: 1 },
			...{ fields: { TASK_SUMMARY: 'Words. '.repeat(300) }, uiRequired: true, standIns: ['name'] },
		};
		const subject = session({
			...{ state: 'REVIEW' as const, facts, excluded, finalization, autoLockAt: 1_000 },
			prologFacts: `${facts.map(({ text }) => text).join('\n')}\n`,
		});
		const card = intakeCards(subject, settings, { cards: new Map(), readsEverything: true }).find(
			({ name }) => name === 'v1',
		);
		const shown = card?.view ?? {};
		expect(size(shown)).toBeLessThanOrEqual(6_000);
		expect(toPayload(shown).embeds[0]?.fields).toHaveLength(shown.embeds?.[0]?.fields?.length ?? -1);
		const text = JSON.stringify(shown.embeds);
		const count = (text.match(/Feature: feature/g) ?? []).length;
		expect(count).toBeGreaterThan(15);
		expect((text.match(/said here/g) ?? []).length).toBe(count);
		expect(text).toContain(`… and ${30 - count} more in`);
	});

	test('INT-18 lines that do not fit are counted, not cut', () => {
		const lines = Array.from({ length: 50 }, (_, index) => `line ${index} ${'y'.repeat(40)}`);
		const text = fitLines(lines, 500, (count) => `… and ${count} more`);
		expect(text.length).toBeLessThanOrEqual(500);
		const shown = text.split('\n').length - 1;
		expect(text.endsWith(`… and ${50 - shown} more`)).toBe(true);
	});
});
