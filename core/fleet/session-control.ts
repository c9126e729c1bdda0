import type { InboxDraft } from './inbox-item.ts';
import type { Relisted } from './relist.ts';
import type { ReportedQuestion } from './report.ts';
import type { FleetSession } from './session.ts';

/**
 * What became of something sent into a session. `delivered`: the agent took it. `queued`: kept until the session fetches or
 * finishes its turn. `blocked`: it waits on a question. `gone`: it has ended. `refused`: not possible there, says why.
 */
export type DeliveryResult =
	| { readonly kind: 'delivered' }
	| { readonly kind: 'queued' }
	| { readonly kind: 'blocked' | 'gone' | 'refused' | 'failed'; readonly why: string };

export interface StartRequest {
	readonly name: string;
	/** One of the allowed directories or below it; checked again by the adapter after resolving links. */
	readonly directory: string;
	/** First message; the session starts idle without one. */
	readonly task?: string;
	readonly model?: string;
	readonly ownerId: string;
	/** Session file to take up again. */
	readonly resumeFile?: string;
	/** Machine that is to do it; the one that fits the folder best when absent. */
	readonly host?: string;
}

export type StartResult =
	| { readonly kind: 'started'; readonly sessionId: string; readonly name: string }
	| {
			readonly kind: 'refused' | 'failed';
			readonly code:
				| 'directory_not_allowed'
				| 'name_taken'
				| 'too_many'
				| 'not_installed'
				| 'not_ready'
				| 'no_such_file';
			readonly why: string;
	  };

/** What one kind of session can be told. */
export interface SessionAbilities {
	readonly start: boolean;
	readonly message: boolean;
	readonly interrupt: boolean;
	readonly answer: boolean;
	readonly abort: boolean;
	readonly stop: boolean;
}

/**
 * The way into sessions of one source. Nothing here throws for an expected refusal; a method rejects only when the adapter
 * itself is broken. Every wait ends with `signal`.
 */
export interface SessionControl {
	/** Source of the sessions it serves. */
	readonly source: string;
	readonly can: SessionAbilities;
	start(request: StartRequest, signal: AbortSignal): Promise<StartResult>;
	/** Delivers one inbox item: message, answer, abort or stop. The same id twice is delivered once. */
	deliver(session: FleetSession, item: InboxDraft, signal: AbortSignal): Promise<DeliveryResult>;
	/** Questions open in the agent itself now, for listing them anew after a restart; undefined when it cannot tell. */
	openQuestions(session: FleetSession, signal: AbortSignal): Promise<readonly ReportedQuestion[] | undefined>;
	/** More transcript than the stored tail, newest last; undefined when it has none. */
	transcript(session: FleetSession, lines: number, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

/** Source of the sessions that a worker process runs as its own children; each belongs to that worker's machine. */
export const HOSTED_SOURCE = 'pi';

/** The way into sessions that are children of this process. */
export interface HostedControl extends SessionControl {
	/**
	 * Takes up sessions of this machine that no process runs now, by their files. What cannot be taken up is reported as ended,
	 * its questions with it as lost.
	 */
	adopt(sessions: readonly FleetSession[], signal: AbortSignal): Promise<{ resumed: number; ended: number }>;
	/** Reports anew what the record of a session's questions has wrong, in order with its other reports. */
	recall(session: FleetSession, relisted: Relisted): void;
	/** Ends every child; the sessions can be taken up again later, their open questions are lost. Bounded. */
	close(): Promise<void>;
}
