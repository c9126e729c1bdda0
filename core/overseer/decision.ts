export type DecisionMode = 'SKIP' | 'CHAT' | 'ACTION' | 'ACTION+CHAT';

/** A call inside a decision, before it gets an id. */
export interface DecisionCall {
	readonly tool: string;
	readonly args: unknown;
}

/** The one shape every provider's output ends as. `note` says why something was left out or not understood. */
export interface Decision {
	readonly mode: DecisionMode;
	readonly chat?: string;
	readonly calls: readonly DecisionCall[];
	/** Counted reasons, e.g. `empty`, `invalid_json`, `truncated`, `calls_in_prose`, `too_many_calls`, `contradictory`. */
	readonly notes: readonly string[];
}
