export type DecisionMode = 'SKIP' | 'CHAT' | 'ACTION' | 'ACTION+CHAT';

/** A call inside a decision, before it gets an id. */
export interface DecisionCall {
	readonly tool: string;
	readonly args: unknown;
}

export interface RefusedCall extends DecisionCall {
	readonly reason: 'too_many' | 'duplicate' | 'contradictory' | 'mode_without_action' | 'truncated';
}

/** The one shape every provider's output ends as. `note` says why something was left out or not understood. */
export interface Decision {
	readonly mode: DecisionMode;
	readonly chat?: string;
	readonly calls: readonly DecisionCall[];
	/** Calls left out by the rules of one decision, for the audit; never run. */
	readonly refused?: readonly RefusedCall[];
	/** Counted reasons, e.g. `empty`, `invalid_json`, `truncated`, `calls_in_prose`, `too_many_calls`, `contradictory`. */
	readonly notes: readonly string[];
}
