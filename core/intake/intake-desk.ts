import type { EventOf, IntakeEvent } from './event.ts';
import type { NewSession, UnavailableReason } from './session.ts';

/** What became of an event that was handed in. */
export type Submitted =
	/** A worker took it: the session's answer follows over its surface. */
	| { readonly kind: 'taken' }
	/** The same event was handed in before; nothing happens twice. */
	| { readonly kind: 'duplicate' }
	/** No such session, or its conversation was deleted. */
	| { readonly kind: 'unknown' }
	/**
	 * The assistant cannot be reached. `kept`: it is stored and is worked off by itself later; otherwise it has to be handed
	 * in again under the same id. Say so explicitly (`assistant_unavailable` and the reason), never anything made up.
	 */
	| { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly kept: boolean };

export type Opened =
	| { readonly kind: 'opened'; readonly sessionId: string; readonly first: Submitted }
	/** The same request, or another one in the same thread, opened this one before. */
	| { readonly kind: 'exists'; readonly sessionId: string }
	| { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly kept: false };

export interface SubmitOptions {
	/** How long to wait for a worker to take it, in milliseconds; `intake.readinessMs` when absent, 0 = do not wait. */
	readonly waitMs?: number;
}

/** Where surfaces hand in what people did. Never rejects because Redis or the workers are away: that is an answer. */
export interface IntakeDesk {
	/** `onceId`: message, interaction or packet id; the same one again gives the same session. */
	open(start: NewSession, intent: EventOf<'intent'>, onceId: string, options?: SubmitOptions): Promise<Opened>;
	submit(sessionId: string, event: IntakeEvent, options?: SubmitOptions): Promise<Submitted>;
}
