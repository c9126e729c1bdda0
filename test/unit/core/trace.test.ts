import { expect, test } from 'vitest';
import { chatMessageSchema } from '../../../adapters/redis/schema/chat-message.ts';
import { mergeFindings } from '../../../core/overseer/pending.ts';
import type { Trigger } from '../../../core/overseer/trigger.ts';
import type { Finding } from '../../../core/overseer/triggers/finding.ts';
import { readTrace, traceIdOf, writeTrace } from '../../../core/trace-context.ts';
import { jobPayloads } from '../../../jobs/contracts.ts';

const trace = (letter: string) => `00-${letter.repeat(32)}-${'1'.repeat(16)}-01`;
const finding = (trigger: Trigger, letter?: string): Finding => ({
	trigger,
	evidence: { trigger, note: '' },
	since: 1,
	newestAt: 1,
	...(letter === undefined ? {} : { trace: trace(letter) }),
});
const merge = (...findings: Finding[]) => mergeFindings(undefined, findings, () => 'd1');

test('OPS-7 a decision goes on in the trace of its highest trigger, the waiting one first', () => {
	expect(merge(finding('chat_burst', 'b'), finding('direct_address', 'a'))?.trace).toBe(trace('a'));
	expect(merge(finding('world_event'), finding('chat_burst', 'b'))?.trace).toBe(trace('b'));
	expect(merge(finding('heartbeat'))).not.toHaveProperty('trace');
	const waiting = merge(finding('direct_address', 'a'));
	expect(mergeFindings(waiting, [finding('direct_address', 'c')], () => 'd2')?.trace).toBe(trace('a'));
	const burst = merge(finding('chat_burst', 'b'));
	expect(mergeFindings(burst, [finding('direct_address', 'c')], () => 'd2')?.trace).toBe(trace('c'));
});

test('OPS-7 contexts are read strictly, and a damaged one never costs a message or a job', () => {
	const parts = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
	expect(readTrace(writeTrace(parts))).toEqual(parts);
	for (const bad of [undefined, '', trace('z'), `${trace('a')}-more`, trace('0')])
		expect(traceIdOf(bad)).toBeUndefined();
	const message = {
		id: '1',
		room: 'r',
		author: { id: '1', name: 'a' },
		bot: false,
		text: '',
		at: 1,
		mentions: [],
		source: 'discord',
	};
	expect(chatMessageSchema.parse({ ...message, trace: trace('a') }).trace).toBe(trace('a'));
	expect(chatMessageSchema.parse({ ...message, trace: 'x'.repeat(100_000) }).trace).toBeUndefined();
	const call = {
		roomId: 'r',
		decisionId: 'd',
		callId: 'c',
		tool: 't',
		argsJson: '{}',
		trigger: 'x',
		direct: true,
		decidedAt: 1,
	};
	expect(jobPayloads['tool-run'].parse({ ...call, trace: 7 }).trace).toBeUndefined();
});
