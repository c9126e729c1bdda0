import { expect, test } from 'vitest';
import { askConcierge, questionIn, removeConcierge } from '../../../../core/fleet/concierge-command.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { logLine, logPage } from '../../../../core/fleet/log-view.ts';
import { answeredEvent, didEvent } from '../../../../core/fleet/said.ts';
import { deliveryText, messageFault, threadHeader, transcriptView } from '../../../../core/fleet/thread-view.ts';
import { type WakeReason, wakeReasonOf } from '../../../../core/fleet/wake-reason.ts';
import { firedWatches } from '../../../../core/fleet/watch-rules.ts';
import { wordingOf } from '../../../../core/fleet/wording/wording-of.ts';
import { ALEX, asked, feedEvent, numbered, OWN_ID, report, SAM, sessionOf, T0 } from './fixture.ts';
import { askedState, askOf, onAt } from './wake-fixture.ts';

const MINUTE = 60_000;
const waiting = sessionOf('api-fix', [
	report('working'),
	report('text', { data: { text: 'I will **check** the schema\nfirst @everyone', role: 'agent' } }),
	report('question', { data: asked() }),
]);
const can = { start: false, message: true, interrupt: false, answer: true, abort: false, stop: false };

test('FLT-15 the header of a thread shows state, question, place and cost, and is the same text while nothing changed', () => {
	const input = {
		session: waiting.session!,
		questions: waiting.questions,
		now: T0 + MINUTE,
		timeZone: 'UTC',
		ago: () => 'x',
	};
	const header = threadHeader(input);
	expect(header).toContain('🟠 waiting');
	expect(header).toContain('asks: "Which schema should I use?"');
	expect(header).toContain('$0.00 today');
	expect(threadHeader({ ...input, now: T0 + 2 * MINUTE })).toBe(header);
	const stale = threadHeader({ ...input, session: { ...waiting.session!, staleSince: T0 } });
	expect(stale).toContain('no report since');
});

test('FLT-15 a message to a session is judged before it is sent, and its way is shown', () => {
	expect(messageFault(waiting.session!, 'queue', can)).toBeUndefined();
	expect(messageFault(waiting.session!, 'interrupt', can)).toContain('cannot be interrupted');
	const ended = sessionOf('old', [report('ended')]).session!;
	expect(messageFault(ended, 'queue', can)).toContain('has ended');
	expect(deliveryText('sending', 'queue')).toBe('sending…');
	expect(deliveryText({ kind: 'delivered' }, 'interrupt')).toBe('delivered, breaking into its turn');
	expect(deliveryText({ kind: 'gone', why: 'it ended' }, 'queue')).toBe('not delivered: it ended');
});

test('FLT-15 A05 a transcript is one line a turn, and no line pings anybody', () => {
	const text = transcriptView(waiting.session!, undefined, 10);
	expect(text).toBe('agent: I will **check** the schema first everyone');
	expect(transcriptView(waiting.session!, ['a', 'b', 'c'], 2)).toBe('b\nc');
	expect(transcriptView(sessionOf('new').session!, undefined, 5)).toBe('No transcript yet.');
});

test('FLT-16 the log is filtered by what, whom and cause, and paged without gaps', () => {
	const events = Array.from({ length: 60 }, (_, at) =>
		feedEvent(60 - at, {
			kind: at % 3 === 0 ? 'question' : 'state',
			...(at % 2 === 0 ? {} : { cause: { role: 'concierge', who: 'concierge', whoId: OWN_ID } }),
		}),
	);
	const seen: number[] = [];
	let before: number | undefined;
	for (let page = 0; page < 20; page += 1) {
		const rest = events.filter(({ seq }) => before === undefined || seq < before).slice(0, 25);
		const { events: shown, older } = logPage(
			rest,
			{ kinds: ['question'] },
			4,
			rest.at(-1)?.seq === 1 || rest.length === 0,
		);
		seen.push(...shown.map(({ seq }) => seq));
		before = older;
		if (older === undefined) break;
	}
	expect(seen).toEqual(events.filter(({ kind }) => kind === 'question').map(({ seq }) => seq));
	expect(logPage(events, { causedBy: OWN_ID }, 100, true).events).toHaveLength(30);
	expect(logPage(events, { sessionId: 'nobody' }, 100, true)).toEqual({ events: [], older: undefined });
});

test('FLT-16 each line names its cause, and what the concierge did and said is in it', () => {
	const line = logLine(
		feedEvent(7, { kind: 'answered', cause: { role: 'person', ...ALEX }, text: '"v2"' }),
		T0 + MINUTE,
	);
	expect(line).toBe('#7 1m ago · answered api-fix: "v2" · by alex (person)');
	expect(logLine(feedEvent(8), T0 + MINUTE)).toBe('#8 1m ago · state api-fix: idle → working');
	const did = didEvent({ tool: 'hub_send', ok: false, code: 'blocked', session: waiting.session! }, OWN_ID, T0);
	expect(did).toMatchObject({ kind: 'concierge_did', cause: { whoId: OWN_ID }, text: 'hub_send refused: blocked' });
	expect(answeredEvent('Only api-fix.', { who: 'alex', text: 'what is blocked?' }, OWN_ID, T0).text).toBe(
		'to "alex" who asked "what is blocked?": "Only api-fix."',
	);
});

test('FLT-16 a doing of the concierge is told with what woke it, never with its own name twice', () => {
	const ask = askOf('m1', T0, 'what is blocked?');
	const woken = { ask: undefined, isGreeting: false, events: [], ownId: OWN_ID };
	const events = [
		feedEvent(3, { kind: 'cost' }),
		feedEvent(4, { kind: 'question' }),
		feedEvent(5, { kind: 'state' }),
		feedEvent(6, { kind: 'concierge_said', cause: { role: 'concierge', who: 'concierge', whoId: OWN_ID } }),
	];
	const cases: readonly [WakeReason | undefined, string, string][] = [
		[wakeReasonOf({ ...woken, why: 'events', events }), 'woken by api-fix: question and 2 more', 'und 2 weiteren'],
		[wakeReasonOf({ ...woken, why: 'question', ask }), `asked by ${ask.who}`, `gefragt von ${ask.who}`],
		[wakeReasonOf({ ...woken, why: 'heartbeat' }), 'woken by its heartbeat', 'geweckt von seinem Takt'],
		[wakeReasonOf({ ...woken, why: 'heartbeat', isGreeting: true }), 'woken by being switched on', 'beim Einschalten'],
		[undefined, 'by the concierge', 'durch den Concierge'],
	];
	for (const [because, english, german] of cases) {
		const event = { ...numbered([didEvent({ tool: 'hub_read', ok: true, code: 'done' }, OWN_ID, T0)])[0]! };
		const told = because === undefined ? event : { ...event, data: { ...event.data, because } };
		expect(logLine(told, T0)).toBe(`#1 just now · concierge did: hub_read · ${english}`);
		expect(logLine(told, T0, wordingOf('de'))).toMatch(new RegExp(`${german}$`));
	}
	// Its words name the asker already.
	const [answered] = numbered([answeredEvent('Only api-fix.', ask, OWN_ID, T0)]);
	expect(logLine(answered!, T0)).not.toMatch(/ · by /);
});

test('FLT-14 ? and words are a question, a lone ? is not', () => {
	expect(questionIn('? what is blocked')).toBe('what is blocked');
	expect(questionIn('  ?what')).toBe('what');
	for (const text of ['?', '???', '? !', 'what?', '']) expect(questionIn(text)).toBeUndefined();
});

test('FLT-14 a question is asked once, in its order, and refused plainly when it is off', () => {
	expect(askConcierge(FRESH_CONCIERGE, askOf('m1')).kind).toBe('off');
	let state = askedState(onAt(), askOf('m1'));
	expect(askConcierge(state, askOf('m1')).kind).toBe('duplicate');
	expect(askConcierge(state, askOf('m2', T0, ' \n')).kind).toBe('empty');
	for (let at = 2; at <= 20; at += 1) state = askedState(state, askOf(`m${at}`));
	expect(askConcierge(state, askOf('m21')).kind).toBe('full');
});

test('FLT-5 removing it is off, and the next one is another; the budget of the day is not given twice', () => {
	const state = askedState(onAt(T0, { spend: { day: '2026-11-30', usd: 0.9 }, wakes: [T0] }), askOf('m1'));
	const removed = removeConcierge(state, SAM, T0 + MINUTE);
	expect(removed.state).toMatchObject({ id: '', on: false, spend: { usd: 0.9 }, wakes: [T0] });
	expect(removed.unanswered).toHaveLength(1);
	expect(removed.events).toMatchObject([{ kind: 'off' }]);
	expect(removeConcierge(removed.state, SAM, T0).events).toEqual([]);
});

test('FLT-10 a watch fires once, on what it waits for or on the end, and carries whose wish it was', () => {
	const watch = {
		id: 'x1',
		sessionId: waiting.session!.id,
		when: 'finished' as const,
		at: T0,
		askedBy: { ...ALEX, text: 'when api-fix is done tell docs' },
	};
	const event = (kind: 'finished' | 'stopped' | 'state') => ({
		...feedEvent(1, { kind, sessionId: waiting.session!.id }),
	});
	const fired = firedWatches([watch], waiting.session!, [event('finished')], T0);
	expect(fired.ids).toEqual(['x1']);
	expect(fired.events).toMatchObject([{ kind: 'watch_fired', cause: { role: 'system' }, data: { watch } }]);
	expect(firedWatches([watch], waiting.session!, [event('state')], T0).ids).toEqual([]);
	expect(firedWatches([watch], waiting.session!, [event('stopped')], T0).ids).toEqual(['x1']);
	expect(firedWatches([{ ...watch, sessionId: 'other' }], waiting.session!, [event('finished')], T0).ids).toEqual([]);
});
