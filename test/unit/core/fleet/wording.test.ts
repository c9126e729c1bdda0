import { describe, expect, test } from 'vitest';
import { sessionRow } from '../../../../bot/fleet/session-row.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { outboxItem } from '../../../../core/fleet/outbox.ts';
import { plainFleet, plainNotice } from '../../../../core/fleet/plain-report.ts';
import { reminderText } from '../../../../core/fleet/reminder.ts';
import { statusText } from '../../../../core/fleet/status-line.ts';
import { sessionDetails, threadHeader } from '../../../../core/fleet/thread-view.ts';
import { ENGLISH } from '../../../../core/fleet/wording/english.ts';
import { GERMAN } from '../../../../core/fleet/wording/german.ts';
import { inAllLanguages, wordingOf } from '../../../../core/fleet/wording/wording-of.ts';
import { asked, feedEvent, LOCAL, PAID, report, sessionOf, settingsOf, T0 } from './fixture.ts';
import { onAt } from './wake-fixture.ts';

const MINUTE = 60_000;
const waiting = sessionOf('api-fix', [report('working'), report('question', { data: asked() })]);
const working = sessionOf('docs', [report('working')]);
const failed = sessionOf('ui-fix', [report('started'), report('failed')]);
const words = wordingOf('de');

const line = (sessions: readonly (typeof waiting)[], more: Partial<Parameters<typeof statusText>[0]> = {}) =>
	statusText({
		state: onAt(T0, { spend: { day: '2026-11-30', usd: 0.02 } }),
		model: PAID,
		settings: settingsOf().concierge,
		timeZone: 'UTC',
		behind: 0,
		sessions: sessions.map(({ session }) => session!),
		questions: sessions.flatMap(({ questions }) => questions),
		now: T0 + 2 * MINUTE,
		words,
		...more,
	});

describe('OPS-11 what code says of the fleet, in German', () => {
	test('OPS-11 FLT-12 the status line and its short form', () => {
		expect(line([waiting, working], { behind: 3 })).toEqual({
			line: 'concierge · du wirst gebraucht: api-fix fragt: Which schema should I use? (vor 2 min) · heute 0,02 $ · 3 neu',
			short: 'du wirst gebraucht: api-fix',
		});
		expect(line([working]).line).toBe('concierge · 1 Sitzung arbeitet · heute 0,02 $');
		expect(line([], { state: FRESH_CONCIERGE, model: LOCAL })).toEqual({
			line: 'concierge · aus · nichts läuft',
			short: 'alles ruhig · aus',
		});
		expect(line([failed]).line).toContain('ui-fix ist gescheitert: ohne Angabe von Gründen');
	});

	test('OPS-11 FLT-15 the header of a thread', () => {
		const session = { ...waiting.session!, staleSince: T0 + MINUTE, muted: true };
		const text = threadHeader({
			session,
			questions: waiting.questions,
			now: T0 + 3 * 86_400_000,
			timeZone: 'UTC',
			words,
		});
		expect(text).toContain('🟠 wartet · vor 3 Tagen');
		expect(text).toContain('⚠ letzte Meldung vor 3 Tagen; vielleicht arbeitet sie noch');
		expect(text).toContain('fragt: "Which schema should I use?"');
		expect(text).toContain('heute 0,00 $, insgesamt 0,00 $');
		expect(text).toContain('stumm: keine Karten und Erwähnungen');
	});

	test('OPS-11 FLT-15 the answers of /session show and /session list', () => {
		const session = { ...working.session!, file: '/s/1.jsonl', lastReport: 7, staleSince: T0, reportedAt: T0 };
		const now = T0 + 3 * 3_600_000;
		const details = sessionDetails({ session, questions: [], now, timeZone: 'UTC', words });
		expect(details).toContain(
			'begonnen vor 3 h, letzte Meldung vor 3 h (Nummer 7)\nDauer 3 h\nDatei /s/1.jsonl\neigene Kennung ',
		);
		const context = { questions: [], day: '2026-11-30', threadId: undefined, now };
		const row = sessionRow(session, { ...context, language: 'de' });
		expect(row).toBe(`**docs** arbeitet <t:${T0 / 1_000}:R> · ⚠ letzte Meldung <t:${T0 / 1_000}:R>`);
		const long = { ...session, running: { order: 2, what: 'Bash: make', since: T0 } };
		expect(sessionRow(long, { ...context, language: 'en' })).toBe(
			`**docs** working <t:${T0 / 1_000}:R> · ⚠ silent since <t:${T0 / 1_000}:R> · runs Bash: make, begun <t:${T0 / 1_000}:R>`,
		);
	});

	test('OPS-11 FLT-13 FLT-19 FLT-20 reminders, the list of the fleet, and the notice of a broken model', () => {
		const [question] = waiting.questions;
		expect(reminderText(question!, T0 + 7 * MINUTE, words)).toBe(
			'api-fix wartet immer noch auf eine Antwort (7 min): "Which schema should I use?"',
		);
		const input = { sessions: [waiting.session!, working.session!], questions: waiting.questions };
		const fleet = plainFleet({ ...input, now: T0 + 7 * MINUTE, timeZone: 'UTC', words });
		expect(fleet).toBe('- api-fix: wartet seit 7 min fragt "Which schema should I use?"\n- docs: arbeitet seit 7 min');
		const events = [feedEvent(1, { kind: 'finished', sessionName: 'docs', at: T0, text: '"done"' })];
		const notice = {
			...input,
			now: T0 + MINUTE,
			timeZone: 'UTC',
			events,
			ownId: 'c1',
			code: 'overloaded',
			failures: 3,
		};
		const text = plainNotice({ ...notice, words });
		expect(text).toContain('3-mal hintereinander ausgefallen (overloaded)');
		expect(text).toContain("Was geschehen ist:\n- docs ist fertig (vor 1 min): 'done'\nDie Flotte:\n- api-fix: wartet");
	});
});

test('OPS-11 both languages say the same things, each in its own words', () => {
	expect(Object.keys(GERMAN)).toEqual(Object.keys(ENGLISH));
	const fixed = Object.keys(ENGLISH) as (keyof typeof ENGLISH)[];
	for (const key of fixed) {
		if (typeof ENGLISH[key] === 'string') expect(GERMAN[key], key).not.toBe(ENGLISH[key]);
		else expect((GERMAN[key] as () => string).length, key).toBe((ENGLISH[key] as () => string).length);
	}
});

test('OPS-11 what waits to be shown holds every language, and items of before, with one, are still read', () => {
	const texts = inAllLanguages(({ notAnswered }) => notAnswered);
	expect(Object.keys(texts)).toEqual(['en', 'de']);
	const item = { id: 'n1', at: T0, kind: 'notice', text: texts.en, mention: [] };
	expect(outboxItem.parse({ ...item, texts })).toMatchObject({ texts });
	expect(outboxItem.parse(item)).toEqual(item);
	expect(outboxItem.parse({ ...item, texts: { de: 'nur eine' } })).toMatchObject({ texts: { de: 'nur eine' } });
});
