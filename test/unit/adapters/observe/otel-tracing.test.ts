import { SpanKind } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createTracing } from '../../../../adapters/observe/create-tracing.ts';
import { createOtelTracing } from '../../../../adapters/observe/otel-tracing.ts';
import { createStepScope } from '../../../../adapters/observe/step-scope.ts';
import type { Tracing } from '../../../../adapters/observe/tracing.ts';
import { writeTrace } from '../../../../core/trace-context.ts';
import { createMemorySpans } from '../../../support/fakes/memory-spans.ts';

let running: Tracing | undefined;
afterEach(() => running?.stop());

function open() {
	const memory = createMemorySpans();
	const tracing = createOtelTracing({ scope: createStepScope(), exporter: memory, version: '1.0.0', role: 'all' });
	running = tracing;
	const spans = async () => {
		await tracing.stop();
		return Object.fromEntries(memory.spans.map((span) => [span.name, span]));
	};
	return { tracing, spans };
}
const queueOf = (tracing: Tracing) => {
	if (!tracing.queueTelemetry) throw new Error('no telemetry for queues');
	return tracing.queueTelemetry;
};

const cause = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };

describe('tracing', () => {
	test('OPS-7 a step belongs to its cause, unless what runs is nearer to it', async () => {
		const { tracing, spans } = open();
		const parent = writeTrace(cause);
		await tracing.step('outer', { parent, kind: 'consumer' }, async () => {
			await tracing.step('inner', { parent }, async () => undefined);
			await tracing.step(
				'stranger',
				{ parent: writeTrace({ ...cause, traceId: 'c'.repeat(32) }) },
				async () => undefined,
			);
		});
		const { outer, inner, stranger } = await spans();
		expect(outer?.parentSpanContext?.spanId).toBe(cause.spanId);
		expect(outer?.kind).toBe(SpanKind.CONSUMER);
		expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
		expect(stranger?.parentSpanContext).toMatchObject({ traceId: 'c'.repeat(32), spanId: cause.spanId });
	});

	test('OPS-7 a cause that nobody recorded still gives its id', async () => {
		const { tracing, spans } = open();
		await tracing.step('step', { parent: writeTrace({ ...cause, sampled: false }) }, async () => undefined);
		expect((await spans())['step']?.spanContext().traceId).toBe(cause.traceId);
	});

	test('OPS-7 a queue keeps house without traces, and carries those that are there', async () => {
		const { tracing, spans } = open();
		const { tracer, contextManager } = queueOf(tracing);
		tracer.startSpan('moveStalledJobsToWait', { kind: SpanKind.INTERNAL }).end();
		// What a canary carries: a context that nobody records.
		const canary = tracer.startSpan('add canary', { kind: SpanKind.PRODUCER });
		const metadata = contextManager.getMetadata(canary.setSpanOnContext(contextManager.active()));
		const carried = contextManager.fromMetadata(contextManager.active(), metadata);
		tracer.startSpan('process canary', { kind: SpanKind.CONSUMER }, carried).end();
		await contextManager.with(carried, () => tracing.step('canary', {}, async () => undefined));
		await tracing.step('work', {}, async () => tracer.startSpan('add job', { kind: SpanKind.PRODUCER }).end());
		const found = await spans();
		expect(Object.keys(found).sort()).toEqual(['add job', 'canary', 'work']);
		expect(found['canary']?.parentSpanContext).toBeUndefined();
		expect(found['add job']?.parentSpanContext?.spanId).toBe(found['work']?.spanContext().spanId);
	});

	test('OPS-7 what libraries write about errors and results stays in the house; a failure tells its code', async () => {
		const { tracing, spans } = open();
		const secret = 'Wilhelmina lives in Elm Street';
		const failing = tracing.step('failing', { attributes: { tool: 'lift_up' } }, async () => {
			const span = queueOf(tracing).tracer.startSpan('process job');
			span.setAttributes({ 'bullmq.queue.name': 'tool-run', 'bullmq.job.result': secret, 'bullmq.job.id': secret });
			span.addEvent('job failed', { 'bullmq.job.failed.reason': secret });
			span.recordException(new Error(secret));
			span.end();
			throw Object.assign(new Error(secret), { code: 'unreachable' });
		});
		await expect(failing).rejects.toThrow(secret);
		const odd = tracing.step('odd', {}, () => Promise.reject(Object.assign(new RangeError(secret), { code: secret })));
		await expect(odd).rejects.toThrow(secret);
		const found = await spans();
		for (const span of Object.values(found))
			expect(JSON.stringify([span.attributes, span.events, span.status])).not.toContain('Wilhelmina');
		expect(found['process job']?.attributes).toEqual({ 'bullmq.queue.name': 'tool-run' });
		expect(found['process job']?.events.map(({ name }) => name)).toEqual(['job failed', 'exception']);
		expect(found['failing']?.attributes).toMatchObject({
			'majordomo.error': 'unreachable',
			'majordomo.tool': 'lift_up',
		});
		expect(found['odd']?.attributes).toMatchObject({ 'majordomo.error': 'RangeError' });
	});

	test('OPS-7 a collector that is away costs traces only, and is reported once', async () => {
		const problems: string[] = [];
		const tracing = await createTracing({
			endpoint: 'http://127.0.0.1:9',
			headers: { authorization: 'Bearer opensesame-0123' },
			version: '1.0.0',
			role: 'all',
			onProblem: (problem) => problems.push(problem),
		});
		running = tracing;
		expect(await tracing.step('step', {}, async () => 'done')).toBe('done');
		await tracing.stop();
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain('traces could not be sent');
		expect(problems[0]).not.toContain('opensesame');
	});
});
