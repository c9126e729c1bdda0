import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import { lateWords } from '../../../../bot/fleet/cards/late-words.ts';
import { askQuestion } from '../../../../core/fleet/ask-question.ts';
import type { Question } from '../../../../core/fleet/question.ts';
import { answerQuestion, closeQuestion, deliveryDone } from '../../../../core/fleet/settle-question.ts';
import { ALEX, asked, SAM, T0 } from '../../core/fleet/fixture.ts';

const t = createTranslate('en');
const open = (): Question => askQuestion({ id: 's1', name: 'api_fix' }, asked('r1').question, 1, T0);
const taken = (): Question => {
	const result = answerQuestion(open(), { values: ['v1'] }, ALEX, T0);
	if (result.kind !== 'taken') throw new Error(result.kind);
	return result.question;
};
const when = `<t:${T0 / 1_000}:R>`;

describe('a press that comes too late', () => {
	test('FLT-13 is told who was faster, with what, and whether it has arrived', () => {
		const nothing = 'Nothing further was sent.';
		expect(lateWords(taken(), SAM, t)).toBe(`alex answered ${when}: "v1 (keep)". ${nothing} It is on its way.`);
		expect(lateWords(taken(), ALEX, t)).toMatch(/^You answered </);
		const failed = deliveryDone(taken(), { kind: 'failed', why: 'no reply' }) as Question;
		expect(lateWords(failed, SAM, t)).toContain('press "Retry"');
		const delivered = deliveryDone(taken(), { kind: 'delivered' }) as Question;
		expect(lateWords(delivered, SAM, t)).toBe(`alex answered ${when}: "v1 (keep)". ${nothing}`);
	});

	test.each([
		['answered', `Already answered in the session itself ${when}. Your answer was not sent.`],
		['closed', `api\\_fix moved on without an answer ${when}. Nothing was sent.`],
		[
			'lost',
			`The question was lost ${when}: the process of api\\_fix ended before anybody answered. Nothing was sent.`,
		],
	] as const)('FLT-13 is told what happened instead: %s', (how, text) => {
		expect(lateWords(closeQuestion(open(), how, T0) as Question, SAM, t)).toBe(text);
	});

	test('FLT-13 OPS-11 is told so in the language of whoever pressed', () => {
		expect(lateWords(taken(), ALEX, createTranslate('de'))).toContain('Du hast');
	});
});
