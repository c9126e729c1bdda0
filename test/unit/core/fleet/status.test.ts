import { expect, test } from 'vitest';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { conciergeStatus } from '../../../../core/fleet/concierge-view.ts';
import { type StatusInput, statusText } from '../../../../core/fleet/status-line.ts';
import { asked, LOCAL, PAID, report, sessionOf, settingsOf, T0 } from './fixture.ts';
import { feedOf, onAt } from './wake-fixture.ts';

const MINUTE = 60_000;
const waiting = sessionOf('api-fix', [report('working'), report('question', { data: asked() })]);
const working = sessionOf('docs', [report('working')]);

function status(change: Partial<StatusInput> = {}) {
	return statusText({
		state: onAt(T0, { spend: { day: '2026-11-30', usd: 0.02 } }),
		model: PAID,
		settings: settingsOf().concierge,
		timeZone: 'UTC',
		behind: 0,
		sessions: [waiting.session!, working.session!],
		questions: waiting.questions,
		now: T0 + 2 * MINUTE,
		...change,
	});
}

test('FLT-12 the line says who needs somebody, since when, what was spent and how far it is behind', () => {
	expect(status().line).toBe('concierge · needs you: api-fix asks: Which schema should I use? (2m ago) · $0.02 today');
	expect(status({ behind: 3 }).line).toMatch(/\$0\.02 today · 3 new$/);
	const said = {
		at: T0 + MINUTE,
		level: 'need' as const,
		text: 'api-fix asks which schema to use',
		sessionId: waiting.session!.id,
	};
	expect(status({ state: onAt(T0, { spend: { day: '2026-11-30', usd: 0.02 }, lastSaid: said }) }).line).toBe(
		'concierge · needs you: api-fix asks which schema to use (2m ago) · $0.02 today',
	);
	expect(status({ ago: (at) => `<t:${at / 1_000}:R>` }).line).toContain(`(<t:${T0 / 1_000}:R>)`);
});

test('FLT-12 the short form fits the presence', () => {
	expect(status().short).toBe('needs you: api-fix');
	expect(status({ sessions: [working.session!], questions: [] }).short).toBe('1 working');
	expect(status({ sessions: [], questions: [] }).short).toBe('fleet quiet');
	const many = Array.from({ length: 3 }, (_, at) =>
		sessionOf(`s${at}${'x'.repeat(60)}`, [report('question', { data: asked() })]),
	);
	const busy = status({
		sessions: many.map(({ session }) => session!),
		questions: many.flatMap(({ questions }) => questions),
	});
	expect(busy.short).toMatch(/\+2$/);
	expect(Array.from(busy.short).length).toBeLessThanOrEqual(100);
});

test('FLT-12 FLT-8 FLT-9 FLT-19 what stands in its way is said, and who waits is said all the same', () => {
	const cases: readonly [Partial<StatusInput>, string][] = [
		[{ state: FRESH_CONCIERGE }, 'off'],
		[{ model: { ...LOCAL, id: undefined } }, 'no model: needs are reported by code'],
		[{ model: { ...PAID, price: undefined } }, 'no price for anthropic/claude-haiku-4-5'],
		[{ state: onAt(T0, { spend: { day: '2026-11-30', usd: 1 } }) }, "over today's budget of $1.00"],
		[
			{ state: onAt(T0, { failures: 2, lastError: { at: T0, code: 'overloaded', text: 'x' } }) },
			'model failed: overloaded (2 times)',
		],
		[{ state: onAt(T0, { retryFor: 'cap', retryAt: T0 + 9e6 }), behind: 4 }, 'held: 60 wakes this hour'],
	];
	for (const [change, words] of cases) {
		const { line } = status(change);
		expect(line).toContain(words);
		expect(line).toContain('needs you: api-fix');
	}
	expect(status({ state: onAt(T0, { spend: { day: '2026-11-29', usd: 5 } }) }).line).not.toContain('over');
});

test('FLT-12 a failed run needs somebody too, and when nothing does the last word or the work is shown', () => {
	const failed = sessionOf('build', [report('working'), report('failed', { data: { text: 'exit 1' } })]);
	expect(status({ sessions: [failed.session!], questions: [] }).line).toContain(
		'needs you: build failed: exit 1 (2m ago)',
	);
	const quiet = { sessions: [working.session!], questions: [] };
	expect(status(quiet).line).toBe('concierge · 1 session works · $0.02 today');
	const lastSaid = { at: T0, level: 'info' as const, text: 'docs finished the index' };
	expect(status({ ...quiet, state: onAt(T0, { lastSaid }) }).line).toContain('docs finished the index (2m ago)');
});

test('FLT-5 the long status tells cursor, wakes, spending and the last trouble', () => {
	const state = onAt(T0, {
		cursor: 40,
		wakes: [T0],
		spend: { day: '2026-11-30', usd: 0.0213 },
		failures: 1,
		lastError: { at: T0, code: 'timeout', text: 'no answer in time' },
		hold: { reason: 'backoff', since: T0 },
	});
	const text = conciergeStatus(state, feedOf(44, 3), PAID, settingsOf().concierge, 'UTC', T0 + MINUTE);
	for (const part of [
		'told up to event 40 of 44, 3 new',
		'1 of 60 wakes',
		'$0.0213 today (of $1.00)',
		'timeout, no answer in time',
		'its model failed',
	]) {
		expect(text).toContain(part);
	}
});
