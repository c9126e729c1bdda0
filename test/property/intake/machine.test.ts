import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../core/intake/canonical-json.ts';
import type { Effect } from '../../../core/intake/effect.ts';
import { type IntakeEvent, intakeEvent } from '../../../core/intake/event.ts';
import { brokenInvariants } from '../../../core/intake/measures/invariants.ts';
import { MAX_QA_ROUNDS, MAX_QUESTION_SETS } from '../../../core/intake/rounds.ts';
import { freshSession, type IntakeSession, readSession } from '../../../core/intake/session.ts';
import { stepIntake } from '../../../core/intake/step.ts';
import { wakeAt } from '../../../core/intake/wake.ts';
import { SETTINGS, START, WISH } from '../../unit/core/intake/intake-driver.ts';
import { eventOf, type Move, move } from './intake-plan.ts';

interface Played {
	readonly states: readonly IntakeSession[];
	readonly effects: readonly (readonly Effect[])[];
	readonly events: readonly IntakeEvent[];
}

function play(moves: readonly Move[], review: boolean, withRestarts = true): Played {
	let session = freshSession({ id: 's1', place: { kind: 'cxp', caller: 'u1' }, requesterId: 'u1', review }, START);
	let now = START;
	const states = [session];
	const effects: (readonly Effect[])[] = [];
	const events: IntakeEvent[] = [];
	const opening: Move = { do: 'person', kind: 'intent', who: 0, text: WISH };
	[opening, ...moves].forEach((one, at) => {
		if (one.do === 'wait') now += one.ms;
		if (one.do === 'restart' && withRestarts)
			session = readSession(JSON.parse(JSON.stringify(session))) as IntakeSession;
		const event = eventOf(one, session, at, events);
		if (event === undefined) return;
		events.push(event);
		const step = stepIntake(session, intakeEvent.parse(event), SETTINGS, now);
		session = step.state;
		states.push(session);
		effects.push(step.effects);
	});
	return { states, effects, events };
}

const plan = fc.tuple(fc.array(move, { maxLength: 60 }), fc.boolean());
const RUNS = { numRuns: 400 };
const property = (check: (played: Played) => void) =>
	fc.assert(
		fc.property(plan, ([moves, review]) => check(play(moves, review))),
		RUNS,
	);

describe('whatever happens, in whatever order, doubled, late or after a restart', { timeout: 120_000 }, () => {
	test('INT-5 INT-1 CONST-032-011 rounds stay within the limit and grow by at most one an event', () => {
		property(({ states }) => {
			states.forEach((state, at) => {
				expect(state.roundCount).toBeLessThanOrEqual(MAX_QA_ROUNDS);
				expect(state.questionSets.length).toBeLessThanOrEqual(MAX_QUESTION_SETS);
				expect(state.roundCount - (states[at - 1]?.roundCount ?? 0)).toBeLessThanOrEqual(1);
			});
		});
	});

	test('INT-5 once the questions are answered, rounds are one more than the answers and skips', () => {
		property(({ states }) => {
			for (const state of states) {
				if (state.state !== 'QUESTIONING') continue;
				const answers = state.history.filter(
					({ kind, role }) => role === 'user' && (kind === 'answer' || kind === 'skip'),
				).length;
				expect(state.roundCount).toBe(1 + answers);
			}
		});
	});

	test('INT-2 the original intent never changes', () => {
		property(({ states }) => {
			for (const state of states.slice(1)) {
				expect(state.originalIntent).toBe(WISH);
				expect(state.history[0]?.content).toBe(WISH);
			}
		});
	});

	test('INT-4 INT-5 CONST-032-003 CONST-032-010 nothing is compiled before a set was asked and answered, and nothing asked after', () => {
		property(({ states, effects }) => {
			let isFinal = false;
			effects.forEach((list, at) => {
				const state = states[at + 1] as IntakeSession;
				for (const effect of list) {
					if (effect.kind === 'ask') expect(isFinal).toBe(false);
					if (effect.kind === 'review' || effect.kind === 'govern' || effect.kind === 'deliver')
						expect(state.questionSets.some((set) => set.state !== 'open')).toBe(true);
				}
				isFinal ||= state.finalization !== undefined || state.ending !== undefined;
			});
		});
	});

	test('INT-11 INT-10 CONST-032-007 CONST-032-009 a packet goes to U:BA only, once a lock, and only after its own verdict', () => {
		property(({ effects, events }) => {
			const sent: string[] = [];
			effects.forEach((list, at) => {
				for (const effect of list) {
					if (effect.kind !== 'deliver') continue;
					const event = events[at];
					expect(effect.packet).toMatchObject({ from: 'U:Cx', to: 'U:BA', subject: 'requirements' });
					expect(event).toMatchObject({ kind: 'governance', packetId: effect.packet.id });
					expect(event?.kind === 'governance' && event.verdict.outcome).not.toBe('deny');
					sent.push(effect.packet.id);
				}
			});
			expect(new Set(sent).size).toBe(sent.length);
		});
	});

	test('INT-9 CONST-032-004 CONST-032-006 invented facts are never kept', () => {
		property(({ states }) => {
			for (const state of states) {
				expect(state.prologFacts).not.toContain('blockchain');
				expect(brokenInvariants(state)).toEqual([]);
			}
		});
	});

	test('INT-1 INT-24 every change of state is told, and the state is what was told last', () => {
		property(({ states, effects }) => {
			let told = 'IDLE';
			effects.forEach((list, at) => {
				for (const effect of list) {
					if (effect.kind !== 'log') continue;
					expect(effect.from).toBe(told);
					told = effect.to;
				}
				expect(states[at + 1]?.state).toBe(told);
			});
		});
	});

	test('INT-15 the same event twice does nothing the second time', () => {
		property(({ states, events }) => {
			events.forEach((event, at) => {
				if (event.kind === 'tick' || event.kind === 'resume') return;
				const after = states[at + 1] as IntakeSession;
				const again = stepIntake(after, event, SETTINGS, after.updatedAt);
				const caused = again.effects.filter(({ kind }) => ['call_model', 'ask', 'deliver', 'govern'].includes(kind));
				expect(caused).toEqual([]);
				expect(again.state.roundCount).toBe(after.roundCount);
			});
		});
	});

	test('INT-20 the state is JSON through and through: a restart at any point changes nothing that follows', () => {
		fc.assert(
			fc.property(plan, ([moves, review]) => {
				const restarted = play(
					moves.flatMap((one) => [{ do: 'restart' as const }, one]),
					review,
				);
				const straight = play(
					moves.flatMap((one) => [{ do: 'restart' as const }, one]),
					review,
					false,
				);
				expect(canonicalJson(restarted.states.at(-1))).toBe(canonicalJson(straight.states.at(-1)));
				expect(restarted.effects).toEqual(straight.effects);
			}),
			{ numRuns: 150 },
		);
	});

	test('INT-19 nothing a requester wrote is lost: it is in the history, waiting, or was refused aloud', () => {
		property(({ states, events, effects }) => {
			events.forEach((event, at) => {
				if (event.kind !== 'message' || event.text.trim() === '' || states[at]?.revision === states[at + 1]?.revision)
					return;
				if (effects[at]?.some((effect) => effect.kind === 'error')) return;
				if (effects[at]?.some((effect) => effect.kind === 'notice' && effect.code === 'no_more_edits')) return;
				const after = states[at + 1] as IntakeSession;
				const kept = (state: IntakeSession) =>
					[...(state.pending?.parts ?? []), ...state.history.flatMap(({ parts }) => parts)].some(
						({ messageId }) => messageId === event.id,
					);
				expect(kept(after)).toBe(true);
			});
		});
	});

	test('INT-14 INT-18 no living session waits for ever: time alone moves it on', () => {
		property(({ states }) => {
			let state = states.at(-1) as IntakeSession;
			for (
				let steps = 0;
				steps < 60 && state.state !== 'COMPLETE' && state.state !== 'CANCELLED' && state.state !== 'HANDOVER';
				steps += 1
			) {
				const at = wakeAt(state, SETTINGS);
				expect(at, state.state).toBeDefined();
				const next = stepIntake(state, { kind: 'tick' }, SETTINGS, at ?? 0).state;
				expect(next, `${state.state} does not move at its time`).not.toBe(state);
				state = next;
			}
		});
	});
});
