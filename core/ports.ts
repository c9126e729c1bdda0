/** Needs that every room of the house shares. Bigger ports live beside the decisions that use them. */

/** Wall clock, epoch milliseconds. */
export interface Clock {
	now(): number;
}

/** Uniform numbers in [0, 1) and unguessable ids. */
export interface Random {
	next(): number;
	id(): string;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log. Messages and fields above `debug` never hold chat text, prompts, answers or secrets. */
export interface Log {
	debug(fields: LogFields, message: string): void;
	info(fields: LogFields, message: string): void;
	warn(fields: LogFields, message: string): void;
	error(fields: LogFields, message: string): void;
	child(fields: LogFields): Log;
}

/** Counters, gauges and histograms by fixed names; label values must come from closed sets. */
export interface Metrics {
	count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
	gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
	observe(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
}
