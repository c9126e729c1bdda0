import type { LogFields } from './ports.ts';

/** How a step meets the world outside of its process, in the words of OpenTelemetry. */
export type StepKind = 'internal' | 'client' | 'producer' | 'consumer';

/** Codes, ids of our own and figures. Never what somebody said, never a name. */
export type StepAttributes = Readonly<Record<string, string | number | boolean>>;

export interface StepOptions {
	/**
	 * Context of what caused the step, as it came with a message or a job. Where the running step belongs to the same
	 * trace, that one is the parent. Without both the step begins a trace.
	 */
	readonly parent?: string | undefined;
	readonly kind?: StepKind;
	readonly attributes?: StepAttributes;
	/** Ids that every log line inside of the step carries, steps within it included. */
	readonly marks?: LogFields;
}

/** A step that runs. */
export interface Step {
	/** What follows from this step, in this process or another, gives it as its parent. */
	readonly context: string;
	/** What is known only now. */
	note(attributes: StepAttributes): void;
}

/** Follows one thing from its cause to its last effect, across queues and processes. */
export interface Tracer {
	/** Runs the work as a step. What it rejects with marks the step as failed and is passed on. */
	step<Result>(name: string, options: StepOptions, work: (step: Step) => Promise<Result>): Promise<Result>;
	/** Context of the step that runs here; undefined outside of all. */
	context(): string | undefined;
}
