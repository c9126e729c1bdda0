/** Highest first. */
export const TRIGGERS = [
	'direct_address',
	'world_event',
	'challenge',
	'chat_burst',
	'topic_change',
	'heartbeat',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Why the gate opened, as facts a person can check. */
export interface Evidence {
	/** Which rule found it. */
	readonly trigger?: Trigger;
	readonly messageIds?: readonly string[];
	readonly eventIds?: readonly string[];
	readonly counts?: Readonly<Record<string, number>>;
	readonly note: string;
}

export interface Address {
	readonly messageId: string;
	readonly authorId: string;
	readonly authorName: string;
	readonly at: number;
}

/** One decision that is due. It keeps its id when it is run again, so what it did is never done twice. */
export interface PendingDecision {
	readonly id: string;
	readonly trigger: Trigger;
	readonly evidence: readonly Evidence[];
	/** Everybody who addressed us and has no answer yet, oldest first. Never dropped by coalescing. */
	readonly addresses: readonly Address[];
	/** Epoch ms of the oldest thing it answers. */
	readonly since: number;
	/** Epoch ms of the newest thing it answers; what nobody addressed goes stale by it. */
	readonly newestAt?: number;
	readonly attempt: number;
	/** Trace context of what opened it: the message behind its highest trigger. */
	readonly trace?: string | undefined;
	/** Set when a worker takes it: the newest line and event that the model is shown, kept when it is run again. */
	readonly upTo?: { readonly messageSeq: number; readonly eventSeq: number };
}

/** Something that happened to a device or a rule of the house. */
export interface WorldEvent {
	/** Unique across processes: the same happening seen twice has the same id. */
	readonly id: string;
	readonly at: number;
	readonly kind:
		| 'dock'
		| 'undock'
		| 'hazard'
		| 'control'
		| 'device_error'
		| 'device_gone'
		| 'device_back'
		| 'site_mode'
		| 'lights_lock';
	/** What it happened to, e.g. `rover1`, `lift`, an entity id. */
	readonly subject: string;
	readonly text: string;
	readonly contextId?: string;
}

export interface NumberedEvent extends WorldEvent {
	readonly seq: number;
}
