import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** The only attributes that leave this machine: codes, figures, ids of our own. */
const ALLOWED: ReadonlySet<string> = new Set([
	'bullmq.queue.name',
	'bullmq.queue.operation',
	'bullmq.job.name',
	'bullmq.job.attempts.made',
	'exception.type',
]);

const isAllowed = (name: string) => name.startsWith('majordomo.') || ALLOWED.has(name);

function strip(attributes: Attributes): void {
	for (const name of Object.keys(attributes)) if (!isAllowed(name)) delete attributes[name];
}

/**
 * Passes finished spans on without what may be personal. Libraries write messages of errors, results of jobs and their ids
 * into spans; what is not known to be harmless is taken out here, whoever wrote it.
 */
export function createDiscreetSpans(next: SpanProcessor): SpanProcessor {
	return {
		onStart: (span, context) => next.onStart(span, context),
		onEnd(span: ReadableSpan) {
			strip(span.attributes);
			for (const { attributes } of [...span.events, ...span.links]) if (attributes) strip(attributes);
			delete span.status.message;
			next.onEnd(span);
		},
		forceFlush: () => next.forceFlush(),
		shutdown: () => next.shutdown(),
	};
}
