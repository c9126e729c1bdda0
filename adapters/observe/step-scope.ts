import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from '../../core/ports.ts';
import { traceIdOf } from '../../core/trace-context.ts';

/** Which step this piece of asynchronous work belongs to. */
export interface StepScope {
	run<Result>(context: string, marks: LogFields, work: () => Result): Result;
	context(): string | undefined;
	/** The trace's id and the marks of all steps around: what log lines carry. */
	marks(): LogFields;
}

export function createStepScope(): StepScope {
	const storage = new AsyncLocalStorage<{ readonly context: string; readonly marks: LogFields }>();
	return {
		run: (context, marks, work) =>
			storage.run({ context, marks: { ...storage.getStore()?.marks, ...marks, trace: traceIdOf(context) } }, work),
		context: () => storage.getStore()?.context,
		marks: () => storage.getStore()?.marks ?? {},
	};
}
