import type { AuditEntry } from './effect.ts';

/** A call of a model as the trail keeps it. What was asked and answered is kept apart, with the conversation. */
export interface ModelCallEntry {
	readonly what: 'model_call';
	readonly callId: string;
	readonly purpose: string;
	readonly model: string;
	readonly outcome: string;
	/** Hash of the prompt as it was sent. */
	readonly promptHash: string;
	readonly replyHash?: string;
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly durationMs: number;
	/** Turns of the history that were cut from the prompt because of the budget. */
	readonly truncatedTurns?: number;
	readonly at: number;
}

/** A packet that came in or a delivery to one sink of the inbox. */
export type EdgeEntry =
	| {
			readonly what: 'packet_in';
			readonly packetId: string;
			readonly from: string;
			readonly subject: string;
			readonly hash: string;
			readonly caller: string;
			readonly at: number;
	  }
	| {
			readonly what: 'delivery';
			readonly packetId: string;
			readonly sink: string;
			readonly outcome: string;
			readonly at: number;
	  }
	| {
			readonly what: 'privacy';
			readonly act: 'kept' | 'exported' | 'deleted' | 'purged';
			readonly by: string;
			readonly at: number;
	  };

export type IntakeAuditEntry = AuditEntry | ModelCallEntry | EdgeEntry;

export interface IntakeAuditRow {
	readonly sessionId: string;
	/** Stable for the same happening, so that it is written once. */
	readonly id: string;
	readonly entry: IntakeAuditEntry;
}

/** One model call in full. It is conversation: encrypted, and deleted together with the session. */
export interface ModelCallText {
	readonly callId: string;
	readonly at: number;
	readonly messages: readonly { readonly role: string; readonly content: string }[];
	readonly reply?: string;
}

/** Append-only trail of all intakes, encrypted at rest. Every method rejects when the store cannot be reached. */
export interface IntakeAudit {
	append(row: IntakeAuditRow): Promise<void>;
	/** Newest first. */
	query(filter: {
		readonly sessionId?: string;
		readonly what?: string;
		readonly limit: number;
	}): Promise<readonly IntakeAuditRow[]>;
	keepCall(sessionId: string, call: ModelCallText): Promise<void>;
	calls(sessionId: string): Promise<readonly ModelCallText[]>;
}
