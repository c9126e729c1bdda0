import { expect, test } from 'vitest';
import { plainFleet } from '../../../../core/fleet/plain-report.ts';
import { runningCall } from '../../../../core/fleet/running-call.ts';
import { hasEnded } from '../../../../core/fleet/session.ts';
import { sessionLine } from '../../../../core/fleet/session-line.ts';
import { markStale } from '../../../../core/fleet/stale.ts';
import { threadHeader } from '../../../../core/fleet/thread-view.ts';
import { ENGLISH } from '../../../../core/fleet/wording/english.ts';
import { GERMAN } from '../../../../core/fleet/wording/german.ts';
import { asked, nothing, play, report, settingsOf, T0 } from './fixture.ts';

test('FLT-1 a session goes from starting over working and waiting to finished, and its agent may go on', () => {
	const states: string[] = [];
	let kept = nothing();
	for (const next of [
		report('started', { session: { name: 'api-fix', directory: '/w/api' } }),
		report('working'),
		report('question', { data: asked() }),
		report('question_closed', { data: { ref: 'r1', how: 'answered' } }),
		report('finished', { data: { text: 'All tests pass.', totalUsd: 0.03 } }),
	]) {
		kept = play(kept, [next]);
		states.push(kept.session!.state);
	}
	expect(states).toEqual(['starting', 'working', 'waiting', 'working', 'finished']);
	expect(kept.session).toMatchObject({ name: 'api-fix', directory: '/w/api', summary: 'All tests pass.' });
	expect(hasEnded(kept.session!)).toBe(false);
	expect(kept.events.map(({ kind }) => kind)).toEqual([
		'started',
		'state',
		'question',
		'answered',
		'state',
		'finished',
	]);
	kept = play(kept, [report('ended', { data: { reason: 'quit' } })]);
	expect(kept.session).toMatchObject({ state: 'finished', endReason: 'quit' });
	expect(hasEnded(kept.session!)).toBe(true);
});

test('FLT-1 an abort by a person is no failure, and one that ends amid its work is stopped', () => {
	const aborted = play(nothing(), [report('working'), report('aborted', { data: { reason: 'esc' } })]);
	expect(aborted.session!.state).toBe('idle');
	expect(aborted.events.map(({ kind }) => kind)).not.toContain('failed');
	const gone = play(nothing(), [report('working'), report('ended')]);
	expect(gone.session!.state).toBe('stopped');
	expect(gone.events.at(-1)!.kind).toBe('stopped');
});

test('FLT-2 every event of a session names the session as its cause by id', () => {
	const { events, session } = play(nothing(), [
		report('started'),
		report('working'),
		report('failed', { data: { text: 'boom' } }),
	]);
	expect(events).toHaveLength(3);
	expect(new Set(events.map(({ cause }) => cause.whoId))).toEqual(new Set([session!.id]));
	expect(events.at(-1)).toMatchObject({ kind: 'failed', text: '"boom"' });
});

test('FLT-4 a report that was taken before changes nothing, alone or inside a batch', () => {
	const started = report('started');
	const working = report('working');
	const once = play(nothing(), [started, working]);
	expect(play(once, [started, working])).toBe(once);
	const twice = play(nothing(), [started, working, working, started]);
	expect(twice.events).toEqual(once.events);
});

test('FLT-4 an older report that arrives late does not turn the session back', () => {
	const late = report('working', { n: 2 });
	let kept = play(nothing(), [report('started', { n: 1 }), report('finished', { n: 3, data: { text: 'done' } })]);
	kept = play(kept, [late]);
	expect(kept.session).toMatchObject({ state: 'finished', lastReport: 3 });
	expect(kept.events.map(({ kind }) => kind)).toEqual(['started', 'finished']);
});

test('FLT-4 a closing that overtakes its question leaves no open question behind', () => {
	let kept = play(nothing(), [report('working', { n: 1 }), report('question_closed', { n: 3, data: { ref: 'r1' } })]);
	kept = play(kept, [report('question', { n: 2, data: asked() })]);
	expect(kept.session).toMatchObject({ state: 'working', openQuestions: [] });
	expect(kept.questions.map(({ state }) => state)).toEqual(['closed']);
	const byEnd = play(nothing(), [report('finished', { n: 5 }), report('question', { n: 4, data: asked() })]);
	expect(byEnd.session!.state).toBe('finished');
	expect(byEnd.events.map(({ kind }) => kind)).not.toContain('question');
});

test('FLT-4 a reporter that counts from 1 again is believed only when its clock went on', () => {
	const before = play(nothing(), [
		report('started', { n: 1, at: T0 }),
		report('question', { n: 7, at: T0 + 5_000, data: asked() }),
	]);
	const old = play(before, [report('started', { n: 1, at: T0 })]);
	expect(old.session!.state).toBe('waiting');
	const anew = play(before, [
		report('started', { n: 1, at: T0 + 60_000 }),
		report('working', { n: 2, at: T0 + 61_000 }),
	]);
	expect(anew.session).toMatchObject({ state: 'working', lastReport: 2, openQuestions: [] });
	expect(anew.questions[0]!.state).toBe('lost');
});

test('FLT-4 silence makes stale, not finished; the next report takes the mark away and says so', () => {
	const settings = settingsOf();
	const { session } = play(nothing(), [report('working')]);
	expect(markStale(session!, settings, T0 + settings.staleAfterMs - 1)).toBeUndefined();
	const marked = markStale(session!, settings, T0 + settings.staleAfterMs)!;
	expect(marked.session).toMatchObject({ state: 'working', staleSince: T0 + settings.staleAfterMs });
	expect(marked.events.map(({ kind }) => kind)).toEqual(['stale']);
	expect(markStale(marked.session, settings, T0 + 9e9)).toBeUndefined();
	const back = play({ ...nothing(), session: marked.session, version: 1 }, [report('alive')], { now: T0 + 9e6 });
	expect(back.session!.staleSince).toBeUndefined();
	expect(back.events.map(({ kind }) => kind)).toEqual(['back']);
});

test('FLT-4 a session that runs one long command is not stale before the longer time; what it runs is said instead', () => {
	const settings = settingsOf({ staleAfterMs: 600_000, staleRunningAfterMs: 7_200_000 });
	const running = { data: { role: 'tool' as const, text: 'Bash', running: 'Bash: npm test' } };
	const begun = play(nothing(), [report('working'), report('text', running)]);
	expect(markStale(begun.session!, settings, T0 + 599_999)).toBeUndefined();
	const noted = markStale(begun.session!, settings, T0 + 600_000)!;
	expect(noted.session.staleSince).toBeUndefined();
	expect(noted.events.map(({ kind, text }) => [kind, text])).toEqual([
		['state', 'still runs "Bash: npm test", begun 10m ago'],
	]);
	expect(markStale(noted.session, settings, T0 + 7_199_999), 'said once').toBeUndefined();
	const silent = markStale(noted.session, settings, T0 + 7_200_000)!;
	expect(silent.session.staleSince).toBe(T0 + 7_200_000);
	expect(silent.events[0]).toMatchObject({
		kind: 'stale',
		text: 'was working, running "Bash: npm test", has not reported for 2h',
	});
	// A setting below the usual one never makes it stale sooner.
	const short = settingsOf({ staleAfterMs: 600_000, staleRunningAfterMs: 10_000 });
	expect(markStale(begun.session!, short, T0 + 599_999)).toBeUndefined();
	expect(markStale(begun.session!, short, T0 + 600_000)!.session.staleSince).toBeDefined();

	const again = { ...begun, session: noted.session, version: begun.version };
	const ended = play(again, [report('alive', { data: { running: '' } })], { now: T0 + 700_000 });
	expect(ended.events.slice(begun.events.length).map(({ text }) => text)).toEqual(['went on after "Bash: npm test"']);
	expect(markStale(ended.session!, settings, T0 + 700_000 + 600_000)!.session.staleSince).toBeDefined();
	// The end of its turn ends it as well, and one that waits for a person runs nothing.
	for (const kind of ['idle', 'finished', 'failed', 'aborted', 'ended'] as const)
		expect(runningCall(play(begun, [report(kind)]).session!), kind).toBeUndefined();
	expect(runningCall(play(begun, [report('question', { data: asked() })]).session!)).toBeUndefined();
});

test('FLT-4 FLT-15 the lines of a session say what it runs once that takes long', () => {
	const running = { data: { role: 'tool' as const, text: 'Bash', running: 'Bash: npm "test"\n# @everyone' } };
	const { session } = play(nothing(), [report('working'), report('text', running)]);
	const context = { questions: new Map(), day: '2026-11-30', now: T0 + 12 * 60_000 };
	expect(sessionLine(session!, context)).toMatch(/ runs "Bash: npm 'test' +everyone", begun 12m ago/);
	expect(sessionLine(session!, { ...context, now: T0 + 59_000 })).not.toContain('runs');
	const input = { sessions: [session!], questions: [], now: context.now, timeZone: 'UTC' };
	expect(plainFleet(input)).toMatch(/: working for 12m, runs "Bash: .*", begun 12m ago/);
	const header = (of: typeof session, words = ENGLISH) =>
		threadHeader({ session: of!, questions: [], now: context.now, timeZone: 'UTC', words });
	expect(header(session)).not.toContain('npm');
	const { session: noted } = markStale(session!, settingsOf(), context.now)!;
	expect(header(noted)).toMatch(/\nruns "Bash: npm 'test' .*", begun 12m ago\n/);
	expect(header(noted, GERMAN)).toMatch(/\nführt "Bash: .*" aus, begonnen vor 12 min\n/);
	expect(header(noted).split('\n')).toHaveLength(3);
});

test('FLT-4 an idle session that is silent is marked without waking anybody', () => {
	const { session } = play(nothing(), [report('idle')]);
	expect(markStale(session!, settingsOf(), T0 + 9e6)!.events).toEqual([]);
	const ended = play(nothing(), [report('ended')]).session!;
	expect(markStale(ended, settingsOf(), T0 + 9e6)).toBeUndefined();
});

test('FLT-9 a session counts what it cost today apart from before', () => {
	const day = 86_400_000;
	let kept = play(nothing(), [report('started', { data: { totalUsd: 5 } })]);
	expect(kept.session!.cost).toMatchObject({ totalUsd: 5, dayBaseUsd: 5 });
	kept = play(kept, [report('cost', { data: { totalUsd: 5.5 } })]);
	kept = play(kept, [report('cost', { data: { totalUsd: 5.2 } })], { now: T0 + 1_000 });
	expect(kept.session!.cost.totalUsd).toBe(5.5);
	expect(kept.events.filter(({ kind }) => kind === 'cost')).toHaveLength(1);
	kept = play(kept, [report('finished', { data: { totalUsd: 6 } })], { now: T0 + day });
	expect(kept.session!.cost).toEqual({ totalUsd: 6, day: '2026-12-01', dayBaseUsd: 5.5 });
});

test('FLT-13 a question that its agent lists again is the same one; a lost one that is still there opens again', () => {
	const settings = { data: asked() };
	let kept = play(nothing(), [report('question', { n: 1, ...settings }), report('question', { n: 2, ...settings })]);
	expect(kept.questions).toHaveLength(1);
	expect(kept.events.filter(({ kind }) => kind === 'question')).toHaveLength(1);
	kept = play(kept, [report('ended', { n: 3 })]);
	expect(kept.questions[0]!.state).toBe('lost');
	kept = play(kept, [report('question', { n: 4, ...settings }), report('working', { n: 5 })]);
	expect(kept.questions[0]).toMatchObject({ state: 'open', revision: 3 });
	expect(kept.session!.state).toBe('waiting');
});

test('S03 ids that mean something elsewhere are only text here', () => {
	const ids = ['../api-access', 's1', 'S1', 'constructor', '__proto__', 'x'.repeat(300)];
	const made = ids.map((nativeId) => play(nothing(), [report('started', { session: { nativeId } })]).session!);
	expect(new Set(made.map(({ id }) => id)).size).toBe(ids.length);
	for (const session of made) {
		expect(session.id).toMatch(/^s[0-9a-f]{15}$/);
		expect(session.name).toMatch(/^[\p{L}\p{N}._-]{1,40}$/u);
	}
});

test('FLT-17 another host that reports the same native id reports another session', () => {
	const here = play(nothing(), [report('started')], { host: 'den' }).session!;
	const there = play(nothing(), [report('started')], { host: 'attic' }).session!;
	expect(here.id).not.toBe(there.id);
});
