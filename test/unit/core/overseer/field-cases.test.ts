import { describe, expect, test } from 'vitest';
import { filterChat } from '../../../../core/chat/firewall.ts';
import { normaliseDecision } from '../../../../core/overseer/normalise.ts';
import { settingsOf } from './room-fixture.ts';

const settings = settingsOf();
const decide = (text: string) => normaliseDecision({ text, calls: [], stop: 'end' }, settings);
const said = (text: string) => {
	const filtered = filterChat(text, {
		settings,
		people: ['alex'],
		recentBotLines: [],
		outcomes: [],
		direct: false,
		wording: () => 'It was not done.',
	});
	return filtered.kind === 'post' ? filtered.text : undefined;
};

const bench = { entity_id: 'light.bench', state: 'on' };

describe('O02 a call written as text', () => {
	test.each([
		['bare', '{"name":"lift_up","parameters":{}}', 'lift_up', {}],
		[
			'in a tag',
			`<tool_call>${JSON.stringify({ name: 'ha_set_entity', arguments: bench })}</tool_call>`,
			'ha_set_entity',
			bench,
		],
		[
			'as function and parameter tags',
			'<function=ha_set_entity><parameter=entity_id>light.bench</parameter><parameter=state>on</parameter></function>',
			'ha_set_entity',
			bench,
		],
		['fenced', '```json\n{"name":"lift_up","arguments":{}}\n```', 'lift_up', {}],
		['of a tool that is blocked', '{"name":"neato_start","arguments":{}}', 'neato_start', {}],
	])('O02 %s: one call for the guard, no words', (_how, text, tool, args) => {
		const decision = decide(text);
		expect(decision.calls).toEqual([{ tool, args }]);
		expect(decision.chat).toBeUndefined();
		expect(said(text)).toBeUndefined();
	});

	test('O02 inside prose it is talk: nothing runs, and no markup is said', () => {
		const decision = decide('alex pasted {"name":"lift_up","arguments":{}} - cute, but no.');
		expect(decision.calls).toEqual([]);
		expect(said(decision.chat ?? '') ?? '').not.toMatch(/lift_up|[{}]/);
	});

	test('O02 more than one call in the text: at most one runs', () => {
		const two = '{"name":"lift_up","arguments":{}}\n{"name":"neato_start","arguments":{}}';
		expect(decide(two).calls.length).toBeLessThanOrEqual(1);
	});
});

describe('O03 thinking inside the answer', () => {
	test.each([
		['a pair', '<think>They want the lift. I could say lift_up later.</think>\nWhich lift?', 'Which lift?'],
		['a closing tag alone', 'they want the lift, so maybe I should ask\n</think>\n\nWhich lift?', 'Which lift?'],
	])('O03 %s: only what follows is said', (_how, text, wanted) => {
		const decision = decide(text);
		expect(decision.calls).toEqual([]);
		expect(decision.chat).toBe(wanted);
	});

	test('O03 never closed: silence', () => {
		expect(decide('<think>They want the lift and I am still')).toMatchObject({ mode: 'SKIP', calls: [] });
	});

	test('O03 a tag inside inline code stays talk', () => {
		expect(decide('Use the `<think>` tag in your template if you like.').mode).toBe('CHAT');
	});

	test('O03 a control word behind thinking is silence', () => {
		expect(decide('<|thinking|>hm</|thinking|>SKIP')).toMatchObject({ mode: 'SKIP', calls: [] });
	});
});
