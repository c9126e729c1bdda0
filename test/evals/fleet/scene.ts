/** One report of a session: kind and details, as a reporter sends them. */
export type Say = readonly [kind: string, data?: object];

export interface Seed {
	readonly name: string;
	readonly says: readonly Say[];
}

/** What happens once the concierge is on, in order; it is waited for its silence after each. */
export type Step = { readonly reports: readonly Seed[] } | { readonly ask: string };

/** Words of an answer: all of `says`, none of `saysNot`. */
export interface Words {
	readonly says?: readonly RegExp[];
	readonly saysNot?: readonly RegExp[];
}

/** What would be right. What is not named must not happen, unless it says otherwise. */
export interface Expectation {
	/** Sessions for which a `need` must be told, once each and no other; absent: none. */
	readonly needs?: readonly string[];
	/** Sessions that an `info` must name. Absent: an `info` is neither right nor wrong. */
	readonly infos?: readonly string[];
	/** No notice at all. */
	readonly isQuiet?: boolean;
	/** What must reach sessions, and nothing else: to whom, with which words. Absent: nothing may. */
	readonly sends?: readonly { readonly to: string; readonly says: readonly RegExp[] }[];
	/** One for each question a person asks, in order. */
	readonly answers?: readonly Words[];
	readonly watches?: readonly { readonly name: string; readonly when: string }[];
}

/** One piece of a fleet's life, as data, and what a good concierge does in it. */
export interface FleetScene {
	readonly id: string;
	readonly about: string;
	/** Before it is switched on. */
	readonly before?: readonly Seed[];
	readonly steps?: readonly Step[];
	readonly expect: Expectation;
}
