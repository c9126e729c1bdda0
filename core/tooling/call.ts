import type { BlockReason } from './facts.ts';

/** A call as the model proposed it; nothing in it is trusted. */
export interface ProposedCall {
	/** `hash(decision, tool, index)`: claims and queue jobs are made with it. */
	readonly id: string;
	readonly tool: string;
	/** Raw arguments: an object, text that may hold JSON, null. */
	readonly args: unknown;
}

/** How a call ended. Only `confirmed` may be spoken of as done. */
export type CallOutcome =
	| { readonly kind: 'confirmed'; readonly summary: string; readonly result?: unknown; readonly contextId?: string }
	| { readonly kind: 'unconfirmed'; readonly summary: string; readonly contextId?: string }
	| { readonly kind: 'failed'; readonly code: string; readonly summary: string }
	| { readonly kind: 'blocked'; readonly reasons: readonly BlockReason[]; readonly summary: string }
	| {
			readonly kind: 'invalid';
			readonly code: 'invalid_args' | 'unknown_tool' | 'ambiguous' | 'not_allowed';
			readonly summary: string;
	  }
	| { readonly kind: 'dry_run'; readonly summary: string }
	/** It may or may not have happened; it is never repeated. */
	| { readonly kind: 'unknown'; readonly summary: string };

/** One audit row: a step in the life of a call, append-only. Arguments are as validated, or shortened raw text. */
export interface AuditRow {
	readonly id: string;
	/** Epoch ms. */
	readonly at: number;
	readonly room: string;
	readonly decisionId: string;
	readonly callId: string;
	readonly tool: string;
	readonly step:
		| 'proposed'
		| 'blocked'
		| 'invalid'
		| 'dry_run'
		| 'running'
		| 'confirmed'
		| 'unconfirmed'
		| 'failed'
		| 'unknown';
	readonly trigger: string;
	/** Person or event behind it. */
	readonly cause?: string;
	readonly args?: unknown;
	readonly reasons?: readonly BlockReason[];
	readonly summary?: string;
	readonly contextId?: string;
	readonly durationMs?: number;
	/** Id of the trace that it belongs to, the same as in the log. */
	readonly trace?: string | undefined;
}

export interface Audit {
	append(row: AuditRow): Promise<void>;
	/** Newest first. */
	query(filter: { room?: string; tool?: string; step?: string; before?: number; limit: number }): Promise<AuditRow[]>;
}
