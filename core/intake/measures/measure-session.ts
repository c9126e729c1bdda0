import type { IntakeSession } from '../session.ts';
import { type FactMeasures, measureFacts } from './fact-measures.ts';
import { brokenInvariants } from './invariants.ts';
import { measureQuestions, type QuestionMeasures } from './question-measures.ts';

export interface IntakeMeasures {
	readonly sessionId: string;
	readonly facts: FactMeasures;
	readonly questions: QuestionMeasures;
	readonly brokenInvariants: readonly string[];
	/** The gates that must hold for every session: `grounded`, `number_fidelity`, `invariants`, `hash`. */
	readonly failedGates: readonly string[];
}

/** Everything that can be said about a session by counting; no model is asked. */
export function measureSession(session: IntakeSession): IntakeMeasures {
	const facts = measureFacts(session);
	const broken = brokenInvariants(session);
	const gates: readonly (readonly [string, boolean])[] = [
		['grounded', facts.grounded.rate === 1],
		['number_fidelity', facts.numberFidelity.rate === 1],
		['invariants', broken.length === 0],
		['hash', facts.hashStable],
	];
	return {
		sessionId: session.id,
		facts,
		questions: measureQuestions(session),
		brokenInvariants: broken,
		failedGates: gates.filter(([, holds]) => !holds).map(([name]) => name),
	};
}
