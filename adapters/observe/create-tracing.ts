import { createPlainTracer } from './plain-tracer.ts';
import { createStepScope } from './step-scope.ts';
import type { Tracing } from './tracing.ts';

export interface TracingOptions {
	/** Where OTLP over HTTP is taken, such as `http://127.0.0.1:4318`. Absent: ids only, nothing is recorded or loaded. */
	readonly endpoint?: string | undefined;
	/** Headers for it, such as the authorization. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly version: string;
	readonly role: string;
	/** Hears that steps could not be sent; texts hold no secrets. */
	readonly onProblem?: (problem: string) => void;
}

/**
 * Traces by OpenTelemetry where an endpoint is set. Without one the same ids run through messages, jobs, logs and the
 * audit, made by a few lines of ours, and none of the libraries is loaded.
 */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
	const scope = createStepScope();
	const { endpoint } = options;
	if (endpoint === undefined) return { ...createPlainTracer(scope), marks: scope.marks, stop: async () => undefined };
	const { createOtelTracing } = await import('./otel-tracing.ts');
	const { createOtlpExporter } = await import('./otlp-exporter.ts');
	return createOtelTracing({ ...options, scope, exporter: createOtlpExporter({ ...options, endpoint }) });
}
