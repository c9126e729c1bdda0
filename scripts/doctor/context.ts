import type { Environment } from '../../config/env.ts';
import type { Settings } from '../../config/schema.ts';
import type { Finding } from '../../core/operations/finding.ts';
import type { ClockReading } from '../../core/operations/judge-clock.ts';

/** What every check of the doctor is given. */
export interface CheckContext {
	readonly settings: Settings;
	readonly environment: Environment;
	/** All variables; programs that are looked for need PATH. */
	readonly variables: Readonly<Record<string, string | undefined>>;
	/** Epoch milliseconds of this machine. */
	readonly now: () => number;
	/** Longest time for one check. */
	readonly deadlineMs: number;
	/** Ask the model for one word, which costs a moment or a fraction of a cent. */
	readonly askModel: boolean;
	/** Hands a clock's reading to the check of clocks, which runs last. */
	readonly noteClock: (reading: ClockReading) => void;
}

/** What one check found. */
export interface Checked {
	/** One line for the report. */
	readonly detail: string;
	readonly findings: readonly Finding[];
	readonly skipped?: boolean;
}

export const skipped = (detail: string): Checked => ({ detail, findings: [], skipped: true });
