import { expect, test } from 'vitest';
import {
	guardHubCall,
	guardHubTool,
	type HubScene,
	type HubTurn,
	offeredTools,
} from '../../../../core/fleet/guard-hub-call.ts';
import { turnSchema } from '../../../../core/fleet/hub-arguments.ts';
import { HUB_TOOLS } from '../../../../core/fleet/hub-call.ts';
import { relayDraft, relayEvent, relayText } from '../../../../core/fleet/relay.ts';
import { noticeOf } from '../../../../core/fleet/said.ts';
import { ALEX, asked, OWN_ID, report, sessionOf, T0 } from './fixture.ts';
import { askOf } from './wake-fixture.ts';

const waiting = sessionOf('api-fix', [report('working'), report('question', { data: asked() })]);
const working = sessionOf('docs', [report('working')]);
const ended = sessionOf('old-run', [report('working'), report('ended')]);
const scene: HubScene = { isOn: true, sessions: [waiting, working, ended].map(({ session }) => session!) };
const inDigest: HubTurn = { why: 'events', ask: undefined, fired: [], sentTo: [], notified: 0 };
const askedFor = (text: string): HubTurn => ({ ...inDigest, why: 'question', ask: askOf('m1', T0, text) });
const send = (to: unknown, turn: HubTurn, text: unknown = 'the tests pass', at = scene) => {
	const result = guardHubCall({ tool: 'hub_send', args: { to, text } }, at, turn);
	return result.ok ? `ok ${result.session?.name}` : result.code;
};

test('FLT-10 there are six tools, and none that starts, stops, removes, runs or writes', () => {
	expect(HUB_TOOLS).toEqual(['hub_sessions', 'hub_events', 'hub_read', 'hub_send', 'hub_notify', 'hub_watch']);
	for (const tool of ['hub_stop', 'hub_start', 'hub_answer', 'bash', 'session_remove', 'constructor', '__proto__']) {
		expect(guardHubCall({ tool, args: {} }, scene, askedFor('do it'))).toMatchObject({
			ok: false,
			code: 'unknown_tool',
		});
	}
});

test('FLT-11 while a session waits on its question nothing is sent to it, unless a person asked for that in this turn', () => {
	expect(send('api-fix', inDigest)).toBe('not_asked');
	expect(send('api-fix', askedFor('what is blocked?'))).toBe('blocked');
	expect(send('api-fix', askedFor('tell everyone to go on'))).toBe('blocked');
	expect(send('api-fix', askedFor('tell it to go on'))).toBe('blocked');
	expect(send('api-fix', askedFor('tell api-fix that docs are done'))).toBe('ok api-fix');
});

test('FLT-11 a watch of a person does not open the way to a session that waits', () => {
	const fired = [
		{
			id: 'x',
			sessionId: 's',
			when: 'idle' as const,
			at: T0,
			askedBy: { ...ALEX, text: 'when docs is done tell api-fix' },
		},
	];
	expect(send('api-fix', { ...inDigest, fired })).toBe('blocked');
	const free = { ...waiting.session!, state: 'working' as const, openQuestions: [] };
	expect(
		send('api-fix', { ...inDigest, fired }, 'docs is done', { ...scene, sessions: [free, working.session!] }),
	).toBe('ok api-fix');
	expect(send('docs', { ...inDigest, fired: [{ ...fired[0]!, askedBy: undefined }] })).toBe('not_asked');
});

test('FLT-22 FLT-17 what a transcript asks for is not relayed: the right comes from a person’s words alone', () => {
	expect(send('docs', inDigest)).toBe('not_asked');
	expect(send('docs', askedFor('what does api-fix say?'))).toBe('not_asked');
	expect(send('docs', askedFor('tell docs what api-fix found'))).toBe('ok docs');
	expect(send('docs', askedFor('tell everyone to pull'))).toBe('ok docs');
});

test('X02 FLT-10 never to itself, never to a guess, never to one that is gone', () => {
	const turn = askedFor('tell concierge, old-run, d and api-fix');
	expect(send('concierge', turn)).toBe('self');
	expect(send('nobody', turn)).toBe('unknown_session');
	expect(send('old-run', turn)).toBe('gone');
	const twins = { ...scene, sessions: [working.session!, { ...working.session!, id: 'sffffffffffffffff' }] };
	expect(send('docs', askedFor('tell docs'), 'x', twins)).toBe('ambiguous');
});

test('O10 ids are text in every tool: a number, nothing and broken characters are refused, never repaired', () => {
	const turn = askedFor('tell docs');
	expect(send(JSON.parse('1523456789012345678'), turn)).toBe('invalid_args');
	expect(send(undefined, turn)).toBe('invalid_args');
	expect(send('docs', turn, 'k\u0000fcche')).toBe('invalid_args');
	expect(send('docs', turn, '  ')).toBe('invalid_args');
	expect(send('docs', turn, 'x'.repeat(4_001))).toBe('invalid_args');
	const kept = guardHubCall({ tool: 'hub_send', args: { to: 'docs', text: 'Tom &amp; Jerry }\nnext' } }, scene, turn);
	expect(kept).toMatchObject({ ok: true, args: { text: 'Tom &amp; Jerry }\nnext' } });
	for (const args of ['docs', null, [], 7]) {
		expect(guardHubCall({ tool: 'hub_read', args }, scene, turn)).toMatchObject({ ok: false, code: 'invalid_args' });
	}
	const { json } = turnSchema(HUB_TOOLS);
	expect(JSON.stringify(json)).not.toContain('"id":{"type":"integer"}');
});

test('FLT-10 a turn has bounds: one message a session, five in all, five notices, nothing once it is off', () => {
	const turn = askedFor('tell docs');
	expect(send('docs', { ...turn, sentTo: [working.session!.id] })).toBe('limit');
	expect(send('docs', { ...turn, sentTo: ['a', 'b', 'c', 'd', 'e'] })).toBe('limit');
	expect(guardHubTool('hub_notify', scene, { ...turn, notified: 5 })?.code).toBe('limit');
	for (const tool of HUB_TOOLS) expect(guardHubTool(tool, { ...scene, isOn: false }, turn)?.code).toBe('off');
});

test('FLT-10 what is refused in a turn is not offered in it', () => {
	expect(offeredTools(scene, inDigest)).toEqual(['hub_sessions', 'hub_events', 'hub_read', 'hub_notify', 'hub_watch']);
	expect(offeredTools(scene, askedFor('hello'))).toContain('hub_send');
	expect(offeredTools({ isOn: true, sessions: [] }, askedFor('hello'))).toEqual([
		'hub_sessions',
		'hub_events',
		'hub_notify',
	]);
	expect(JSON.stringify(turnSchema(offeredTools(scene, inDigest)).json)).not.toContain('hub_send');
});

test('FLT-10 a message arrives as the concierge’s, waits for the turn to end, and says what it cannot do', () => {
	const input = { id: 'c1', session: working.session!, text: 'the tests pass', ownId: OWN_ID, askedBy: ALEX, now: T0 };
	expect(relayDraft(input)).toMatchObject({ id: 'c1', mode: 'queue', from: { role: 'concierge', whoId: OWN_ID } });
	expect(relayText('the tests pass', ALEX)).toMatch(
		/not from the person you work for[\s\S]*alex asked for it; it approves nothing[\s\S]*\n\nthe tests pass$/,
	);
	expect(relayEvent(input)).toMatchObject({
		kind: 'concierge_sent',
		cause: { whoId: OWN_ID },
		text: '"the tests pass", asked by alex',
	});
});

test('FLT-13 a need posts the card of the session that it names, once; info posts nothing', () => {
	const about = {
		sessions: scene.sessions,
		questions: waiting.questions,
		shown: new Set<string>(),
		calls: [],
		ownId: OWN_ID,
		now: T0,
	};
	const need = noticeOf({ ...about, text: 'api-fix asks which schema to use', level: 'need', session: undefined });
	expect(need.cards.map(({ id }) => id)).toEqual([waiting.questions[0]!.id]);
	expect(need.said).toMatchObject({ level: 'need', sessionId: waiting.session!.id });
	expect(need.isPlainPost).toBe(false);
	const again = noticeOf({
		...about,
		shown: new Set([waiting.questions[0]!.id]),
		text: 'api-fix still waits',
		level: 'need',
		session: undefined,
	});
	expect(again).toMatchObject({ cards: [], isPlainPost: false, result: expect.stringContaining('already') });
	const info = noticeOf({ ...about, text: 'docs is done', level: 'info', session: working.session! });
	expect(info).toMatchObject({
		cards: [],
		isPlainPost: false,
		event: { kind: 'concierge_said', cause: { whoId: OWN_ID } },
	});
	expect(noticeOf({ ...about, text: 'the disk is full', level: 'need', session: undefined }).isPlainPost).toBe(true);
});

test('FLT-13 a need about no open question calls people three times an hour for one session at most, whatever it says', () => {
	const say = (at: number, calls: { at: number; about: string }[], isAbout = true) =>
		noticeOf({
			text: `look at docs, at once! (${at})`,
			level: 'need',
			session: isAbout ? working.session : undefined,
			sessions: scene.sessions,
			questions: [],
			shown: new Set(),
			calls,
			ownId: OWN_ID,
			now: T0 + at,
		});
	let calls: { at: number; about: string }[] = [];
	const posted = [0, 1, 2, 3, 4, 5].map((at) => {
		const notice = say(at, calls);
		calls = [...notice.calls];
		expect(notice.said.level).toBe('need');
		return notice.isPlainPost;
	});
	expect(posted).toEqual([true, true, true, false, false, false]);
	expect(say(6, calls).result).toContain('already');
	expect(say(7, calls, false).isPlainPost).toBe(true);
	expect(say(3_599_999, calls).isPlainPost).toBe(false);
	expect(say(3_600_003, calls).isPlainPost).toBe(true);
	expect(say(9_000_000, calls).calls).toHaveLength(1);
});
