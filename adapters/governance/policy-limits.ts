/** Bounds of one evaluation. What goes beyond one of them is denied. */
export interface PolicyLimits {
	/** Longest evaluation by the clock; then its thread is ended. */
	readonly wallMs: number;
	/** Longest start of an engine. */
	readonly startMs: number;
	/** Most inference steps. */
	readonly inferences: number;
	/** Prolog's own stacks. */
	readonly stackBytes: number;
	/** The engine's whole memory. */
	readonly memoryBytes: number;
	/** Most findings of one verdict; further ones are not looked for. */
	readonly maxFindings: number;
	/** Longest facts and metadata together, in characters. */
	readonly maxInputChars: number;
	/** Engines kept warm. */
	readonly workers: number;
	/** Packets that may wait for an engine. */
	readonly maxWaiting: number;
}

export const DEFAULT_LIMITS: PolicyLimits = {
	wallMs: 3_000,
	startMs: 30_000,
	inferences: 5_000_000,
	stackBytes: 64 * 1_048_576,
	memoryBytes: 192 * 1_048_576,
	maxFindings: 100,
	maxInputChars: 524_288,
	workers: 1,
	maxWaiting: 64,
};
