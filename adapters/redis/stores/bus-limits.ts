export interface BusLimits {
	/** About this many messages are kept for readers that are away. */
	readonly messages: number;
	/** How long an id is known as published. */
	readonly idMs: number;
	/** A reader that died is replaced within this time. */
	readonly leaseMs: number;
	/** A group that is new starts with messages this old. */
	readonly backlogMs: number;
}
