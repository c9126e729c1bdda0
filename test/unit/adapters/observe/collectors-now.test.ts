import { expect, test } from 'vitest';
import { collectFleet } from '../../../../adapters/observe/collect-fleet.ts';
import { collectIntake } from '../../../../adapters/observe/collect-intake.ts';
import { collectSite } from '../../../../adapters/observe/collectors.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import type { Question } from '../../../../core/fleet/question.ts';
import type { FleetSession } from '../../../../core/fleet/session.ts';
import type { InboxEntry } from '../../../../core/intake/inbox.ts';
import type { IntakeSummary } from '../../../../core/intake/intake-store.ts';
import { measureEntry } from '../../../../jobs/intake/measure-entry.ts';
import { createMemoryMetrics } from '../../../support/fakes/memory-log.ts';

const figuresOf = (metrics: ReturnType<typeof createMemoryMetrics>) =>
	Object.fromEntries([...metrics.counts].filter(([, value]) => value !== 0));

test('OPS-7 FLT-8 FLT-19 the fleet as it stands: sessions, questions, spending of today, cap and failures', async () => {
	const metrics = createMemoryMetrics();
	const now = Date.parse('2026-03-02T12:00:00Z');
	const state = {
		...FRESH_CONCIERGE,
		wakes: [1, 2, 3],
		failures: 2,
		spend: { day: '2026-03-02', usd: 0.25 },
		hold: { reason: 'cap' as const, since: 1 },
	};
	const collect = (spentOn: string) =>
		collectFleet(metrics, {
			sessions: {
				list: async () =>
					[
						{ state: 'waiting' },
						{ state: 'working' },
						{ state: 'waiting', staleSince: 1 },
					] as unknown as FleetSession[],
			},
			questions: { unsettled: async () => [{ state: 'open' }, { state: 'answered' }] as unknown as Question[] },
			concierge: { read: async () => ({ version: 1, state: { ...state, spend: { day: spentOn, usd: 0.25 } } }) },
			feed: { facts: async () => ({ lastSeq: 9, foreign: 4, firstForeignAt: 1 }) },
			settings: () => ({ concierge: { dailyBudgetUsd: 1 } as never, timeZone: 'Europe/Berlin' }),
			clock: { now: () => now },
		})();
	await collect('2026-03-02');
	expect(figuresOf(metrics)).toEqual({
		'fleet_sessions{state=waiting}': 2,
		'fleet_sessions{state=working}': 1,
		'fleet_sessions_stale{}': 1,
		'fleet_questions_open{}': 1,
		'fleet_behind_events{}': 4,
		'fleet_wakes_last_hour{}': 3,
		'fleet_hold{reason=cap}': 1,
		'fleet_spend_today_usd{}': 0.25,
		'fleet_budget_usd{}': 1,
		'fleet_failures_in_row{}': 2,
	});
	await collect('2026-03-01');
	expect(metrics.counts.get('fleet_spend_today_usd{}')).toBe(0);
});

test('OPS-7 INT-22 INT-27 intakes under way and packets that are not through', async () => {
	const metrics = createMemoryMetrics();
	let sessions = [{ state: 'QUESTIONING' }, { state: 'QUESTIONING' }, { state: 'REVIEW' }] as IntakeSummary[];
	const collect = collectIntake(metrics, {
		store: { list: async ({ states = [] }) => sessions.filter(({ state }) => states.includes(state)) },
		inbox: { list: async ({ state }) => (state === 'dead' ? [{} as InboxEntry] : []) },
	});
	await collect();
	expect(figuresOf(metrics)).toEqual({
		'intake_sessions{state=QUESTIONING}': 2,
		'intake_sessions{state=REVIEW}': 1,
		'intake_inbox_packets{state=dead}': 1,
	});
	sessions = [{ state: 'COMPLETE' } as IntakeSummary];
	await collect();
	expect(figuresOf(metrics)).toEqual({ 'intake_inbox_packets{state=dead}': 1 });
});

test('OPS-7 OPS-18 OVR-23 the kill switch and the mode of the house', async () => {
	const metrics = createMemoryMetrics();
	const read = async () => ({ mode: 'lockdown' as const, lightsLock: 'none' as const, paused: true });
	await collectSite(metrics, { read })();
	expect(figuresOf(metrics)).toEqual({ 'house_paused{}': 1, 'house_mode{mode=lockdown}': 1 });
});

test('OPS-7 INT-5 INT-9 the trail of an intake is counted: facts, verdicts, broken rules, edits', () => {
	const metrics = createMemoryMetrics();
	const at = 1;
	measureEntry(metrics, {
		what: 'finalized',
		roundCount: 4,
		trigger: 'forced',
		cause: 'round_limit',
		at,
		kept: ['a.', 'b.'],
		excluded: [{ text: 'c.', reason: 'no_support' }],
		standIns: [],
		escalateTo: undefined,
		uiRequired: false,
	});
	measureEntry(metrics, { what: 'verdict', packetId: 'p', outcome: 'allow', articles: [], at });
	measureEntry(metrics, { what: 'reply', note: 'lint', detail: ['secret words'], at });
	measureEntry(metrics, { what: 'answer_edited', turnId: 't', droppedFacts: [], at });
	measureEntry(metrics, { what: 'refused', code: 'E06', at });
	expect(figuresOf(metrics)).toEqual({
		'intake_finalizations_total{trigger=forced,cause=round_limit}': 1,
		'intake_facts_total{verdict=kept}': 2,
		'intake_facts_total{verdict=excluded}': 1,
		'intake_verdicts_total{outcome=allow}': 1,
		'intake_replies_noted_total{note=lint}': 1,
		'intake_edits_total{}': 1,
	});
});
