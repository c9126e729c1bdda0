/** The entities a scenario uses; each of the kind its name says. */
interface RigEntities {
	/** Dimmable, with colour. */
	readonly light: string;
	readonly switch: string;
	/** Opens, closes and stops; takes longer than a moment. */
	readonly cover: string;
	/** Starts, pauses and returns to its base. */
	readonly vacuum: string;
	readonly button: string;
	/** Goes unavailable on request; a switch. */
	readonly fickle: string;
	/** Can be renamed; a light. */
	readonly renamed: string;
	/** A script whose own service answers only after many seconds, if at all. */
	readonly slowScript: string;
}

/** A running Home Assistant, loopback or real, with the handles that the scenarios need. */
export interface HomeRig {
	readonly url: string;
	readonly token: string;
	readonly entities: RigEntities;
	/** What the house itself says about an entity; undefined when it does not exist. */
	state(entityId: string): Promise<{ readonly state: string } | undefined>;
	/** Uses a service as somebody else. */
	act(domain: string, service: string, entityId: string): Promise<void>;
	setFickle(available: boolean): Promise<void>;
	rename(from: string, to: string): Promise<void>;
	/** Makes the slow script slow; called before it is used. */
	armSlowScript(): Promise<void>;
	restart(): Promise<void>;
	/** Makes the token useless and cuts its connections. */
	revokeToken(): Promise<void>;
	newToken(): Promise<string>;
	close(): Promise<void>;
}
