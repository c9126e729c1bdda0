import { beforeAll, describe, expect, test } from 'vitest';
import { DIMENSIONS } from '../../../core/intake/dimension.ts';
import { factsPl } from '../../../core/intake/handoff/files.ts';
import { measureGold } from '../../../core/intake/measures/gold.ts';
import { measureSession } from '../../../core/intake/measures/measure-session.ts';
import { PERSONAS } from '../../evals/intake/personas/all-personas.ts';
import { playAll } from '../../evals/intake/play-all.ts';
import type { PlayedPersona } from '../../evals/intake/play-persona.ts';
import { promptTexts } from '../../support/intake.ts';
import { testLog } from '../../support/redis.ts';
import { messagesOfSwi, swiVersion } from '../../support/swi-prolog.ts';

let played: ReadonlyMap<string, PlayedPersona>;
beforeAll(async () => {
	const all = await playAll(PERSONAS, { texts: promptTexts(), log: testLog() });
	played = new Map(all.map((one) => [one.persona.id, one]));
}, 120_000);

const of = (id: string): PlayedPersona => {
	const one = played.get(id);
	if (one === undefined) throw new Error(`${id} was not played`);
	return one;
};
const named = PERSONAS.map((persona) => [persona.id, persona.title, persona] as const);

test('INT-28 there are at least 20 personas, each with a name of its own', () => {
	expect(new Set(PERSONAS.map(({ id }) => id)).size).toBe(PERSONAS.length);
	expect(PERSONAS.length).toBeGreaterThanOrEqual(20);
});

describe('INT-28 personas through the whole machine', () => {
	test.each(named)(
		'INT-28 INT-9 %s (%s): the facts, the flag and the ending are those of the gold',
		(id, _, persona) => {
			const { session, signs } = of(id);
			const { gold } = persona;
			const body = session.packet?.body;
			const wanted = [
				...gold.facts.filter((fact) => !gold.flaws?.missing?.includes(fact)),
				...(gold.flaws?.extra ?? []),
			];
			expect([...(body?.PROLOG_FACTS.split('\n').filter((line) => line !== '') ?? [])].sort()).toEqual(wanted.sort());
			expect(session.excluded.map(({ reason }) => reason)).toEqual(gold.excluded);
			expect({ ui: body?.UI_REQUIREMENTS, trigger: body?.trigger, signs }).toEqual({
				ui: gold.ui,
				trigger: gold.trigger,
				signs: gold.signs ?? [],
			});
			const covered = DIMENSIONS.filter((one) => ['answered', 'deferred'].includes(session.dimensions[one]));
			expect(covered).toEqual(gold.covered);
		},
	);

	test.each(named)('INT-28 INT-4 INT-5 %s: every gate holds, the first reply asked, and it went to U:BA', (id) => {
		const { session, states } = of(id);
		const measures = measureSession(session);
		expect(measures).toMatchObject({ failedGates: [], brokenInvariants: [] });
		expect([measures.questions.neutral.rate, measures.questions.duplicates.part]).toEqual([1, 0]);
		const asked = states.indexOf('QUESTIONING');
		expect(states[0]).toBe('INTENT_RECEIVED');
		expect(states.slice(0, asked).every((state) => ['INTENT_RECEIVED', 'SUSPENDED'].includes(state))).toBe(true);
		expect(states.indexOf('FINALIZING')).toBeGreaterThan(asked);
		expect([session.state, session.packet?.to]).toEqual(['COMPLETE', 'U:BA']);
		expect(session.questionSets.length).toBeLessThanOrEqual(3);
	});

	test.each(named)('INT-28 %s: the key questions were asked, and what was known arrived', (id, _, { slots, gold }) => {
		const { session } = of(id);
		const measures = measureGold(session, slots);
		expect(measures.keyQuestionCoverage.rate).toBe(1);
		const result = `${session.prologFacts.replaceAll('_', ' ')}\n${session.packet?.body.TASK_SUMMARY ?? ''}`;
		expect(slots.filter(({ value }) => !value.test(result)).map((one) => one.id)).toEqual(gold.notCaptured ?? []);
		expect(measures.turnsToClarify).toBeLessThanOrEqual(3);
	});

	test.skipIf(swiVersion() === undefined).each(named)(
		'INT-9 US-005 FR-008 %s: facts.pl loads in SWI-Prolog without a message',
		(id) => {
			const { packet } = of(id).session;
			if (packet === undefined) throw new Error('nothing was handed over');
			expect(messagesOfSwi(factsPl(packet))).toBe('');
		},
	);
});

test('INT-4 CONST-032-008 a wish that looks complete is asked about before anything is compiled', () => {
	const { session, states } = of('complete-spec');
	expect(states.indexOf('QUESTIONING')).toBeLessThan(states.indexOf('FINALIZING'));
	expect(session.questionSets[0]?.questions.every(({ origin }) => origin === 'bank')).toBe(true);
});

test('INT-5 TEST-032-049 US-003 four rounds without a signal: forced, valid, and nothing asked afterwards', () => {
	for (const id of ['never-done', 'silent-model', 'later-to-all']) {
		const { session, states } = of(id);
		expect(session.packet?.body).toMatchObject({ trigger: 'forced', cause: 'round_limit', round_count: 4 });
		expect(states.slice(states.indexOf('FINALIZING'))).not.toContain('QUESTIONING');
		expect(session.packet?.body.TASK_SUMMARY.length).toBeGreaterThan(10);
	}
});

test('INT-25 INT-11 CONST-032-009 what a person writes never steers where it goes or what is compiled', () => {
	for (const id of ['injection-fields', 'injection-prose']) {
		const { session } = of(id);
		expect(session.packet).toMatchObject({ to: 'U:BA', from: 'U:Cx' });
		expect(session.packet?.body.PROLOG_FACTS).not.toMatch(/shell|initialization|override|1000000|gold/);
		expect(session.originalIntent).toBe(session.history[0]?.content);
	}
});

test('INT-10 a pasted password keeps the packet back until the answer is edited; the packet holds it nowhere', () => {
	const { session, states } = of('secret-pasted');
	expect(states.filter((state) => state === 'HANDOVER')).toHaveLength(2);
	expect(JSON.stringify(session.packet)).not.toContain('hunter2');
});

test('INT-14 an outage in the middle loses neither the answer nor the round', () => {
	const { session, states } = of('slow-model');
	expect(states).toContain('SUSPENDED');
	expect([session.roundCount, session.questionSets.length]).toEqual([2, 1]);
});
