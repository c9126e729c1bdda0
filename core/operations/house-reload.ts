/** What came of reading settings and prompts again in one process. */
export interface ReloadOutcome {
	/** Paths of settings that changed, e.g. `overseer.name`; empty when the old ones stay. */
	readonly changed: readonly string[];
	/** Of those the ones that wait for a restart. */
	readonly restartNeeded: readonly string[];
	/** Why the old settings stay; absent when the new ones hold. */
	readonly settingsKept?: string;
	/** Why the old prompts stay. They are not read when the settings were not. */
	readonly promptsKept?: string;
}

/** The same of another process, by a name that an operator can find it with: `worker on den (4711)`. */
export interface ProcessReload extends ReloadOutcome {
	readonly process: string;
}

/** Reads settings and prompts again in every process of the house. */
export interface HouseReload {
	/** Here first, then everywhere else; waits a little for those. Never rejects. */
	reload(): Promise<{ readonly own: ReloadOutcome; readonly others: readonly ProcessReload[] }>;
}
