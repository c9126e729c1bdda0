import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createTracing } from '../../../../adapters/observe/create-tracing.ts';
import { readTrace, traceIdOf } from '../../../../core/trace-context.ts';

// Alone in its file: what one test loads stays loaded.
test('OPS-7 without an endpoint no library is loaded, and ids still lead from step to step', async () => {
	const tracing = await createTracing({ version: '1.0.0', role: 'all' });
	const seen: (string | undefined)[] = [];
	await tracing.step('message', { marks: { messageId: 'm1' } }, async ({ context }) => {
		seen.push(context);
		await tracing.step('inner', { marks: { decision: 'd1' } }, async () => {
			await new Promise((resolve) => setImmediate(resolve));
			seen.push(tracing.context());
			expect(tracing.marks()).toEqual({ trace: traceIdOf(context), messageId: 'm1', decision: 'd1' });
		});
		expect(tracing.marks()).not.toHaveProperty('decision');
	});
	const [outer, inner] = seen.map(readTrace);
	expect(outer?.sampled).toBe(false);
	expect(inner?.traceId).toBe(outer?.traceId);
	expect(inner?.spanId).not.toBe(outer?.spanId);

	await tracing.step('elsewhere', { parent: seen[0] }, async ({ context }) => {
		expect(traceIdOf(context)).toBe(outer?.traceId);
	});
	await tracing.step('anew', {}, async ({ context }) => expect(traceIdOf(context)).not.toBe(outer?.traceId));
	await expect(tracing.step('broken', {}, () => Promise.reject(new Error('so')))).rejects.toThrow('so');
	expect([tracing.context(), tracing.marks(), tracing.queueTelemetry]).toEqual([undefined, {}, undefined]);
	await tracing.stop();

	const loaded = Object.keys(createRequire(import.meta.url).cache);
	expect(loaded.filter((file) => /opentelemetry|bullmq-otel/.test(file))).toEqual([]);
});

test('OPS-7 a damaged context begins a new trace and loses nothing', async () => {
	const tracing = await createTracing({ version: '1.0.0', role: 'all' });
	const bad = ['', 'x', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `00-${'g'.repeat(32)}-${'1'.repeat(16)}-01`];
	for (const parent of bad)
		await tracing.step('step', { parent }, async ({ context }) => {
			expect(readTrace(context)).toBeDefined();
			expect(context).not.toBe(parent);
		});
});
