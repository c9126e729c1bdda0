import { expect, test } from 'vitest';
import { hasEnded } from '../../../../core/fleet/session.ts';
import { markStale } from '../../../../core/fleet/stale.ts';
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
