import type { Question } from './question.ts';
import type { ReportedQuestion } from './report.ts';

/** What has to be reported so that the record of a session's questions is what its agent says. */
export interface Relisted {
	/** Open in the agent, and unknown or wrongly settled here. */
	readonly announce: readonly ReportedQuestion[];
	/** Open here only, by the agent's own ids. */
	readonly lost: readonly string[];
}

/**
 * Compares the record with what the agent has open. A question that it has again keeps its id, made from the agent's own; an
 * answer that is on its way stays one.
 */
export function relist(stored: readonly Question[], inAgent: readonly ReportedQuestion[]): Relisted {
	const byRef = new Map(stored.map((question) => [question.ref, question]));
	const alive = new Set(inAgent.map(({ ref }) => ref));
	return {
		announce: inAgent.filter(({ ref }) => {
			const known = byRef.get(ref);
			return known === undefined || known.state === 'lost' || known.state === 'closed';
		}),
		lost: stored.filter(({ ref, state }) => state === 'open' && !alive.has(ref)).map(({ ref }) => ref),
	};
}
