import { describe, expect, test } from 'vitest';
import { type Model, ModelError, type ModelReply } from '../../../../core/model/model-port.ts';
import { type CallModelDeps, createCallModel } from '../../../../jobs/intake/call-model.ts';
import { intakeTestSettings } from '../../../support/intake.ts';
import { testLog } from '../../../support/redis.ts';
import { drive, WISH } from '../../core/intake/intake-driver.ts';

const REPLY: ModelReply = {
	text: 'D1: Who pays?',
	calls: [],
	usage: { inputTokens: 3, outputTokens: 4 },
	stop: 'end',
	model: 'm1',
	durations: { totalMs: 1 },
	truncated: false,
};
const asked = drive().say(WISH);
const { call } = asked.session;
if (call === undefined) throw new Error('no call');

function bench(complete: () => Promise<ModelReply>, change: { paused?: boolean; truncatedTurns?: number } = {}) {
	const rows: object[] = [];
	const warned: string[] = [];
	const deps = {
		model: { id: 'test/m', limits: { contextTokens: 1, outputTokens: 1 }, complete, check: async () => ({}) },
		mind: { prompt: () => ({ messages: [], schema: {}, truncatedTurns: change.truncatedTurns ?? 0 }) },
		audit: {
			keepCall: async (_: string, kept: object) => void rows.push(kept),
			append: async ({ entry }: { entry: object }) => void rows.push(entry),
		},
		site: { read: async () => ({ paused: change.paused ?? false }) },
		settings: () => intakeTestSettings(),
		clock: { now: Date.now },
		log: testLog((level, _, message) => (level === 'warn' ? warned.push(message) : undefined)),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	} as unknown as CallModelDeps & { model: Model };
	const run = createCallModel(deps);
	return {
		rows,
		warned,
		run: (signal = new AbortController().signal) =>
			run(asked.session, { id: 'e', kind: 'call_model', call: call as NonNullable<typeof call> }, signal),
	};
}
const failing = (code: 'timeout' | 'auth' | 'paused', transient: boolean) => () =>
	Promise.reject(new ModelError(code, 'no', { transient, hint: '' }));

describe('one call of the model', () => {
	test('INT-24 INT-15 a reply, with what it cost, is kept beside its prompt', async () => {
		const one = bench(async () => ({ ...REPLY, structured: { questions: [] } }));
		expect(await one.run()).toEqual({
			kind: 'model_reply',
			callId: call.id,
			text: REPLY.text,
			structured: { questions: [] },
		});
		expect(one.rows).toMatchObject([{ reply: REPLY.text }, { what: 'model_call', outcome: 'ok', inputTokens: 3 }]);
		expect(one.rows[1]).not.toHaveProperty('truncatedTurns');
		expect((await bench(async () => REPLY).run()) ?? {}).not.toHaveProperty('structured');
	});

	test('INT-15 INT-26 each failure is told by its cause, and kept without a reply', async () => {
		const late = bench(failing('timeout', true));
		expect(await late.run()).toMatchObject({ kind: 'model_failed', reason: 'timeout', transient: true });
		expect(late.rows).toMatchObject([{}, { outcome: 'timeout', model: 'test/m' }]);
		expect(late.rows[0]).not.toHaveProperty('reply');
		expect(await bench(failing('auth', false)).run()).toMatchObject({ reason: 'model', transient: false });
	});

	test.each([
		['cut off', { truncated: true }],
		['a refusal', { stop: 'refusal' as const }],
	])('INT-15 %s is no reply', async (_, change) => {
		const one = bench(async () => ({ ...REPLY, ...change }));
		expect(await one.run()).toMatchObject({ kind: 'model_failed', reason: 'model', transient: true });
		expect(one.rows).toMatchObject([{}, { outcome: 'unusable' }]);
	});

	test('INT-6 a cut history is logged and stands in the trail', async () => {
		const one = bench(async () => REPLY, { truncatedTurns: 3 });
		await one.run();
		expect(one.warned).toHaveLength(1);
		expect(one.rows[1]).toMatchObject({ truncatedTurns: 3 });
	});

	test('OPS-18 INT-14 while everything is paused nobody is asked; a call given up is nobody’s failure; a bug is not hidden', async () => {
		let calls = 0;
		const paused = bench(
			async () => {
				calls += 1;
				return REPLY;
			},
			{ paused: true },
		);
		expect([await paused.run(), calls]).toMatchObject([
			{ kind: 'model_failed', reason: 'paused', transient: false },
			0,
		]);
		// A pause may come in the middle of a call, too.
		expect(await bench(failing('paused', true)).run()).toMatchObject({ reason: 'paused', transient: false });
		const limited = () =>
			Promise.reject(new ModelError('limited', 'no', { transient: false, hint: '', retryAfterMs: 60_000 }));
		const told = await bench(limited).run();
		expect(told).toMatchObject({ reason: 'limit', transient: false, opensAt: expect.any(Number) });
		expect(await bench(failing('timeout', true)).run(AbortSignal.abort())).toBeUndefined();
		await expect(bench(() => Promise.reject(new TypeError('bug'))).run()).rejects.toThrow('bug');
	});
});
