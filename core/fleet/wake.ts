import type { ConciergeSettings } from '../../config/fleet.ts';
import { parseSchedule } from '../../config/schedule.ts';
import { isOverBudget, lacksPrice, spendOn } from './budget.ts';
import type { ConciergeState, Wake, WakeHold } from './concierge-state.ts';
import { reviveDead } from './revive-wake.ts';
import type { FeedFacts } from './stores.ts';
import type { WakeInput } from './wake-input.ts';

export interface WakeResult {
	readonly state: ConciergeState;
	/** Epoch ms of the next look, should nothing happen before. */
	readonly dueAt: number;
	/** A turn is due: have a worker call `takeWake`. Without id: it gets one when it is taken. */
	readonly wake?: Omit<Wake, 'id'> & { readonly id?: string };
	/** Why nothing is due, or what stands in the way of what is. */
	readonly hold?: WakeHold;
	/** A turn whose workers died twice and that is given up. Whoever asked is owed a word, under an id made from it. */
	readonly abandoned?: Wake;
}

const HOUR_MS = 3_600_000;

/**
 * One look at what the concierge is to do; no model is involved, and looking twice harms nothing. People's questions come
 * first, then a turn that a dead worker left, then a digest of events or a heartbeat. The cursor moves only when a digest
 * was delivered (`finishWake`), so that whatever is held back comes with the next one.
 */
export function decideWake(input: WakeInput): WakeResult {
	const { now, settings } = input;
	const revived = reviveDead(input);
	const state = tidy(revived.state, input);
	const abandoned = revived.abandoned === undefined ? {} : { abandoned: revived.abandoned };
	const held = (reason: WakeHold, from: ConciergeState = state): WakeResult => ({
		state: holding(from, reason, now),
		dueAt: nextLook(from, input),
		hold: reason,
		...abandoned,
	});
	const due = (wake: NonNullable<WakeResult['wake']>): WakeResult => {
		const { hold: _, ...open } = state;
		return { state: open, dueAt: now + settings.tickMs, wake, ...abandoned };
	};
	if (!state.on) return held('off');
	if (state.inFlight !== undefined) return held('in_flight');
	const [ask] = state.asks;
	if (state.again?.ask !== undefined) return due(state.again);
	// Goes through whatever holds digests back; without a model the worker answers with the plain list.
	if (ask !== undefined) return due({ why: 'question', ask, tries: 0 });
	if (input.model.id === undefined) return held('no_model');

	const why = whatIsDue(state, input);
	if (why === undefined) return held(input.feed.foreign > 0 ? 'coalescing' : 'nothing_new');
	if (lacksPrice(input.model, settings.dailyBudgetUsd)) return held('no_price');
	if (isOverBudget(state.spend, settings.dailyBudgetUsd)) return held('budget');
	if (now < state.retryAt) return held(state.retryFor ?? 'backoff');
	// A turn that is run again was counted when it first began.
	if (state.again !== undefined) return due(state.again);
	if (state.wakes.length >= settings.wakesPerHour) {
		return held('cap', { ...state, retryAt: now + settings.retryMs, retryFor: 'cap' });
	}
	return due({ why, upTo: input.feed.lastSeq, tries: 0 });
}

/** Forgets what an hour, a day or a lost feed made void. */
function tidy(state: ConciergeState, { now, feed, timeZone }: WakeInput): ConciergeState {
	// A feed that is shorter than what was read of it was lost or restored: repeating is harmless, skipping is not.
	const cursor = state.cursor > feed.lastSeq ? 0 : state.cursor;
	const wakes = state.wakes.filter((at) => now - at < HOUR_MS);
	const spend = spendOn(state.spend, now, timeZone);
	const isSame = cursor === state.cursor && wakes.length === state.wakes.length && spend === state.spend;
	return isSame ? state : { ...state, cursor, wakes, spend };
}

function whatIsDue(state: ConciergeState, input: WakeInput): 'events' | 'heartbeat' | undefined {
	const { feed, settings, now, fleet } = input;
	if (state.again !== undefined) return state.again.why === 'heartbeat' ? 'heartbeat' : 'events';
	if (state.greet) return 'heartbeat';
	if (feed.foreign > 0 && now >= coalescedAt(feed, settings, now)) return 'events';
	if (feed.foreign > 0) return undefined;
	const beatAt = heartbeatAt(state, settings);
	if (beatAt === undefined || now < beatAt) return undefined;
	// Nothing runs, nothing is open and it looks as it did last time: there is nothing to notice.
	return fleet.active === 0 && fleet.print === state.lastFleet ? undefined : 'heartbeat';
}

/** The first event of a burst opens the window, so that a stream without end cannot put the digest off for ever. */
function coalescedAt(feed: FeedFacts, settings: ConciergeSettings, now: number): number {
	return Math.min(feed.firstForeignAt ?? now, now) + settings.coalesceMs;
}

function heartbeatAt(state: ConciergeState, settings: ConciergeSettings): number | undefined {
	const parsed = parseSchedule(settings.heartbeat);
	if (!parsed.ok || parsed.schedule.kind !== 'every') return undefined;
	return Math.max(state.lastDigestAt, state.onSince ?? 0) + parsed.schedule.ms;
}

/** The time of a hold is when it began, so that an unchanged hold leaves the state unchanged. */
function holding(state: ConciergeState, reason: WakeHold, now: number): ConciergeState {
	return state.hold?.reason === reason ? state : { ...state, hold: { reason, since: now } };
}

function nextLook(state: ConciergeState, input: WakeInput): number {
	const { settings, now, feed } = input;
	const times = [now + settings.tickMs];
	if (state.inFlight !== undefined) times.push(state.inFlight.deadlineAt + 1);
	else if (state.on) {
		if (feed.foreign > 0) times.push(Math.max(coalescedAt(feed, settings, now), state.retryAt));
		const beatAt = heartbeatAt(state, settings);
		if (beatAt !== undefined) times.push(Math.max(beatAt, state.retryAt));
	}
	// What is due already and held back is looked at again with the tick, never in a tight circle.
	const soonest = Math.min(...times.filter((at) => at > now));
	return Number.isFinite(soonest) ? soonest : now + settings.tickMs;
}
