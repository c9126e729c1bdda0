import { randomBytes } from 'node:crypto';
import { readTrace, writeTrace } from '../../core/trace-context.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { StepScope } from './step-scope.ts';

/** Gives ids to steps and records nothing. */
export function createPlainTracer(scope: StepScope): Tracer {
	return {
		step(_name, { parent, marks = {} }, work) {
			const traceId = (readTrace(parent) ?? readTrace(scope.context()))?.traceId ?? randomBytes(16).toString('hex');
			const context = writeTrace({ traceId, spanId: randomBytes(8).toString('hex'), sampled: false });
			return scope.run(context, marks, () => work({ context, note: () => undefined }));
		},
		context: scope.context,
	};
}
