import { expect, test } from 'vitest';
import { switchOff, switchOn } from '../../../../core/fleet/concierge-command.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { noticePosted } from '../../../../core/fleet/failed-wake.ts';
import { finishWake } from '../../../../core/fleet/finish-wake.ts';
import { takeWake } from '../../../../core/fleet/take-wake.ts';
import { decideWake } from '../../../../core/fleet/wake.ts';
import { ALEX, LOCAL, OWN_ID, PAID, T0 } from './fixture.ts';
import { askedState, askOf, DEADLINE, DONE, failure, feedOf, finish, inputOf, onAt, take } from './wake-fixture.ts';

const MINUTE = 60_000;
const BUSY = { active: 1, print: 'busy' };

test('FLT-5 on wakes it at once with the fleet as it stands, its cursor at the end of the feed', () => {
	const { state, events } = switchOn(FRESH_CONCIERGE, ALEX, 41, T0, () => OWN_ID)!;
	expect(state).toMatchObject({ on: true, id: OWN_ID, cursor: 41 });
	expect(events).toMatchObject([{ kind: 'on', cause: { role: 'person', whoId: ALEX.whoId } }]);
	const input = inputOf(state, T0, { feed: feedOf(41, 0) });
	expect(decideWake(input).wake).toMatchObject({ why: 'heartbeat', upTo: 41 });
	const taken = take(input);
	const done = finish(taken.state, DONE, T0 + 3_000, input);
	expect(decideWake({ ...input, state: done, now: T0 + 3_000 }).hold).toBe('nothing_new');
});

test('FLT-5 off stops it and keeps what it is; on again is the same one, told of the fleet and not of the time between', () => {
	const state = onAt(T0, { cursor: 10, spend: { day: '2026-11-30', usd: 0.4 } });
	const off = switchOff(askedState(state, askOf('m1')), ALEX, T0 + MINUTE)!;
	expect(off.unanswered.map(({ id }) => id)).toEqual(['m1']);
	const news = { feed: feedOf(50, 40, T0) };
	expect(decideWake(inputOf(off.state, T0 + 2 * MINUTE, news)).hold).toBe('off');
	expect(switchOff(off.state, ALEX, T0)).toBeUndefined();
	const again = switchOn(off.state, ALEX, 50, T0 + 3 * MINUTE, () => 'another')!.state;
	expect(again).toMatchObject({ id: OWN_ID, cursor: 50, greet: true, spend: { usd: 0.4 } });
	expect(switchOn(again, ALEX, 60, T0, () => 'x')).toBeUndefined();
});

test('FLT-5 a greeting is not lost when it is switched off and on during a turn', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(1, 1, T0) });
	const flying = take(input).state;
	const off = switchOff(flying, ALEX, T0 + MINUTE + 1)!.state;
	const on = switchOn(off, ALEX, 1, T0 + MINUTE + 2, () => 'x')!.state;
	expect(finish(on, DONE, T0 + MINUTE + 3, input).greet).toBe(true);
});

test('FLT-6 a burst is one wake: it waits for its window and takes all of it', () => {
	const state = onAt();
	const at = T0 + MINUTE;
	const early = decideWake(inputOf(state, at + 4_999, { feed: feedOf(900, 900, at) }));
	expect(early).toMatchObject({ hold: 'coalescing', dueAt: at + 5_000 });
	const due = decideWake(inputOf(state, at + 5_000, { feed: feedOf(1_000, 1_000, at) }));
	expect(due.wake).toMatchObject({ why: 'events', upTo: 1_000 });
});

test('FLT-6 one at a time; what happens during a wake is the next', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	const { state } = take(input);
	const during = { ...input, state, now: T0 + MINUTE + 10_000, feed: feedOf(7, 7, T0) };
	expect(decideWake(during).hold).toBe('in_flight');
	expect(takeWake(during, DEADLINE, () => 'x')).toBeUndefined();
	const done = finish(state, DONE, T0 + MINUTE + 20_000, input);
	expect(done.cursor).toBe(3);
	const next = { ...input, state: done, now: T0 + MINUTE + 20_000, feed: feedOf(7, 4, T0 + MINUTE + 1_000) };
	expect(decideWake(next).wake).toMatchObject({ why: 'events', upTo: 7 });
});

test('FLT-6 the cursor moves only with a delivered digest, and a result that comes late moves nothing', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	const { state, wake } = take(input);
	expect(state.cursor).toBe(0);
	expect(finish(state, failure(), T0 + MINUTE, input).cursor).toBe(0);
	const done = finish(state, DONE, T0 + MINUTE, input);
	expect(done.cursor).toBe(3);
	expect(finishWake(done, wake.id, DONE, T0 + 2 * MINUTE, input.settings, 'UTC')).toBeUndefined();
});

test('FLT-6 X01 own doings wake nobody, and the cursor passes them with the next digest', () => {
	const alone = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(42, 0) });
	expect(decideWake(alone).hold).toBe('nothing_new');
	const joined = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(44, 2, T0) });
	const done = finish(take(joined).state, DONE, T0 + 2 * MINUTE, joined);
	expect(done.cursor).toBe(44);
});

test('FLT-6 a turn whose worker died runs again under its id and to its end, and is given up after the second death', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0), concierge: { wakesPerHour: 1 } });
	const first = take(input, 'p1');
	const later = T0 + MINUTE + DEADLINE;
	const alive = { ...input, state: first.state, now: later, workerGone: () => false };
	expect(decideWake(alive).hold).toBe('in_flight');
	const gone = {
		...alive,
		now: T0 + MINUTE + 2_000,
		workerGone: (worker: string) => worker === 'p1',
		feed: feedOf(9, 9, T0),
	};
	const second = take(gone, 'p2');
	expect(second.wake).toMatchObject({ id: first.wake.id, upTo: 3, tries: 2 });
	expect(second.state.wakes).toHaveLength(1);
	const dead = decideWake({ ...gone, state: second.state, now: T0 + 9 * MINUTE, workerGone: () => false });
	expect(dead.abandoned?.id).toBe(first.wake.id);
	expect(dead.state).toMatchObject({ cursor: 0, failures: 1, lastError: { code: 'died' } });
	expect(dead.state.inFlight).toBeUndefined();
});

test('FLT-8 past the hourly cap a wake waits with its events, is tried every minute, and goes when the hour has room', () => {
	const concierge = { wakesPerHour: 2, heartbeat: 'off' };
	const state = onAt(T0, { wakes: [T0, T0 + 10 * MINUTE] });
	const at = T0 + 20 * MINUTE;
	const held = decideWake(inputOf(state, at, { concierge, feed: feedOf(5, 5, T0) }));
	expect(held).toMatchObject({ hold: 'cap', state: { retryAt: at + MINUTE, cursor: 0 } });
	const soon = decideWake(inputOf(held.state, at + 30_000, { concierge, feed: feedOf(6, 6, T0) }));
	expect(soon).toMatchObject({ hold: 'cap', dueAt: at + MINUTE });
	const freed = T0 + 60 * MINUTE;
	const due = decideWake(inputOf({ ...held.state, retryAt: freed }, freed, { concierge, feed: feedOf(6, 6, T0) }));
	expect(due.wake).toMatchObject({ upTo: 6 });
});

test('FLT-8 a heartbeat comes when nothing else did, and is left out while nothing runs, is open or changed', () => {
	const at = T0 + 15 * MINUTE;
	expect(decideWake(inputOf(onAt(), at - 1, { fleet: BUSY })).dueAt).toBe(at);
	expect(decideWake(inputOf(onAt(), at, { fleet: BUSY })).wake).toMatchObject({ why: 'heartbeat' });
	expect(decideWake(inputOf(onAt(), at)).hold).toBe('nothing_new');
	expect(decideWake(inputOf(onAt(), at, { fleet: { active: 0, print: 'changed' } })).wake?.why).toBe('heartbeat');
	expect(decideWake(inputOf(onAt(), at, { fleet: BUSY, concierge: { heartbeat: 'off' } })).hold).toBe('nothing_new');
	const told = onAt(T0, { lastDigestAt: T0 + 10 * MINUTE });
	expect(decideWake(inputOf(told, at, { fleet: BUSY })).hold).toBe('nothing_new');
});

test('FLT-8 over the daily budget no digest is begun, and a person still gets an answer', () => {
	const spent = onAt(T0, { spend: { day: '2026-11-30', usd: 1 } });
	const input = inputOf(spent, T0 + MINUTE, { model: PAID, feed: feedOf(3, 3, T0) });
	expect(decideWake(input).hold).toBe('budget');
	expect(decideWake({ ...input, settings: { ...input.settings, dailyBudgetUsd: 0 } }).wake?.why).toBe('events');
	const asking = { ...input, state: askedState(spent, askOf('m1')) };
	expect(decideWake(asking).wake).toMatchObject({ why: 'question', ask: { id: 'm1' } });
	expect(decideWake({ ...input, now: Date.UTC(2026, 11, 1) }).wake?.why).toBe('events');
});

test('FLT-8 a digest that the rest of the budget does not cover is not sent, not counted and not tried again that day', () => {
	const input = inputOf(onAt(T0, { spend: { day: '2026-11-30', usd: 0.99 } }), T0 + MINUTE, {
		model: PAID,
		feed: feedOf(3, 3, T0),
	});
	const { state } = take(input);
	const after = finish(state, { kind: 'unaffordable', estimateUsd: 0.02 }, T0 + MINUTE, input);
	expect(after).toMatchObject({ cursor: 0, wakes: [], failures: 0 });
	expect(decideWake({ ...input, state: after, now: T0 + 2 * MINUTE }).hold).toBe('budget');
	expect(decideWake({ ...input, state: after, now: Date.UTC(2026, 11, 1) }).wake?.why).toBe('events');
});

test('FLT-8 FLT-14 a question goes through the cap, the back-off and a broken row, and comes before a digest', () => {
	const held = onAt(T0, { retryAt: T0 + 9e6, retryFor: 'backoff', failures: 5, wakes: Array(60).fill(T0) });
	const state = askedState(askedState(held, askOf('m1')), askOf('m2'));
	const input = inputOf(state, T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	const first = take(input);
	expect(first.wake.ask?.id).toBe('m1');
	expect(first.state.wakes).toHaveLength(60);
	const done = finish(first.state, DONE, T0 + MINUTE, input);
	expect(done.cursor).toBe(0);
	expect(take({ ...input, state: done }).wake.ask?.id).toBe('m2');
});

test('FLT-14 a digest that waits to be run again does not hold up a question and is not forgotten over it', () => {
	const broke = { spend: { day: '2026-11-30', usd: 1 } };
	const again = { id: 'w9', why: 'events' as const, upTo: 3, tries: 1 };
	const state = askedState(onAt(T0, { ...broke, again }), askOf('m1'));
	const input = inputOf(state, T0 + MINUTE, { model: PAID, feed: feedOf(3, 3, T0) });
	const taken = take(input);
	expect(taken.wake.ask?.id).toBe('m1');
	expect(taken.state.again).toEqual(again);
});

test('FLT-9 a model without a price is not begun under a budget, and says so', () => {
	const model = { ...PAID, price: undefined };
	const input = inputOf(onAt(), T0 + MINUTE, { model, feed: feedOf(3, 3, T0) });
	expect(decideWake(input).hold).toBe('no_price');
	expect(decideWake({ ...input, model: LOCAL }).wake?.why).toBe('events');
	expect(decideWake({ ...input, settings: { ...input.settings, dailyBudgetUsd: 0 } }).wake?.why).toBe('events');
});

test('FLT-20 without a model no digest is begun and a question still gets a turn, for the plain list', () => {
	const model = { id: undefined, isLocal: true, price: undefined };
	const input = inputOf(onAt(), T0 + MINUTE, { model, feed: feedOf(3, 3, T0) });
	expect(decideWake(input).hold).toBe('no_model');
	expect(decideWake({ ...input, state: askedState(onAt(), askOf('m1')) }).wake?.why).toBe('question');
});

test('FLT-19 A01 failures leave the cursor, count once against the cap, wait longer and longer, and the third owes a notice', () => {
	let input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0), concierge: { heartbeat: 'off' } });
	const waits: number[] = [];
	for (let tries = 1; tries <= 5; tries += 1) {
		const { state } = take(input);
		const after = finish(state, failure(), input.now, input);
		expect(after.cursor).toBe(0);
		expect(after.wakes).toHaveLength(tries);
		expect(after.notice !== undefined).toBe(tries >= 3);
		waits.push((after.retryAt - input.now) / MINUTE);
		expect(decideWake({ ...input, state: after }).hold).toBe('backoff');
		input = { ...input, state: after, now: after.retryAt };
	}
	expect(waits).toEqual([1, 1, 1, 2, 4]);
	const posted = noticePosted(input.state, input.state.notice!.id);
	expect(posted).toMatchObject({ noticed: true, cursor: 0 });
	const again = finish(take({ ...input, state: posted }).state, failure(), input.now, input);
	expect(again.notice).toBeUndefined();
	const well = finish(take({ ...input, state: posted }).state, DONE, input.now, input);
	expect(well).toMatchObject({ failures: 0, noticed: false, cursor: 3, retryAt: 0 });
	expect(well.lastError).toBeUndefined();
});

test('FLT-19 a digest that no model takes is passed exactly once, when people were told of it by code', () => {
	let input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	for (let tries = 0; tries < 3; tries += 1) {
		const after = finish(take(input).state, failure('refusal', true), input.now, input);
		input = { ...input, state: after, now: after.retryAt };
	}
	expect(input.state.cursor).toBe(0);
	const posted = noticePosted(input.state, input.state.notice!.id);
	expect(posted.cursor).toBe(3);
	expect(noticePosted(posted, 'another')).toBe(posted);
});

test('FLT-19 the wait that a provider asks for is kept', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	const outcome = { ...failure('rate_limited'), retryAfterMs: 10 * MINUTE } as ReturnType<typeof failure>;
	expect(finish(take(input).state, outcome, T0 + MINUTE, input).retryAt).toBe(T0 + 11 * MINUTE);
});

test('Q02 FLT-8 a feed that came back shorter is read from its start rather than skipped', () => {
	const state = onAt(T0, { cursor: 900 });
	const decided = decideWake(inputOf(state, T0 + MINUTE, { feed: feedOf(5, 5, T0) }));
	expect(decided.state.cursor).toBe(0);
	expect(decided.wake).toMatchObject({ upTo: 5 });
	expect(decideWake(inputOf(FRESH_CONCIERGE, T0, { feed: feedOf(5, 5, T0) })).hold).toBe('off');
});

test('Q08 what was queued does not matter: any look finds what is due from the cursor alone', () => {
	const input = inputOf(onAt(), T0 + MINUTE, { feed: feedOf(3, 3, T0) });
	const looks = Array.from({ length: 5 }, () => decideWake(input));
	expect(new Set(looks.map(({ wake }) => wake?.upTo))).toEqual(new Set([3]));
	expect(decideWake({ ...input, state: looks[0]!.state }).state).toEqual(looks[0]!.state);
});

test('FLT-8 an unchanged hold leaves the state as it is, and no look is ever due at once', () => {
	for (const state of [FRESH_CONCIERGE, onAt(), onAt(T0, { retryAt: T0 + 9e6 })]) {
		const once = decideWake(inputOf(state, T0 + MINUTE, { feed: feedOf(3, 3, T0) }));
		if (once.wake !== undefined) continue;
		const twice = decideWake(inputOf(once.state, T0 + MINUTE + 1_000, { feed: feedOf(3, 3, T0) }));
		expect(twice.state).toBe(once.state);
		expect(twice.dueAt).toBeGreaterThan(T0 + MINUTE + 1_000);
	}
});
