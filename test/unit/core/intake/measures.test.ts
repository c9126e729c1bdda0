import { describe, expect, test } from 'vitest';
import { measureGold } from '../../../../core/intake/measures/gold.ts';
import { brokenInvariants } from '../../../../core/intake/measures/invariants.ts';
import { measureSession } from '../../../../core/intake/measures/measure-session.ts';
import { addShares, median, shareOf } from '../../../../core/intake/measures/share.ts';
import type { IntakeSession } from '../../../../core/intake/session.ts';
import { compiled, drive, FINAL, QUESTIONS, WISH } from './intake-driver.ts';

const done = () => compiled().press('lock').verdict('allow');

describe('INT-28 facts', () => {
	test('INT-28 a session of the machine passes every gate', () => {
		const measures = measureSession(done().session);
		expect(measures.failedGates).toEqual([]);
		expect(measures.facts).toMatchObject({
			grounded: { part: 2, whole: 2, rate: 1 },
			numberFidelity: { part: 1, whole: 1 },
			faithfulness: { rate: 1 },
			interviewCoverage: { part: 2, whole: 3 },
			contradictions: [],
			hashStable: true,
		});
	});

	const tampered = (over: (session: IntakeSession) => Partial<IntakeSession>) => {
		const { session } = done();
		return measureSession({ ...session, ...over(session) });
	};

	test('INT-28 a fact that rests on nothing, a number nobody said, a block that is not canonical: each fails its gate', () => {
		const first = (session: IntakeSession) => session.facts[0] as IntakeSession['facts'][0];
		const ungrounded = tampered((session) => ({
			facts: [{ ...first(session), evidence: [{ turnId: 't1', messageId: 'm1', quote: 'not said' }] }],
		}));
		expect(ungrounded.failedGates).toEqual(['grounded']);
		const number = tampered((session) => ({
			facts: [{ ...first(session), text: 'has_feature(inventory,77).', arity: 2 }],
		}));
		expect(number.failedGates).toEqual(['number_fidelity']);
		expect(tampered(() => ({ prologFacts: 'has_feature( inventory ).\n' })).failedGates).toEqual(['hash']);
		expect(tampered(() => ({ roundCount: 6 }))).toMatchObject({
			failedGates: ['invariants'],
			brokenInvariants: ['rounds_within_limit'],
		});
	});

	test('INT-28 contradictions and reasons are counted', () => {
		const measures = tampered((session) => {
			const [base] = session.facts;
			const make = (text: string, predicate: string) => ({
				...(base as IntakeSession['facts'][0]),
				text,
				predicate,
				arity: 1,
			});
			return {
				facts: [
					make('budget(1).', 'budget'),
					make('budget(2).', 'budget'),
					make('has_feature(x).', 'has_feature'),
					make('out_of_scope(x).', 'out_of_scope'),
				],
				excluded: [
					{ text: '', reason: 'bullet' },
					{ text: '', reason: 'bullet' },
					{ text: '', reason: 'ungrounded' },
				],
			};
		});
		expect(measures.facts.contradictions).toEqual(['budget', 'out_of_scope:x']);
		expect(measures.facts.excluded).toEqual({ bullet: 2, ungrounded: 1 });
	});
});

describe('INT-28 questions', () => {
	test('INT-28 load, times, skips, coverage and yield', () => {
		const driver = drive().say(WISH).reply(QUESTIONS);
		driver.now += 30_000;
		driver.say('Two admins manage the stock.').reply('D3: What is kept?').press('skip_round').reply(FINAL);
		const { questions } = measureSession(driver.session);
		expect(questions).toMatchObject({
			total: 3,
			perRound: [2, 1],
			medianAnswerMs: 30_000,
			skipped: { part: 1, whole: 2, rate: 0.5 },
			coverage: { part: 3, whole: 7 },
			firstAsked: { D1: 1, D7: 1, D3: 2 },
			factsPerAnswer: 1,
			wasted: 0,
			neutral: { rate: 1 },
			wellFormed: { rate: 1 },
			duplicates: { part: 0 },
			edits: 0,
		});
		expect(questions.wordsToRead).toBeGreaterThan(8);
	});

	test('INT-28 leading, compound, repeated questions and lopsided choices are counted', () => {
		const { session } = drive().say(WISH).reply(QUESTIONS);
		const [set] = session.questionSets;
		if (set === undefined) throw new Error('no set');
		const make = (text: string, labels: string[] = []) => ({
			id: text,
			dimension: 'D1' as const,
			text,
			kind: labels.length > 0 ? ('single' as const) : ('text' as const),
			options: labels.map((label, at) => ({ value: `o${at}`, label })),
			origin: 'model' as const,
		});
		const questions = [
			make("Wouldn't you like accounts?"),
			make('Who pays and how often do they pay?'),
			make('Who pays?'),
			make('Who pays?', ['no', 'yes, with everything that belongs to it']),
		];
		expect(measureSession({ ...session, questionSets: [{ ...set, questions }] }).questions).toMatchObject({
			neutral: { part: 3, whole: 4 },
			wellFormed: { part: 3, whole: 4 },
			duplicates: { part: 1, whole: 4 },
			unbalancedOptions: 1,
			rules: { leading: 1, compound: 1 },
		});
	});

	test('INT-28 a session without questions is measured too', () => {
		expect(measureSession(drive().session)).toMatchObject({
			failedGates: [],
			questions: { total: 0, factsPerAnswer: undefined },
		});
	});
});

test('INT-28 gold slots: what was asked for, what arrived, and in how many turns', () => {
	const slots = [
		{ id: 'stock', asked: /stock/i, value: /inventory/i },
		{ id: 'admins', asked: /who/i, value: /admins?/i },
		{ id: 'colour', asked: /colou?r/i, value: /blue/i },
	];
	expect(measureGold(done().session, slots)).toEqual({
		keyQuestionCoverage: { part: 2, whole: 3, rate: 2 / 3 },
		captured: { part: 2, whole: 3, rate: 2 / 3 },
		turnsToClarify: undefined,
	});
	expect(measureGold(done().session, slots.slice(0, 2)).turnsToClarify).toBe(1);
});

test('INT-28 every broken rule of the machine is named', () => {
	const { session } = done();
	const broken = (over: Partial<IntakeSession>) => brokenInvariants({ ...session, ...over });
	expect(broken({})).toEqual([]);
	expect(broken({ originalIntent: 'other' })).toContain('intent_first');
	expect(broken({ questionSets: [] })).toContain('asked_before_final');
	expect(
		broken({ questionSets: session.questionSets.map((set) => ({ ...set, askedAt: Number.MAX_SAFE_INTEGER })) }),
	).toContain('no_question_after_final');
	expect(broken({ state: 'COMPLETE', verdict: { outcome: 'deny', findings: [] } })).toContain('sent_only_when_allowed');
	expect(
		broken({ packet: { ...(session.packet as NonNullable<IntakeSession['packet']>), to: 'U:PM' as 'U:BA' } }),
	).toContain('only_to_analyst');
});

test('INT-28 shares add up by their counts', () => {
	expect(addShares([shareOf(1, 2), shareOf(3, 3)])).toEqual({ part: 4, whole: 5, rate: 0.8 });
	expect([median([]), median([3, 1, 2]), median([4, 1])]).toEqual([undefined, 2, 2.5]);
});
