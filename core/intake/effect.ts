import type { IntakeErrorCode } from './error-code.ts';
import type { GovernanceInput } from './governance-port.ts';
import type { FinalCause, FinalTrigger, HandoffPacket } from './handoff-packet.ts';
import type { QuestionSet } from './question.ts';
import type { AwaitedCall, IntakeState, UnavailableReason } from './session.ts';

/** Sentences that the edge says in its own words and language. */
export type NoticeCode =
	/** A second intent came; the first one stands. */
	| 'intent_kept'
	/** Text came while the model was at work; it is kept and joins the next answer. */
	| 'held_over'
	/** Text came after compiling had begun; it is in the history, but no fact rests on it yet. */
	| 'came_late'
	/** A message was edited after it had been used. Said once a message. */
	| 'edit_too_late'
	/** Finish now, before one round was answered. */
	| 'finish_too_early'
	/** A form of an older round. */
	| 'stale_form'
	/** Nothing to send or skip here. */
	| 'nothing_to_do'
	| 'answer_edited'
	| 'no_more_edits'
	| 'invited'
	| 'resumed'
	| 'standing_questions';

/**
 * What the session wants done. Ids are stable: the same step computed twice gives the same ids, and carrying one out twice
 * must be harmless. `log` and `audit` may be lost in a crash; all others must be stored together with the state.
 */
export type Effect = { readonly id: string } & (
	| { readonly kind: 'log'; readonly from: IntakeState; readonly to: IntakeState; readonly cause: string }
	| { readonly kind: 'call_model'; readonly call: AwaitedCall }
	/** Questions to HUMAN. */
	| { readonly kind: 'ask'; readonly set: QuestionSet }
	| { readonly kind: 'notice'; readonly code: NoticeCode; readonly detail?: string }
	| { readonly kind: 'error'; readonly code: IntakeErrorCode; readonly detail?: string }
	/** The explicit answer when the assistant cannot be reached; machines read `code`. Once an outage. */
	| {
			readonly kind: 'unavailable';
			readonly code: 'assistant_unavailable';
			readonly reason: UnavailableReason;
			readonly error: 'E08' | 'E09';
			/** Epoch ms at which a used-up limit opens again. */
			readonly opensAt?: number;
	  }
	/** Show the review card made from the state. */
	| { readonly kind: 'review'; readonly autoLockAt: number | undefined }
	| { readonly kind: 'govern'; readonly input: GovernanceInput }
	/** To U:BA, and to nobody else. Only emitted with a verdict that is not `deny`. */
	| { readonly kind: 'deliver'; readonly packet: HandoffPacket }
	/** A notice in the admin channel that needs somebody. */
	| {
			readonly kind: 'notify_admin';
			readonly code: 'escalation' | 'undeliverable' | 'policy_error';
			readonly detail: string;
	  }
	/** The session is over: show the last card; the store applies its retention rule. */
	| { readonly kind: 'done'; readonly state: 'COMPLETE' | 'CANCELLED' }
	| { readonly kind: 'audit'; readonly entry: AuditEntry }
);
export type EffectKind = Effect['kind'];
export type EffectOf<Kind extends EffectKind> = Extract<Effect, { kind: Kind }>;

/** Rows of the trail. No text of the person is in them; facts are the canonical ones. */
export type AuditEntry =
	| {
			readonly what: 'finalized';
			readonly roundCount: number;
			readonly trigger: FinalTrigger;
			readonly cause: FinalCause;
			readonly at: number;
			readonly kept: readonly string[];
			readonly excluded: readonly { readonly text: string; readonly reason: string }[];
			readonly standIns: readonly string[];
			readonly escalateTo: string | undefined;
			readonly uiRequired: boolean;
	  }
	| {
			readonly what: 'verdict';
			readonly packetId: string;
			readonly outcome: string;
			readonly articles: readonly string[];
			readonly at: number;
	  }
	| {
			readonly what: 'packet';
			readonly packetId: string;
			readonly to: string;
			readonly subject: string;
			readonly hash: string;
			readonly at: number;
	  }
	| {
			readonly what: 'answer_edited';
			readonly turnId: string;
			readonly droppedFacts: readonly string[];
			readonly at: number;
	  }
	/** A reply that broke a rule: `marker_ignored`, `lint`, `unusable`, `late_reply`, `facts_malformed`. */
	| { readonly what: 'reply'; readonly note: string; readonly detail: readonly string[]; readonly at: number }
	| { readonly what: 'refused'; readonly code: IntakeErrorCode; readonly at: number };
