import { z } from 'zod';

/**
 * Where a step stands in its trace, as W3C Trace Context writes it: `00-<trace id>-<step id>-<flags>`, always 55
 * characters. It travels with messages and jobs, from process to process.
 */
const PATTERN = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A stored context. A damaged one counts as none: nothing is ever lost for the sake of its trace. */
export const storedTrace = z.string().regex(PATTERN).optional().catch(undefined);

export interface TraceParts {
	readonly traceId: string;
	readonly spanId: string;
	readonly sampled: boolean;
}

/** Takes a context apart; undefined for anything that is none. */
export function readTrace(context: string | undefined): TraceParts | undefined {
	const [, traceId, spanId, flags] = PATTERN.exec(context ?? '') ?? [];
	if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
	if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
	return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTrace({ traceId, spanId, sampled }: TraceParts): string {
	return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** The id that all steps of one trace share: what log lines, audit rows and traces are found by. */
export function traceIdOf(context: string | undefined): string | undefined {
	return readTrace(context)?.traceId;
}
