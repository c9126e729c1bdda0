import { createPlainTracer } from '../../../adapters/observe/plain-tracer.ts';
import { createStepScope } from '../../../adapters/observe/step-scope.ts';
import type { Tracer } from '../../../core/tracer.ts';

/** Ids as in a household without a collector. */
export const testTracer = (): Tracer => createPlainTracer(createStepScope());
