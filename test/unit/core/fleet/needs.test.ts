import { expect, test } from 'vitest';
import { discordSettings } from '../../../../config/discord.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { type CardsInput, dueCards, failureId, needsOf } from '../../../../core/fleet/needs.ts';
import { plainFleet, plainNotice } from '../../../../core/fleet/plain-report.ts';
import { mayFleet, mayHostSee, mentionsFor } from '../../../../core/fleet/trust.ts';
import { ALEX, asked, LOCAL, numbered, OWN_ID, PAID, play, report, SAM, sessionOf, settingsOf, T0 } from './fixture.ts';
import { onAt } from './wake-fixture.ts';

const waiting = sessionOf('api-fix', [report('working'), report('question', { data: asked() })]);
const failed = sessionOf('build', [report('working'), report('failed', { data: { text: 'exit 1' } })], T0 + 1);
const sessions = [waiting.session!, failed.session!];
const needs = needsOf(sessions, waiting.questions);

function cards(change: Partial<CardsInput> = {}) {
	const due = dueCards({
		needs,
		shown: new Set(),
		concierge: onAt(),
		model: LOCAL,
		settings: settingsOf(),
		now: T0 + 1_000,
		...change,
	});
	return { posted: due.post.map(({ kind }) => kind), dueAt: due.dueAt };
}

test('FLT-20 waiting and failed sessions are needs, oldest first, each the same one as long as it lasts', () => {
	expect(needs.map(({ kind, session }) => [kind, session.name])).toEqual([
		['question', 'api-fix'],
		['failed', 'build'],
	]);
	expect(failureId(failed.session!)).toMatch(/^f[0-9a-f]{15}$/);
	const later = play(failed, [report('alive', { session: { nativeId: 'build' }, at: T0 + 5 })]);
	expect(failureId(later.session!)).toBe(failureId(failed.session!));
	const again = play(failed, [report('working', { session: { nativeId: 'build' }, at: T0 + 5 })]);
	expect(needsOf([again.session!], [])).toEqual([]);
});

test('FLT-20 FLT-13 the concierge has the first word for a moment, then the card comes by code', () => {
	expect(cards()).toEqual({ posted: [], dueAt: T0 + 20_000 });
	expect(cards({ now: T0 + 20_000 }).posted).toEqual(['question']);
	expect(cards({ now: T0 + 30_000 }).posted).toEqual(['question', 'failed']);
	expect(cards({ now: T0 + 30_000, shown: new Set(needs.map(({ id }) => id)) })).toEqual({
		posted: [],
		dueAt: undefined,
	});
});

test('FLT-19 FLT-20 with the concierge off, without a model, over budget, held or broken the card comes at once', () => {
	const broken: readonly Partial<CardsInput>[] = [
		{ concierge: FRESH_CONCIERGE },
		{ model: { ...LOCAL, id: undefined } },
		{ model: { ...PAID, price: undefined } },
		{ model: PAID, concierge: onAt(T0, { spend: { day: '2026-11-30', usd: 1 } }) },
		{ concierge: onAt(T0, { failures: 1 }) },
		{ concierge: onAt(T0, { retryAt: T0 + 60_000 }) },
	];
	for (const change of broken) expect(cards(change).posted).toEqual(['question', 'failed']);
});

test('FLT-13 a muted session gets no card and stays a need', () => {
	const muted = needs.map((need) => ({ ...need, session: { ...need.session, muted: true } }));
	expect(cards({ needs: muted, now: T0 + 9e6 })).toEqual({ posted: [], dueAt: undefined });
});

test('FLT-14 FLT-20 the plain list shows what needs somebody first, and one line a session', () => {
	const idle = sessionOf('docs', [report('idle')]);
	const text = plainFleet({
		sessions: [idle.session!, ...sessions],
		questions: waiting.questions,
		now: T0 + 60_000,
		timeZone: 'UTC',
	});
	expect(text.split('\n').map((line) => line.split(':')[0])).toEqual(['- api-fix', '- build', '- docs']);
	expect(text).toContain('asks "Which schema should I use?"');
	expect(plainFleet({ sessions: [], questions: [], now: T0, timeZone: 'UTC' })).toBe('No sessions are known.');
	const many = Array.from({ length: 200 }, () => idle.session!);
	expect(plainFleet({ sessions: many, questions: [], now: T0, timeZone: 'UTC' })).toMatch(/and 180 more$/);
});

test('FLT-19 the notice tells what happened without any model', () => {
	const events = numbered([...waiting.events, ...failed.events]);
	const text = plainNotice({
		sessions,
		questions: waiting.questions,
		events,
		ownId: OWN_ID,
		code: 'overloaded',
		failures: 3,
		now: T0 + 60_000,
		timeZone: 'UTC',
	});
	expect(text).toMatch(/failed 3 times in a row \(overloaded\)/);
	expect(text).toContain("- build failed 59s ago: 'exit 1'");
	expect(text.length).toBeLessThanOrEqual(1_800);
});

test('FLT-17 people answer for what is theirs, operators for all, and nobody else', () => {
	const discord = discordSettings.parse({ adminUserIds: ['333333333333333333'] });
	const fleet = settingsOf({ operatorRoleIds: ['444444444444444444'] });
	const may = (action: Parameters<typeof mayFleet>[0], id: string, roleIds: string[] = []) =>
		mayFleet(action, { id, roleIds }, { ownerId: ALEX.whoId }, discord, fleet);
	expect(may('answer', ALEX.whoId)).toBe(true);
	expect(may('answer', SAM.whoId)).toBe(false);
	expect(may('answer', SAM.whoId, ['444444444444444444'])).toBe(true);
	expect(may('control', ALEX.whoId)).toBe(false);
	expect(may('start', '333333333333333333')).toBe(true);
	expect(may('ask', SAM.whoId)).toBe(true);
	for (const id of ['concierge', OWN_ID, waiting.session!.id, '']) expect(may('ask', id)).toBe(false);
	expect(mayHostSee('attic', waiting.session!)).toBe(false);
	expect(mayHostSee('den', waiting.session!)).toBe(true);
});

test('FLT-13 only the owner is mentioned, whatever a text says', () => {
	const fleet = settingsOf({ ownerUserIds: [SAM.whoId] });
	expect(mentionsFor({ ownerId: ALEX.whoId }, fleet)).toEqual([ALEX.whoId]);
	expect(mentionsFor(waiting.session!, fleet)).toEqual([SAM.whoId]);
});
