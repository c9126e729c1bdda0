import type { ConciergeSettings } from '../../config/fleet.ts';
import { ago } from './age.ts';
import { type ConciergeModel, spendOn } from './budget.ts';
import type { ConciergeMemory } from './concierge-memory.ts';
import type { ConciergeState, WakeHold } from './concierge-state.ts';
import { bare, quoted } from './quote.ts';
import type { FeedFacts } from './stores.ts';

const HOLDS: Readonly<Record<WakeHold, string>> = {
	off: 'it is off',
	no_model: 'no model is set',
	no_price: 'its model has no price, and a budget is set',
	in_flight: 'a turn is running',
	nothing_new: 'nothing is new',
	coalescing: 'events are being gathered',
	cap: 'it was woken as often as allowed in this hour',
	budget: "today's budget is spent",
	backoff: 'its model failed, it is tried again soon',
};

/** `/concierge status`: what it does, what holds it, what it cost. */
export function conciergeStatus(
	state: ConciergeState,
	feed: FeedFacts,
	model: ConciergeModel,
	settings: ConciergeSettings,
	timeZone: string,
	now: number,
): string {
	const spent = spendOn(state.spend, now, timeZone).usd;
	const budget = settings.dailyBudgetUsd === 0 ? 'no limit' : `of $${settings.dailyBudgetUsd.toFixed(2)}`;
	const lines = [
		state.on
			? `on, ${ago(state.onSince ?? now, now)}`
			: `off${state.offSince === undefined ? '' : `, ${ago(state.offSince, now)}`}`,
		`model ${model.id ?? 'none: needs are reported by code'}`,
		`told up to event ${state.cursor} of ${feed.lastSeq}, ${feed.foreign} new`,
		`${state.wakes.length} of ${settings.wakesPerHour} wakes in this hour, heartbeat ${settings.heartbeat}`,
		`$${spent.toFixed(4)} today (${budget})`,
	];
	if (state.hold !== undefined) lines.push(`waits because ${HOLDS[state.hold.reason]}, ${ago(state.hold.since, now)}`);
	if (state.asks.length > 0) lines.push(`${state.asks.length} questions of people wait`);
	if (state.failures > 0) lines.push(`${state.failures} failures in a row`);
	if (state.lastError !== undefined) {
		lines.push(
			`last trouble ${ago(state.lastError.at, now)}: ${state.lastError.code}, ${bare(state.lastError.text, 200)}`,
		);
	}
	if (state.lastSaid !== undefined) {
		lines.push(`last said ${ago(state.lastSaid.at, now)}: ${quoted(state.lastSaid.text, 200)}`);
	}
	return lines.join('\n');
}

/** `/concierge attach`: its conversation as it remembers it, oldest first. */
export function attachView(memory: ConciergeMemory, now: number): string {
	const lines = memory.turns.flatMap((turn) => {
		const head = `${ago(turn.at, now)} · ${bare(turn.input, 300)}`;
		const steps = turn.steps.flatMap(({ calls, results }) =>
			calls.map((call, index) => {
				const result = results[index];
				const came = result === undefined ? 'interrupted' : result.ok ? 'ok' : result.code;
				return `  ${bare(call.tool, 40)} ${bare(JSON.stringify(call.args) ?? '', 200)} → ${came}`;
			}),
		);
		return [head, ...steps, ...(turn.answer === undefined ? [] : [`  said ${quoted(turn.answer, 300)}`])];
	});
	const known = memory.summary === '' ? [] : [`remembers: ${bare(memory.summary, 1_000)}`];
	const all = [...known, ...lines];
	return all.length === 0 ? 'It remembers nothing yet.' : all.join('\n');
}
