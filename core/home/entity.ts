/** One Home Assistant entity as the rest of the house sees it. Times are epoch milliseconds. */
export interface EntityState {
	/** Exact id, e.g. `light.shelf`. */
	readonly entityId: string;
	/** Raw state text, e.g. `on`, `unavailable`; a trailing newline sent by a device is kept out. */
	readonly state: string;
	readonly attributes: Readonly<Record<string, unknown>>;
	/** Whether a command sent now can reach the device; see `isAvailable`. */
	readonly available: boolean;
	/** When the state text last changed. */
	readonly lastChangedAt: number;
	/** When the state text or an attribute (such as a colour) last changed; never before `lastChangedAt`. */
	readonly lastUpdatedAt: number;
	/** Id of the context that caused the last change. */
	readonly contextId: string;
	readonly contextParentId?: string;
}

/** Domains that have no state of their own: `unknown` there only means "never used yet". */
const statelessDomains: ReadonlySet<string> = new Set(['button', 'input_button', 'scene', 'script', 'event']);

/** The part before the dot: `light` of `light.shelf`; an id without a dot is its own domain. */
export function domainOf(entityId: string): string {
	const dot = entityId.indexOf('.');
	return dot < 0 ? entityId : entityId.slice(0, dot);
}

/**
 * Tells whether a present entity can be commanded: `unavailable` never; `unknown` only where it is the normal resting
 * state (buttons, scenes, scripts) or where Home Assistant admits to guessing (`assumed_state`).
 */
export function isAvailable(entityId: string, state: string, attributes: Readonly<Record<string, unknown>>): boolean {
	if (state === 'unavailable') return false;
	if (state !== 'unknown') return true;
	return statelessDomains.has(domainOf(entityId)) || attributes['assumed_state'] === true;
}
