import type { IntakeSummary } from '../intake/intake-store.ts';

/** Running and recent intakes. What people said in them is nobody's but theirs and stays out. */
export interface IntakeBoard {
	readonly sessions: readonly Omit<IntakeSummary, 'requesterId' | 'threadId' | 'deleteAt'>[];
}

export function intakeBoard(summaries: readonly IntakeSummary[]): IntakeBoard {
	const sessions = summaries.map(({ id, state, roundCount, createdAt, updatedAt }) => ({
		id,
		state,
		roundCount,
		createdAt,
		updatedAt,
	}));
	return { sessions: sessions.sort((left, right) => right.updatedAt - left.updatedAt) };
}
