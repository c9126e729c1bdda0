import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fleetSettings } from '../../../config/fleet.ts';
import { affords } from '../../../core/fleet/budget.ts';
import { localDay } from '../../../core/local-day.ts';
import { createWorld } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 30, 12);
const concierge = (change: Record<string, unknown> = {}) => fleetSettings.parse({ concierge: change }).concierge;

const step = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('event' as const), count: fc.integer({ min: 1, max: 5 }) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60_000 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), kept: fc.nat(12) }) },
);

test('Q02 FLT-6 after a Redis that came back empty or older the cursor is never ahead, and what it then holds is told', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const world = createWorld(T0, concierge({ heartbeat: 'off' }));
			world.settle();
			for (const next of steps) {
				if (next.do === 'event') world.add(next.count);
				if (next.do === 'wait') world.now += next.ms;
				if (next.do === 'turn') world.settle();
				// An older dump: the newest events are gone, or all of them. What the concierge remembers stayed.
				if (next.do === 'lose') world.feed.splice(next.kept);
			}
			world.look();
			expect(world.state.cursor).toBeLessThanOrEqual(world.feed.length);
			// From here on nothing is lost: each new event is told.
			world.drain();
			const before = world.told.length;
			world.now += HOUR;
			world.add(3);
			world.drain();
			expect(world.facts().foreign).toBe(0);
			expect(world.told.slice(before)).toEqual(expect.arrayContaining(world.feed.slice(-3).map(({ seq }) => seq)));
			expect(world.state.cursor).toBe(world.feed.length);
		}),
		{ numRuns: 200 },
	);
});

test('FLT-8 FLT-9 looked at before each call, the budget of a day is never exceeded by what digests may cost', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({ estimate: fc.integer({ min: 1, max: 700 }), share: fc.integer({ min: 0, max: 100 }) }), {
				minLength: 1,
				maxLength: 60,
			}),
			fc.integer({ min: 200, max: 2_000 }),
			(calls, budgetMills) => {
				const budget = budgetMills / 1_000;
				const paid = { id: 'anthropic/x', isLocal: false, price: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
				const settings = concierge({ heartbeat: 'off', dailyBudgetUsd: budget, coalesceMs: 0, wakesPerHour: 3_600 });
				const world = createWorld(T0, settings, { model: paid });
				const spent = new Map<string, number>();
				const heldOn = new Map<string, number>();
				for (const { estimate, share } of calls) {
					world.now += 20 * MINUTE;
					world.add(1);
					world.look();
					const wake = world.take();
					const day = localDay(world.now, 'UTC');
					if (wake === undefined) {
						expect(world.state.hold?.reason).toBe('budget');
						continue;
					}
					// As a worker does: the estimate decides, and a call costs that much at most.
					const estimateUsd = estimate / 1_000;
					if (!affords(world.state.spend, estimateUsd, budget)) {
						heldOn.set(day, (heldOn.get(day) ?? 0) + 1);
						world.finish(wake, { kind: 'unaffordable', estimateUsd });
						continue;
					}
					const usd = (estimateUsd * share) / 100;
					spent.set(day, (spent.get(day) ?? 0) + usd);
					world.finish(wake, { kind: 'delivered', usd, fleet: 'p' });
				}
				for (const usd of spent.values()) expect(usd).toBeLessThanOrEqual(budget + 1e-9);
				// One that had no room is not tried again and again on the same day.
				for (const times of heldOn.values()) expect(times).toBe(1);
			},
		),
		{ numRuns: 150 },
	);
});

test('FLT-8 a heartbeat comes whenever something runs or changed and nothing else woke it for that long, and never else', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.record({
					gapMs: fc.integer({ min: 1, max: 40 * MINUTE }),
					does: fc.constantFrom('event', 'fleet', 'rest', 'run'),
				}),
				{
					maxLength: 40,
				},
			),
			(steps) => {
				const world = createWorld(T0, concierge({ heartbeat: 'every 15m', wakesPerHour: 3_600 }));
				let print = 0;
				const outcome = () => ({ kind: 'delivered' as const, usd: 0, fleet: world.fleet.print });
				world.settle(outcome());
				for (const { gapMs, does } of steps) {
					if (does === 'event') world.add(1);
					if (does === 'fleet') world.fleet = { ...world.fleet, print: `p${(print += 1)}` };
					if (does === 'rest') world.fleet = { ...world.fleet, active: 0 };
					if (does === 'run') world.fleet = { ...world.fleet, active: 1 };
					const [before, told] = [world.begun.length, world.state.lastDigestAt];
					const isQuiet = world.fleet.active === 0 && world.fleet.print === world.state.lastFleet;
					const owed = world.facts().foreign > 0 || !isQuiet;
					world.runTo(world.now + gapMs, outcome());
					const beats = world.begun.slice(before).filter(({ wake }) => wake.why === 'heartbeat');
					if (isQuiet) expect(beats).toEqual([]);
					const isLong = gapMs > MINUTE && world.now - told > 16 * MINUTE;
					if (owed && isLong) expect(world.begun.length).toBeGreaterThan(before);
					for (const { at } of beats) expect(at - told).toBeGreaterThanOrEqual(15 * MINUTE);
				}
			},
		),
		{ numRuns: 100 },
	);
});
