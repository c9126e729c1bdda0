import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FirewallInput, filterChat } from '../../../core/chat/firewall.ts';
import { normaliseDecision } from '../../../core/overseer/normalise.ts';
import { isSilence } from '../../../core/overseer/reply/silence.ts';
import { TOOL_NAMES } from '../../../core/tooling/tool-name.ts';
import { settingsOf } from '../../unit/core/overseer/room-fixture.ts';
import { garbage } from './garbage.ts';

const settings = settingsOf();
const firewall: FirewallInput = {
	settings,
	people: ['alex', 'sam'],
	recentBotLines: [],
	outcomes: [],
	direct: false,
	wording: (fact, family) => `fact ${fact} ${family}`.replaceAll('_', ' '),
};

/** Written apart from the filter's own rules on purpose: what must never be seen in the room. */
const NEVER: readonly [string, RegExp][] = [
	['a tool name', new RegExp(`(?<![A-Za-z0-9_])(?:${TOOL_NAMES.join('|')})(?![A-Za-z0-9_])`, 'i')],
	['an object', /[{}]/],
	['a tag', /[<>]/],
	['a fence', /```/],
	['a call marker', /\[TOOL_CALLS?\]|\[ARGS\]|\[\/?INST\]/i],
	['a mass ping', /@\s*(?:everyone|here)\b/i],
	['a mention', /<[@#]/],
	['a control word', /STATE_UPDATE|available_tools|blocked_tools|\bSKIP\b|ACTION\+CHAT|\bCHAT:/],
	['a role', /\[(?:user|system|assistant)\]/i],
	['two lines', /[\n\r\u2028]/],
	['something invisible', /[\u200b\u202a-\u202e\u2066-\u2069]|\p{Cc}/u],
];

test('OVR-14 nothing that looks like a call, a thought, a control word or a ping ever gets out', () => {
	let posted = 0;
	fc.assert(
		fc.property(garbage, fc.boolean(), (text, direct) => {
			const result = filterChat(text, { ...firewall, direct });
			if (result.kind === 'drop') return;
			posted += 1;
			for (const [what, mark] of NEVER)
				expect(mark.test(result.text), `${what} in ${JSON.stringify(result.text)}`).toBe(false);
			expect(result.text.length).toBeLessThanOrEqual(settings.chat.maxLength);
			expect(result.text.isWellFormed()).toBe(true);
			expect(isSilence(result.text)).toBe(false);
		}),
		{ numRuns: 6_000 },
	);
	// The property must not hold by dropping everything.
	expect(posted).toBeGreaterThan(300);
});

test('OVR-14 reasoning is never posted, wherever its marks stand', () => {
	const secret = 'xsecretx';
	const shapes = fc.constantFrom(
		(talk: string) => `<think>${secret}</think>${talk}`,
		(talk: string) => `${secret}</think>${talk}`,
		(talk: string) => `${talk}<think>${secret}`,
		(talk: string) => `<|thinking|>${secret}</|thinking|>${talk}`,
		(talk: string) => `[THINK]${secret}[/THINK]${talk}`,
		(talk: string) => `<think>a<think>${secret}</think>${secret}</think>${talk}`,
		(talk: string) => `<think\u200b>${secret}</think>${talk}`,
		(talk: string) => `＜think＞${secret}＜/think＞${talk}`,
	);
	fc.assert(
		fc.property(shapes, fc.constantFrom('No.', 'Nice drift, sam.', 'Der Lift wartet.'), (shape, talk) => {
			expect(filterChat(shape(talk), firewall)).toMatchObject({ kind: 'post', text: talk });
		}),
		{ numRuns: 200 },
	);
});

test('OVR-13 whatever a model writes ends as one of four modes, in which parts and mode agree', () => {
	fc.assert(
		fc.property(
			garbage,
			fc.array(fc.record({ name: fc.string(), arguments: fc.anything() }), { maxLength: 3 }),
			(text, calls) => {
				const decision = normaliseDecision({ text, calls, stop: 'end' }, settings);
				const hasChat = decision.chat !== undefined && decision.chat.trim() !== '';
				const hasCalls = decision.calls.length > 0;
				const expected = hasCalls ? (hasChat ? 'ACTION+CHAT' : 'ACTION') : hasChat ? 'CHAT' : 'SKIP';
				expect(decision.mode).toBe(expected);
				expect(decision.calls.length).toBeLessThanOrEqual(settings.decision.maxToolCalls);
			},
		),
		{ numRuns: 3_000 },
	);
});

test('OVR-13 any structured value is survived', () => {
	fc.assert(
		fc.property(
			fc.anything(),
			fc.constantFrom('end', 'length', 'tool_use', 'refusal', 'other' as const),
			(structured, stop) => {
				const decision = normaliseDecision({ text: '', structured, calls: [], stop }, settings);
				expect(['SKIP', 'CHAT', 'ACTION', 'ACTION+CHAT']).toContain(decision.mode);
			},
		),
		{ numRuns: 1_000 },
	);
});

test.each([
	['open brackets', '{['.repeat(8_000)],
	['open tags', '<tool_call>'.repeat(2_000)],
	['open thoughts', '<think>'.repeat(3_000)],
	['quotes', `{"a":"${'\\"'.repeat(7_000)}`],
	['a word', `skip ${'a'.repeat(100_000)}`],
	['blanks', `x${' '.repeat(100_000)}y`],
	['calls', 'lift_up() '.repeat(1_500)],
	['parentheses', `ha_set_entity(${'('.repeat(15_000)}`],
	['underscores', 'a_'.repeat(8_000)],
	['speakers', '\nsam: hi'.repeat(2_000)],
	['dots', '. '.repeat(30_000)],
	['claims', 'lift '.repeat(5_000)],
])('OVR-13 OVR-14 time grows in step with the text: %s', (_name, text) => {
	// Quadratic rules take minutes on these; the limit is generous for a slow machine.
	const start = performance.now();
	normaliseDecision({ text, calls: [], stop: 'end' }, settings);
	filterChat(text, firewall);
	expect(performance.now() - start).toBeLessThan(5_000);
});
