import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';

/** How long one delivery may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Sends steps to a collector, in JSON over HTTP. A collector that is away costs the steps and nothing else. */
export function createOtlpExporter(options: {
	endpoint: string;
	headers?: Readonly<Record<string, string>>;
	onProblem?: (problem: string) => void;
}): SpanExporter {
	const { endpoint, headers, onProblem } = options;
	const inner = new OTLPTraceExporter({
		url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
		headers: { ...headers },
		timeoutMillis: TIMEOUT_MS,
	});
	let isBroken = false;
	return {
		export(spans, done) {
			inner.export(spans, (result) => {
				const failed = result.code !== 0;
				// Once for each time that it breaks: a collector may be away for days.
				if (failed && !isBroken) onProblem?.(`traces could not be sent: ${result.error?.name ?? 'refused'}`);
				isBroken = failed;
				done(result);
			});
		},
		forceFlush: () => inner.forceFlush(),
		shutdown: () => inner.shutdown(),
	};
}
