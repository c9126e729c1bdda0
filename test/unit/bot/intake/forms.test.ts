import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import { formatIntakeId, INTAKE_ACTIONS, isIntakeId, parseIntakeId } from '../../../../bot/intake/custom-id.ts';
import { formAnswer, roundForm, settleEntries } from '../../../../bot/intake/round-form.ts';
import { isStillMeant } from '../../../../bot/intake/still-meant.ts';
import type { Question, QuestionSet } from '../../../../core/intake/question.ts';
import { freshSession } from '../../../../core/intake/session.ts';
import { checkModal } from '../../../../demo/discord/interactions/modal-rules.ts';

const german = createTranslate('de');
const option = (value: string) => ({ value, label: `label ${value} ${'z'.repeat(90)}`.slice(0, 100) });
const question = (n: number, kind: Question['kind'], options = kind === 'text' ? 0 : 4): Question => ({
	id: `q1.${n}`,
	dimension: 'D6',
	text: `${'Which of these would it be '.repeat(5)}${n}?`,
	kind,
	options: [...Array.from({ length: options }, (_, index) => option(`o${index + 1}`))],
	origin: 'model',
});
const setOf = (...questions: Question[]): QuestionSet => ({
	...{ id: 'r1', round: 1, questions, askedAt: 0, state: 'open' as const },
});
const types = (set: QuestionSet) =>
	(roundForm('s1', set, 1, german).components as { component: { type: number; custom_id: string } }[]).map(
		({ component }) => [component.custom_id, component.type],
	);

describe('forms of an intake', () => {
	test('INT-16 every kind of round makes a form that Discord takes, with at most five fields', () => {
		const kinds: Question['kind'][] = ['single', 'multi', 'text'];
		for (const count of [1, 2, 3, 4, 5])
			for (const kind of kinds)
				for (const options of [2, 10, 14]) {
					const set = setOf(
						...Array.from({ length: count }, (_, index) => question(index + 1, kind, kind === 'text' ? 0 : options)),
					);
					const form = roundForm('s1', set, 1, german);
					expect(() => checkModal(structuredClone(form))).not.toThrow();
					expect(form.components.length).toBeLessThanOrEqual(5);
				}
	});

	test('INT-16 radio for one, checkboxes for many, a menu beyond ten, a field for words; the free field is last', () => {
		const set = setOf(question(1, 'single'), question(2, 'multi'), question(3, 'single', 12), question(4, 'text'));
		expect(types(set)).toEqual([
			['q1.1', 21],
			['q1.2', 22],
			['q1.3', 3],
			['q1.4', 4],
			['free', 4],
		]);
	});

	test('INT-16 of five questions the choices keep their fields; the one left over is named at the free field', () => {
		const set = setOf(
			question(1, 'text'),
			question(2, 'text'),
			question(3, 'single'),
			question(4, 'multi'),
			question(5, 'multi'),
		);
		expect(types(set).map(([id]) => id)).toEqual(['q1.1', 'q1.3', 'q1.4', 'q1.5', 'free']);
		const form = roundForm('s1', set, 1, german);
		expect((form.components.at(-1) as { label: string }).label).toContain('Frage 2');
	});

	test('INT-16 what was sent is told apart: choices, words, the free field, nothing', () => {
		const set = setOf(question(1, 'single'), question(2, 'multi'), question(3, 'text'), question(4, 'single'));
		const read = formAnswer([
			{ customId: 'q1.1', value: 'o2' },
			{ customId: 'q1.2', values: ['o1', 'o3'] },
			{ customId: 'q1.3', value: ' in a barn ' },
			{ customId: 'q1.4', value: null },
			{ customId: 'free', value: ' and soon ' },
		]);
		expect(read.text).toBe('and soon');
		expect(settleEntries(read.entries, set)).toEqual([
			{ questionId: 'q1.1', values: ['o2'], text: '' },
			{ questionId: 'q1.2', values: ['o1', 'o3'], text: '' },
			{ questionId: 'q1.3', values: [], text: 'in a barn' },
		]);
	});

	test('INT-20 custom ids survive the way there and back, stay within 100 characters, and strangers are refused', () => {
		const longest = 'S'.repeat(40);
		for (const action of INTAKE_ACTIONS) {
			const id = formatIntakeId(action, longest, 'r3');
			expect(id.length).toBeLessThanOrEqual(100);
			expect(parseIntakeId(id)).toEqual({ action, sessionId: longest, detail: 'r3' });
		}
		for (const strange of [
			'v1:intake:explode:s:r1',
			'v1:intake:lock:s',
			'v1:intake:lock:../x:r1',
			'v1:panel:pause:lab',
			'',
		])
			expect(parseIntakeId(strange)).toBeUndefined();
		expect(isIntakeId('v9:intake:lock:s:r1:more')).toBe(true);
		expect(isIntakeId('v1:panel:pause:lab')).toBe(false);
	});

	test('INT-20 buttons mean something only on the card that is open', () => {
		const place = { kind: 'cxp' as const, caller: 'x' };
		const base = {
			...freshSession({ id: 's', place, requesterId: 'a', review: true }, 0),
			questionSets: [setOf(question(1, 'text'))],
		};
		const asking = { ...base, state: 'QUESTIONING' as const };
		expect(isStillMeant(asking, { action: 'skip', detail: 'r1' })).toBe(true);
		expect(isStillMeant(asking, { action: 'skip', detail: 'r2' })).toBe(false);
		expect(isStillMeant(asking, { action: 'lock', detail: 'v1' })).toBe(false);
		const review = { ...base, state: 'REVIEW' as const, recompiled: 1 };
		expect(isStillMeant(review, { action: 'lock', detail: 'v2' })).toBe(true);
		expect(isStillMeant(review, { action: 'lock', detail: 'v1' })).toBe(false);
		expect(isStillMeant({ ...review, state: 'COMPLETE' }, { action: 'edit', detail: 'v2' })).toBe(false);
		expect(isStillMeant({ ...asking, state: 'SUSPENDED' }, { action: 'finish', detail: 'r1' })).toBe(true);
	});
});
