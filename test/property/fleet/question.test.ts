import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askQuestion } from '../../../core/fleet/ask-question.ts';
import type { Question } from '../../../core/fleet/question.ts';
import { questionView } from '../../../core/fleet/question-view.ts';
import { answerQuestion, closeQuestion, deliveryDone, retryDelivery } from '../../../core/fleet/settle-question.ts';
import { ALEX, asked, SAM } from '../../unit/core/fleet/fixture.ts';

const move = fc.oneof(
	fc.record({
		do: fc.constant('press' as const),
		value: fc.constantFrom('v1', 'v2', 'v3'),
		by: fc.constantFrom(ALEX, SAM),
	}),
	fc.record({
		do: fc.constant('close' as const),
		how: fc.constantFrom('answered' as const, 'closed' as const, 'lost' as const),
	}),
	fc.record({
		do: fc.constant('deliver' as const),
		kind: fc.constantFrom('delivered' as const, 'failed' as const, 'queued' as const),
	}),
	fc.record({ do: fc.constant('retry' as const) }),
);

test('FLT-13 whatever comes in whatever order: one answer at most, never changed, never undone, one revision a change', () => {
	fc.assert(
		fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
			let question: Question = askQuestion({ id: 's1', name: 'api' }, asked().question, 1, 0);
			let first: Question['answer'];
			for (const [at, next] of moves.entries()) {
				let after: Question | undefined;
				if (next.do === 'press') {
					const result = answerQuestion(question, { values: [next.value] }, next.by, at);
					if (result.kind === 'taken') {
						expect(question.state).toBe('open');
						first = result.question.answer;
						after = result.question;
					}
				} else if (next.do === 'close') after = closeQuestion(question, next.how, at);
				else if (next.do === 'retry') after = retryDelivery(question);
				else {
					const result = next.kind === 'failed' ? { kind: next.kind, why: 'x' } : { kind: next.kind };
					after = deliveryDone(question, result);
				}
				if (after !== undefined) {
					expect(after.revision).toBe(question.revision + 1);
					if (question.state !== 'open') expect(after.state).toBe(question.state);
					if (question.delivery === 'delivered') throw new Error('a delivered answer changed');
				}
				question = after ?? question;
				expect(question.answer).toEqual(first);
				expect(question.delivery !== 'none').toBe(first !== undefined);
			}
		}),
		{ numRuns: 500 },
	);
});

test('FLT-13 any question fits on a card', () => {
	const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 400 });
	fc.assert(
		fc.property(
			text,
			fc.array(fc.record({ label: text, description: fc.option(text, { nil: undefined }) }), { maxLength: 60 }),
			fc.boolean(),
			fc.boolean(),
			(words, labels, multi, freeText) => {
				const choices = labels.map(({ label, description }) => ({
					label,
					...(description === undefined ? {} : { description }),
				}));
				const question = askQuestion(
					{ id: 's1', name: 'api' },
					{ ...asked().question, text: words, choices, multi, freeText },
					1,
					0,
				);
				const view = questionView(question, 0);
				const shown = view.choices.length > 0 ? view.choices.length : (view.select?.options.length ?? 0);
				expect(shown).toBe(Math.min(25, question.choices.length));
				expect(view.choices.length).toBeLessThanOrEqual(5);
				for (const { label } of [...view.choices, ...(view.select?.options ?? [])]) {
					expect(label).not.toBe('');
					expect(label.isWellFormed()).toBe(true);
					expect(Array.from(label).length).toBeLessThanOrEqual(view.choices.length > 0 ? 80 : 100);
				}
				for (const { description } of view.select?.options ?? [])
					expect(Array.from(description ?? '').length).toBeLessThanOrEqual(100);
				expect(view.body.isWellFormed()).toBe(true);
				expect(Array.from(view.body).length).toBeLessThanOrEqual(1_800);
			},
		),
		{ numRuns: 200 },
	);
});
