import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ModelCall } from '../../../../core/model/model-port.ts';
import { normaliseDecision } from '../../../../core/overseer/normalise.ts';
import { settingsOf } from './room-fixture.ts';

const settings = settingsOf();

interface Sample {
	about: string;
	text: string;
	mode: string;
	chat?: string;
	calls?: [string, unknown][];
	note?: string;
}

const samples = JSON.parse(readFileSync(new URL('./model-outputs.json', import.meta.url), 'utf8')) as Sample[];

test.each(samples.map((sample) => [sample.about, sample] as const))('OVR-13 O02 %s', (_about, sample) => {
	const decision = normaliseDecision({ text: sample.text, calls: [], stop: 'end' }, settings);
	expect(decision.mode).toBe(sample.mode);
	expect(decision.calls.map(({ tool, args }) => [tool, args])).toEqual(sample.calls ?? []);
	if (sample.chat !== undefined) expect(decision.chat).toBe(sample.chat);
	if (sample.mode === 'SKIP' || sample.mode === 'ACTION') expect(decision.chat).toBeUndefined();
	if (sample.note !== undefined) expect(decision.notes).toContain(sample.note);
});

function native(...calls: ModelCall[]) {
	return normaliseDecision({ text: '', calls, stop: 'tool_use' }, settings);
}

test('OVR-13 O01 stringified arguments are read, once or twice; broken ones stay text for the tool to refuse', () => {
	const wanted = { entity_id: 'light.bench', state: 'off' };
	const once = JSON.stringify(wanted);
	for (const args of [wanted, once, JSON.stringify(once)]) {
		expect(native({ name: 'ha_set_entity', arguments: args }).calls).toEqual([{ tool: 'ha_set_entity', args: wanted }]);
	}
	const broken = '{"entity_id":"light.bench","state":';
	expect(native({ name: 'ha_set_entity', arguments: broken }).calls).toEqual([{ tool: 'ha_set_entity', args: broken }]);
	for (const nothing of ['', ' ', null, undefined]) {
		expect(native({ name: 'lift_up', arguments: nothing }).calls).toEqual([{ tool: 'lift_up', args: {} }]);
	}
	expect(native({ name: 'memory_write', arguments: { slot: '2', text: 'sam likes dark' } }).calls[0]?.args).toEqual({
		slot: '2',
		text: 'sam likes dark',
	});
});

test('OVR-13 native calls with words are ACTION+CHAT, without words ACTION', () => {
	const call = { name: 'lift_up', arguments: {} };
	expect(normaliseDecision({ text: 'Going up.', calls: [call], stop: 'tool_use' }, settings).mode).toBe('ACTION+CHAT');
	expect(native(call).mode).toBe('ACTION');
	expect(normaliseDecision({ text: 'SKIP', calls: [call], stop: 'tool_use' }, settings)).toMatchObject({
		mode: 'ACTION',
	});
});

test('OVR-13 the structured answer wins over the text', () => {
	const structured = { mode: 'CHAT', chat: 'Hello.', calls: [] };
	expect(normaliseDecision({ text: 'ignored {', structured, calls: [], stop: 'end' }, settings).chat).toBe('Hello.');
});

test('OVR-13 A02 an answer cut at the output limit runs no call, not even one that looks whole', () => {
	const call = { name: 'lift_up', arguments: {} };
	const cut = normaliseDecision({ text: '', calls: [call], stop: 'length' }, settings);
	expect(cut).toMatchObject({
		mode: 'SKIP',
		calls: [],
		notes: ['truncated'],
		refused: [{ tool: 'lift_up', reason: 'truncated' }],
	});
	const json = normaliseDecision(
		{ text: '{"mode":"ACTION+CHAT","chat":"Up.","calls":[{"tool":"lift_up","args":{}}]}', calls: [], stop: 'length' },
		settings,
	);
	expect(json).toMatchObject({ mode: 'SKIP', calls: [] });
	const words = normaliseDecision({ text: 'I see you. And the lift will', calls: [], stop: 'length' }, settings);
	expect(words).toMatchObject({ mode: 'CHAT', chat: 'I see you.', notes: ['truncated'] });
});

test('OVR-10 O05 an answer to a cut prompt and a refusal are silence', () => {
	const call = { name: 'lift_up', arguments: {} };
	expect(normaliseDecision({ text: 'Up.', calls: [call], stop: 'end', truncated: true }, settings)).toEqual({
		mode: 'SKIP',
		calls: [],
		notes: ['prompt_cut'],
	});
	expect(normaliseDecision({ text: 'I cannot.', calls: [], stop: 'refusal' }, settings)).toEqual({
		mode: 'SKIP',
		calls: [],
		notes: ['refusal'],
	});
});

test('OVR-15 what is refused is kept with its reason, for the audit', () => {
	const decision = native(
		{ name: 'lift_up', arguments: {} },
		{ name: 'neato_locate', arguments: {} },
		{ name: 'lift_up', arguments: '{}' },
	);
	expect(decision.calls).toHaveLength(1);
	expect(decision.refused?.map(({ tool, reason }) => [tool, reason])).toEqual([
		['lift_up', 'duplicate'],
		['neato_locate', 'too_many'],
	]);
	const two = normaliseDecision(
		{
			text: '',
			calls: [
				{ name: 'lift_up', arguments: {} },
				{ name: 'neato_locate', arguments: {} },
			],
			stop: 'tool_use',
		},
		settingsOf({ decision: { maxToolCalls: 2 } }),
	);
	expect(two.calls).toHaveLength(2);
});
