/** What a reporter remembers of its session, so that a house that lost everything can be told anew. Needs nothing else. */

export interface OpenQuestions<Data extends object = object> {
	/** Takes note of a report. */
	note(kind: string, data: Data): void;
	/** Data of the reports whose question is still open, oldest first. */
	all(): readonly Data[];
}

/** Kinds after which nothing that was asked before is open. */
const CLOSING: ReadonlySet<string> = new Set(['started', 'idle', 'finished', 'failed', 'aborted', 'ended']);
const TAKEN_MAX = 500;

export function createOpenQuestions<Data extends object>(): OpenQuestions<Data> {
	const open = new Map<string, Data>();
	return {
		note(kind, data) {
			const { question, ref } = data as { question?: { ref?: string }; ref?: string };
			if (kind === 'question' && question?.ref !== undefined) open.set(question.ref, data);
			else if (kind === 'question_closed' && ref !== undefined) open.delete(ref);
			else if (kind === 'question_closed' || CLOSING.has(kind)) open.clear();
		},
		all: () => [...open.values()],
	};
}

/** Ids of items that the agent was handed already, the newest few hundred. */
export function createTakenItems(): { has(id: string): boolean; add(id: string): void } {
	const ids = new Set<string>();
	return {
		has: (id) => ids.has(id),
		add(id) {
			ids.add(id);
			const [oldest] = ids;
			if (ids.size > TAKEN_MAX && oldest !== undefined) ids.delete(oldest);
		},
	};
}
