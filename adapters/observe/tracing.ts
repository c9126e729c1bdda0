import type { Telemetry } from 'bullmq';
import type { LogFields } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';

/** A tracer with what only the composition needs. */
export interface Tracing extends Tracer {
	/** What log lines of the running step carry: `trace` and the marks of the steps around. */
	marks(): LogFields;
	/** Carries traces across queues; absent where nothing is recorded. */
	readonly queueTelemetry?: Telemetry;
	/** Sends what is left. Resolves also when nobody takes it. */
	stop(): Promise<void>;
}
