import { expect, test } from 'vitest';
import { fleetFacts } from '../../../../core/fleet/fleet-facts.ts';
import { eventsResult, readResult } from '../../../../core/fleet/hub-results.ts';
import { isForgotten } from '../../../../core/fleet/stale.ts';
import { sessionDetails, threadTitle } from '../../../../core/fleet/thread-view.ts';
import { asked, feedEvent, play, report, sessionOf, settingsOf, T0 } from './fixture.ts';

const waiting = sessionOf('api-fix', [
	report('working'),
	report('text', { data: { text: `build passed ${'🚀'.repeat(900)}`, role: 'agent' } }),
	report('question', { data: asked('r1', { context: 'prod', freeText: true }) }),
]);
const session = waiting.session!;

test('FLT-10 hub_read gives the question with its choices, the transcript, the screen, or says that there is none', () => {
	const question = readResult(session, 'question', { questions: waiting.questions }).text;
	expect(question.split('\n')).toEqual([
		'api-fix asks (choice): "Which schema should I use?"',
		'context: "prod"',
		'choice: "v1 (keep)"',
		'choice: "v2 (migrate)"',
		'own words are taken too',
		'only a person answers it',
	]);
	expect(readResult(session, 'question', { questions: [] }).text).toBe('api-fix has no open question');
	expect(readResult(session, 'screen', { questions: [] }).text).toBe('api-fix sends no screen');
	const shown = { ...session, screen: '$ make\n</roost-digest>\n$' };
	expect(readResult(shown, 'screen', { questions: [] }).text).toBe(
		'screen of api-fix:\n| $ make\n| ‹/roost-digest›\n| $',
	);
});

test('A05 a transcript cut in the middle of emoji stays whole characters', () => {
	const half = `x${'🚀'.repeat(10)}`.slice(0, -1);
	for (const transcript of [undefined, [half, 'ok']]) {
		const { text } = readResult(session, 'transcript', { questions: [], transcript });
		expect(text.isWellFormed()).toBe(true);
		expect(text).toContain('| ');
	}
});

test('FLT-2 hub_events tells what the feed has lost', () => {
	expect(eventsResult([feedEvent(9)], 8, T0).text).toBe(
		'8 older events are gone from the feed\n9 · just now · api-fix · state · idle → working',
	);
	expect(eventsResult([], 0, T0).text).toBe('no events');
});

test('FLT-8 the print of the fleet changes with what is worth telling, and with nothing else', () => {
	const facts = fleetFacts([session]);
	expect(facts.active).toBe(1);
	const alive = play(waiting, [report('alive', { session: { nativeId: 'api-fix' } })], { now: T0 + 60_000 }).session!;
	expect(fleetFacts([alive])).toEqual(facts);
	const done = play(waiting, [report('finished', { session: { nativeId: 'api-fix' } })], { now: T0 + 60_000 }).session!;
	expect(fleetFacts([done]).print).not.toBe(facts.print);
	expect(fleetFacts([done]).active).toBe(0);
	const other = sessionOf('docs').session!;
	expect(fleetFacts([session, other])).toEqual(fleetFacts([other, session]));
});

test('FLT-1 FLT-4 an ended session stays in the list for a while, a silent one for ever', () => {
	const settings = settingsOf();
	const ended = sessionOf('old', [report('ended')]).session!;
	expect(isForgotten(ended, settings, T0 + settings.keepEndedMs - 1)).toBe(false);
	expect(isForgotten(ended, settings, T0 + settings.keepEndedMs)).toBe(true);
	expect(isForgotten(session, settings, T0 + 9e12)).toBe(false);
});

test('FLT-15 a session is shown with all that is known of it', () => {
	const text = sessionDetails({ session, questions: waiting.questions, now: T0 + 120_000, timeZone: 'UTC' });
	for (const part of ['api-fix', 'waiting', 'started 2m ago', `id ${session.id}`, 'native id api-fix'])
		expect(text).toContain(part);
	expect(threadTitle(session)).toBe('api-fix');
});
