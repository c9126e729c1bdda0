/**
 * The round at which an intake is compiled whatever the model says. A constant: no setting and no command reaches it. The
 * intent makes round 1 and each accepted answer adds one, so that a person sees at most three sets of questions.
 */
export const MAX_QA_ROUNDS = 4;

/** Compared with "at least", so that a count that came out too high ends the asking too. */
export function isLastRound(roundCount: number): boolean {
	return roundCount >= MAX_QA_ROUNDS;
}

/** Sets of questions a person has seen or may still see. */
export const MAX_QUESTION_SETS = MAX_QA_ROUNDS - 1;
