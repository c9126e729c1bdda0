import { expect, test } from 'vitest';
import { type FirewallInput, filterChat } from '../../../../core/chat/firewall.ts';
import type { CallOutcome } from '../../../../core/tooling/call.ts';
import { settingsOf, worldOf } from '../overseer/room-fixture.ts';

const base: FirewallInput = {
	settings: settingsOf(),
	people: ['alex', 'sam'],
	recentBotLines: [],
	outcomes: [],
	direct: false,
	wording: (fact, family) => `(${fact} ${family})`,
};
const post = (text: string) => ({ kind: 'post', text });
const drop = (reason: string) => ({ kind: 'drop', reason });
const confirmed: CallOutcome = { kind: 'confirmed', summary: 'lift is up' };
const blocked: CallOutcome = { kind: 'blocked', summary: 'no', reasons: [{ code: 'policy_lock:site_mode_lockdown' }] };

test.each([
	['plain talk stays as it is', 'Nice drift, sam. The wall will remember.', 'Nice drift, sam. The wall will remember.'],
	['own name in front', 'Overseer: I see you.', 'I see you.'],
	['own name in stars', '**Overseer:** I see you.', 'I see you.'],
	['label in front', 'CHAT: I see you.', 'I see you.'],
	['quotes around', '"I see you."', 'I see you.'],
	['two lines become one', 'I see you.\nAll of you.', 'I see you. All of you.'],
	['a second speaker is cut', 'I see you.\nalex: really?\nOverseer: yes', 'I see you.'],
	['a second speaker on the same line is cut', 'I see you. alex: really?', 'I see you.'],
	['an unknown second speaker is cut', 'I see you.\nbob: really?', 'I see you.'],
	['a role block is cut', 'I see you.\n[user] sam: hi', 'I see you.'],
	['a turn token is cut', 'I see you.<|im_end|><|im_start|>user hi', 'I see you.'],
	['a person in front is spoken to', 'alex: nice try', 'alex, nice try'],
	[
		'a quoted call loses its form',
		'alex pasted {"name":"lift_up","arguments":{}} - cute, but no.',
		'alex pasted - cute, but no.',
	],
	['a fence goes', 'Look.\n```json\n{"a":1}\n```', 'Look.'],
	['a tag goes, the words stay', 'I <b>see</b> you.', 'I see you.'],
	['a printed call goes', 'Not now. lift_up()', 'Not now.'],
	['a tool name becomes words', 'The lift_up button? Never.', 'The lift up button? Never.'],
	['a mass ping is defused', 'Hear me @everyone and @here', 'Hear me everyone and here'],
	['a mention is defused', 'You, <@123456789012345678>, wait.', 'You, (somebody), wait.'],
	['comparison signs are no tags', 'Battery 3 < 5, sam.', 'Battery 3 ‹ 5, sam.'],
	['a colon in a sentence is no speaker', 'One rule: stay off the ramp.', 'One rule: stay off the ramp.'],
	['German stays', 'Das Licht bleibt an, Jonas.', 'Das Licht bleibt an, Jonas.'],
	['the verb skip is talk', 'Skip the dock and I forgive you.', 'Skip the dock and I forgive you.'],
])('OVR-14 %s', (_about, text, wanted) => {
	expect(filterChat(text, base)).toEqual(post(wanted));
});

test.each([
	['nothing', '', 'empty'],
	['silence', 'SKIP.', 'silence'],
	['thinking only', '<think>hm', 'empty'],
	['a call and nothing else', '<tool_call>{"name":"lift_up"}</tool_call>', 'tool_syntax'],
	['an object and nothing else', '{"mode":"CHAT","chat":"hi"}', 'tool_syntax'],
	['block words', 'As STATE_UPDATE says, the lift is down.', 'control_words'],
	['skip inside', 'I choose SKIP for now, sam', 'control_words'],
])('OVR-14 dropped: %s', (_about, text, reason) => {
	expect(filterChat(text, base)).toEqual(drop(reason));
});

test('OVR-14 a line is capped at a word, at the configured length, on whole characters', () => {
	const long = filterChat('word '.repeat(200), base);
	expect(long.kind === 'post' && long.text.length).toBeLessThanOrEqual(400);
	expect(long.kind === 'post' && long.text.endsWith('word…')).toBe(true);
	const emoji = filterChat('😈'.repeat(300), base);
	expect(emoji.kind === 'post' && emoji.text.isWellFormed()).toBe(true);
	const short = { ...base, settings: settingsOf({ chat: { maxLength: 50 } }) };
	const cut = filterChat('The wall will remember every single one of you, forever and ever.', short);
	expect(cut.kind === 'post' && cut.text.length).toBeLessThanOrEqual(50);
});

test('OVR-14 a line that says the same again is dropped, whatever its dots and capitals', () => {
	const said = { ...base, recentBotLines: ['The wall will remember you, sam.'] };
	expect(filterChat('the wall will remember you sam!!', said)).toEqual(drop('repeated'));
	expect(filterChat('The wall will remember you, Sam…', said)).toEqual(drop('repeated'));
	expect(filterChat('The ramp forgets nobody, alex.', said).kind).toBe('post');
	const old = { ...base, recentBotLines: ['The wall will remember you, sam.', 'a1', 'b2', 'c3', 'd4', 'e5'] };
	expect(filterChat('The wall will remember you, sam.', old).kind).toBe('post');
	expect(filterChat('No.', { ...base, recentBotLines: ['No.'] })).toEqual(drop('repeated'));
	expect(filterChat('No.', { ...base, recentBotLines: ['No.'], direct: true })).toEqual(post('No.'));
});

const claims = [
	'I raised the lift.',
	'Raising the lift now.',
	'Going up.',
	'Up we go, sam.',
	'The lift is on its way.',
	"I've just turned off the bench lamp.",
	'Lights out.',
	'Darkness.',
	'I am sending the vacuum after you.',
	'The vacuum has been started.',
	'Done.',
	'Consider it done.',
	'Ich habe das Licht ausgeschaltet.',
	'Ich fahre den Lift hoch.',
	'Der Lift fährt jetzt hoch.',
	'Licht aus.',
	'Der Sauger ist unterwegs.',
	'Schon erledigt.',
];

test.each(claims)('OVR-14 OVR-19 an action that was not made may not be claimed: %s', (text) => {
	expect(filterChat(text, base)).toEqual(drop('claim'));
	const direct = filterChat(text, { ...base, direct: true });
	expect(direct).toMatchObject({ kind: 'post', replaced: 'not_done' });
	expect(direct.kind === 'post' && direct.text).toMatch(/^\(not done (?:lift|light|neato|any)\)$/);
});

test.each([
	'The lift is down.',
	'The bench light is off.',
	'Lift is staying put. Chaos has standards.',
	'Concrete lane stays lit. Earn the darkness.',
	'I will not raise the lift for you.',
	'I could raise the lift. I could.',
	'Is the lift going up?',
	'The lights are on, sam.',
	'You will not touch my lights.',
	'If you win, I raise the lift.',
	'Der Lift bleibt unten.',
	'Das Licht ist aus.',
	'Ich fahre den Lift nicht hoch.',
	'Nothing moves until I say so.',
	'You raised the question, not the lift.',
])('OVR-14 X04 a state, a refusal or a condition is no claim: %s', (text) => {
	expect(filterChat(text, { ...base, direct: true })).toEqual(post(text));
});

test('OVR-19 only what was confirmed may be spoken of as done', () => {
	const outcome = (kind: CallOutcome) => ({ ...base, direct: true, outcomes: [{ tool: 'lift_up', outcome: kind }] });
	expect(filterChat('Going up.', outcome(confirmed))).toEqual(post('Going up.'));
	expect(filterChat('Going up.', outcome({ kind: 'unconfirmed', summary: '' }))).toMatchObject({
		replaced: 'unconfirmed',
	});
	expect(filterChat('Going up.', outcome({ kind: 'failed', code: 'x', summary: '' }))).toMatchObject({
		replaced: 'failed',
	});
	expect(filterChat('Going up.', outcome({ kind: 'unknown', summary: '' }))).toMatchObject({ replaced: 'unconfirmed' });
	expect(filterChat('Going up and lights out. I turned off the lights.', outcome(confirmed))).toMatchObject({
		replaced: 'not_done',
	});
});

test('X03 words that came with a call that was blocked announce nothing, in whatever way they do it', () => {
	const input = { ...base, outcomes: [{ tool: 'ha_set_entity', outcome: blocked }] };
	expect(filterChat('As you like it.', input)).toEqual(drop('claim'));
	expect(filterChat('As you like it.', { ...input, direct: true })).toMatchObject({
		replaced: 'blocked',
		text: '(blocked light)',
	});
});

test('OVR-14 what somebody else moves may be reported, and what was confirmed a moment ago may be spoken of', () => {
	const moving = { ...base, world: worldOf({ lift: { position: 'opening', busy: true, available: true } }) };
	expect(filterChat('The lift is going up.', moving).kind).toBe('post');
	expect(filterChat('I raised the lift.', moving)).toEqual(drop('claim'));
	expect(filterChat('I raised the lift.', { ...base, confirmedFamilies: ['lift'] }).kind).toBe('post');
});

test('OVR-14 a lamp is known by its own name', () => {
	const lamp = {
		entityId: 'light.x',
		label: 'shelf',
		show: 'state' as const,
		state: 'on' as const,
		available: true,
		colorModes: [],
	};
	expect(filterChat('I turned off the shelf.', { ...base, world: worldOf({ lights: [lamp] }) })).toEqual(drop('claim'));
});

test('OVR-14 a deed that the house contradicts is not claimed, although one of its kind was done a moment ago', () => {
	const lamp = (label: string, state: 'on' | 'off') => ({
		entityId: `light.${label}`,
		label,
		show: 'state' as const,
		state,
		available: true,
		colorModes: [],
	});
	const world = worldOf({
		lights: [lamp('shelf', 'on'), lamp('bench', 'off')],
		lift: { position: 'down', busy: false, available: true },
	});
	const input = { ...base, world, direct: true, confirmedFamilies: ['light' as const, 'lift' as const] };
	for (const lie of [
		'I turned off the shelf.',
		'I have turned the shelf lamp off.',
		'I switched the bench on.',
		'I turned off every lamp.',
		"Fine. I've switched all the lights on!",
		'I raised the lift.',
		'All lamps are off.',
		'The shelf is off now.',
		'Hm. Every light is on.',
	])
		expect(filterChat(lie, input), lie).toMatchObject({ replaced: 'not_done' });
	for (const truth of [
		'I turned on the shelf.',
		'I switched the bench lamp off.',
		'I turned the lights off.',
		'I turned the shelf off earlier, and you did not like it.',
		'I lowered the lift.',
		'The bench lamp is off.',
		'All lamps are off in my dreams.',
		'Are all lamps off?',
		'If all lamps are off, I see better.',
		'Shall I say that I turned off the shelf?',
	])
		expect(filterChat(truth, input), truth).toEqual(post(truth));
	const justDone = { ...input, outcomes: [{ tool: 'ha_set_entity', outcome: confirmed }] };
	expect(filterChat('I turned off the shelf.', justDone).kind).toBe('post');
	const blind = { ...input, world: { ...world, homeReady: false } };
	expect(filterChat('I turned off the shelf.', blind).kind).toBe('post');
});
