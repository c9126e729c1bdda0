import type { CallOutcome } from './call.ts';

/** Codes of failures of ours, not of the house and not of a rule. */
const OURS: readonly string[] = ['store_unavailable', 'error', 'late'];

/** The call was broken off rather than refused: trying it again may fare better, where it may be repeated at all. */
export function isInterrupted(outcome: CallOutcome): boolean {
	return outcome.kind === 'unknown' || (outcome.kind === 'failed' && OURS.includes(outcome.code));
}
