import type { EntityState } from './entity.ts';

/**
 * Where the connection stands. `connecting`: not yet up, or up but the first states are not in; `ready`: states are
 * live; `lost`: was ready, retrying; `auth_failed`: the token was refused, see `lastError`; `stopped`: `stop()` was called
 * or `start()` was not.
 */
export type HomePhase = 'connecting' | 'ready' | 'lost' | 'auth_failed' | 'stopped';

export interface HomeStatus {
	/** True only in phase `ready`; while false, `states()` holds the last known values and no call is sent. */
	readonly connected: boolean;
	readonly phase: HomePhase;
	/** Epoch milliseconds at which this phase began. */
	readonly since: number;
	/** Code and text of the last failure, without secrets. */
	readonly lastError?: { readonly code: string; readonly message: string };
}

/** One service call on one named entity; areas, devices and lists are not expressible on purpose. */
export interface HomeCallRequest {
	/** Service domain, e.g. `light`. */
	readonly domain: string;
	/** Service name, e.g. `turn_on`. */
	readonly service: string;
	readonly entityId: string;
	/** Further service fields, e.g. `{ brightness_pct: 40 }`; `entity_id` and target keys are refused. */
	readonly data?: Readonly<Record<string, unknown>>;
	/** Longest wait for the answer, in milliseconds from now. */
	readonly deadlineMs: number;
	/** Ends the wait early; a call already sent is then in doubt, not cancelled. */
	readonly signal?: AbortSignal;
}

/**
 * What is known about a call. `ok` only says that Home Assistant took it: it says so for unavailable and missing
 * entities too, so verify by state. `unreachable` is certain not to have been sent. `in_doubt` was sent and may still
 * happen; never repeat it blindly.
 */
export type HomeCallResult =
	| { readonly kind: 'ok'; readonly contextId: string }
	| { readonly kind: 'rejected'; readonly code: string; readonly message: string }
	| { readonly kind: 'unreachable' }
	| { readonly kind: 'in_doubt'; readonly reason: 'deadline' | 'lost' };

export interface HomeChange {
	readonly entityId: string;
	/** Absent when the entity is new. */
	readonly before?: EntityState;
	/** Absent when the entity was removed or renamed. */
	readonly after?: EntityState;
	/** True when one of our own recent calls caused it. */
	readonly own: boolean;
}

/** The one door to physical things. Implementations know only the entity ids they were configured with. */
export interface Home {
	status(): HomeStatus;
	/** Live view by entity id; an id that does not exist in Home Assistant is absent. */
	states(): ReadonlyMap<string, EntityState>;
	/** Never throws or rejects for reasons of the outside; an entity outside the configuration is `rejected` with `not_configured`. */
	call(request: HomeCallRequest): Promise<HomeCallResult>;
	/**
	 * Every difference of state, attributes or presence, in order; returns its remover. Same-state reports are not passed
	 * on, nor are the first states after `start()`; what differs after a reconnect is.
	 */
	onChange(listener: (change: HomeChange) => void): () => void;
	/** Every change of phase; returns its remover. */
	onStatus(listener: (status: HomeStatus) => void): () => void;
	/**
	 * Resolves with the first state that satisfies the predicate, the present one included, or with undefined after
	 * `deadlineMs` milliseconds or on abort. It listens from the moment it is called: call it before acting, await it after.
	 */
	waitFor(
		entityId: string,
		predicate: (state: EntityState) => boolean,
		deadlineMs: number,
		signal?: AbortSignal,
	): Promise<EntityState | undefined>;
	/** Begins connecting and returns at once; does nothing when already started. */
	start(): void;
	/** Closes the connection; calls in flight end as in doubt, waits end undefined. */
	stop(): Promise<void>;
}
