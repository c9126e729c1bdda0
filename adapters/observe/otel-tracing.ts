import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
	AlwaysOffSampler,
	BatchSpanProcessor,
	NodeTracerProvider,
	ParentBasedSampler,
	type Sampler,
	SamplingDecision,
	type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { BullMQOtel } from 'bullmq-otel';
import { readTrace, writeTrace } from '../../core/trace-context.ts';
import type { StepAttributes, StepKind, Tracer } from '../../core/tracer.ts';
import { createDiscreetSpans } from './discreet-spans.ts';
import type { StepScope } from './step-scope.ts';
import type { Tracing } from './tracing.ts';

const KINDS: Readonly<Record<StepKind, SpanKind>> = {
	internal: SpanKind.INTERNAL,
	client: SpanKind.CLIENT,
	producer: SpanKind.PRODUCER,
	consumer: SpanKind.CONSUMER,
};

/** Marks the steps of ours among the spans of libraries. */
const STEP = 'majordomo.step';
const EXPORT_EVERY_MS = 2_000;
const STOP_WITHIN_MS = 5_000;

/** Only our own steps begin a trace: what queues do to keep house belongs to none. */
const ownSteps: Sampler = {
	shouldSample: (_context, _traceId, _name, _kind, attributes) => ({
		decision: STEP in attributes ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
	}),
	toString: () => 'OwnSteps',
};

const named = (attributes: StepAttributes = {}) =>
	Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`majordomo.${name}`, value]));

export interface OtelOptions {
	readonly scope: StepScope;
	readonly exporter: SpanExporter;
	readonly version: string;
	readonly role: string;
}

/** Steps as OpenTelemetry spans. It takes the process's global tracer, which `bullmq-otel` speaks to; `stop` gives it back. */
export function createOtelTracing({ scope, exporter, version, role }: OtelOptions): Tracing {
	const batch = new BatchSpanProcessor(exporter, { scheduledDelayMillis: EXPORT_EVERY_MS });
	const provider = new NodeTracerProvider({
		resource: resourceFromAttributes({
			'service.name': 'majordomo',
			'service.version': version,
			'majordomo.role': role,
		}),
		sampler: new ParentBasedSampler({
			root: ownSteps,
			remoteParentNotSampled: ownSteps,
			localParentNotSampled: new AlwaysOffSampler(),
		}),
		spanProcessors: [createDiscreetSpans(batch)],
	});
	provider.register();
	const tracer = provider.getTracer('majordomo', version);

	/** Where a step goes on: what its cause says, unless what runs here belongs to the same trace and is nearer. */
	const contextFor = (parent: string | undefined) => {
		const given = readTrace(parent);
		const active = trace.getSpanContext(context.active());
		const isNear = active !== undefined && (given === undefined || active.traceId === given.traceId);
		// A span that is not recorded is nobody's parent.
		if (isNear && (active.traceFlags & TraceFlags.SAMPLED) !== 0) return context.active();
		if (given === undefined) return ROOT_CONTEXT;
		const traceFlags = given.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
		return trace.setSpanContext(ROOT_CONTEXT, { ...given, traceFlags, isRemote: true });
	};

	const step: Tracer['step'] = async (name, { parent, kind = 'internal', attributes, marks = {} }, work) => {
		const around = contextFor(parent);
		const span = tracer.startSpan(
			name,
			{ kind: KINDS[kind], attributes: { [STEP]: name, ...named(attributes) } },
			around,
		);
		const { traceId, spanId, traceFlags } = span.spanContext();
		const own = writeTrace({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
		const note = (late: StepAttributes) => void span.setAttributes(named(late));
		try {
			return await context.with(trace.setSpan(around, span), () =>
				scope.run(own, marks, () => work({ context: own, note })),
			);
		} catch (error) {
			span.setStatus({ code: SpanStatusCode.ERROR });
			if (error instanceof Error) note({ error: codeOf(error) });
			throw error;
		} finally {
			span.end();
		}
	};

	return {
		step,
		context: scope.context,
		marks: scope.marks,
		queueTelemetry: new BullMQOtel({ tracerName: 'bullmq' }),
		async stop() {
			trace.disable();
			context.disable();
			propagation.disable();
			const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
			await Promise.race([provider.shutdown().catch(() => undefined), late]);
		},
	};
}

/** Our errors carry a code; of others only the kind is told. */
function codeOf(error: Error): string {
	const { code } = error as { code?: unknown };
	return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : error.name;
}
