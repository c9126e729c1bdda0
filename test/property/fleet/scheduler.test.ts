import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fleetSettings } from '../../../config/fleet.ts';
import { localDay } from '../../../core/local-day.ts';
import { createWorld } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 30, 12);
const concierge = (change: Record<string, unknown> = {}) => fleetSettings.parse({ concierge: change }).concierge;

test('FLT-6 FLT-21 a burst of 10 000 events is exactly one wake that carries all of them', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(4_999), { minLength: 1, maxLength: 50 }), (offsets) => {
			const world = createWorld(T0, concierge({ heartbeat: 'off' }));
			world.settle();
			const at = T0 + MINUTE;
			const order = [0, ...offsets].sort((left, right) => left - right);
			const each = Math.floor(10_000 / order.length);
			for (const [index, offset] of order.entries()) {
				world.now = at + offset;
				world.add(index === 0 ? 10_000 - each * (order.length - 1) : each);
				world.settle();
			}
			expect(world.begun).toHaveLength(1);
			world.runTo(at + 20 * MINUTE);
			expect(world.begun).toHaveLength(2);
			expect(world.begun[1]!.at).toBe(at + 5_000);
			expect(world.told).toHaveLength(10_000);
		}),
		{ numRuns: 20 },
	);
});

const step = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('event' as const), count: fc.integer({ min: 1, max: 4 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('own' as const) }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), poison: fc.boolean() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
);

test('FLT-6 FLT-5 whatever happens and wherever it restarts, each event is told exactly once, in order, one wake at a time', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
			const world = createWorld(T0, concierge({ heartbeat: 'off' }));
			let flying: ReturnType<typeof world.take>;
			let poisoned = false;
			for (const next of steps) {
				if (next.do === 'event') world.add(next.count);
				if (next.do === 'own') world.add(1, true);
				if (next.do === 'wait') world.now += next.ms;
				if (next.do === 'look') world.look();
				if (next.do === 'take') {
					const before = world.state.inFlight;
					const taken = world.take();
					// A second turn begins only after the first was ended, or was dead.
					if (taken !== undefined && before !== undefined) expect(world.now).toBeGreaterThan(before.deadlineAt);
					flying = taken ?? flying;
				}
				if (next.do === 'deliver' && flying !== undefined) {
					world.finish(flying, { kind: 'delivered', usd: 0, fleet: 'p' });
					flying = undefined;
				}
				if (next.do === 'fail' && flying !== undefined) {
					poisoned ||= next.poison;
					world.finish(flying, { kind: 'failed', usd: 0, code: 'x', text: 'x', isPoison: next.poison });
					flying = undefined;
				}
				// The process dies: what it had in hand is gone, what was stored stays.
				if (next.do === 'crash') flying = undefined;
			}
			world.now += HOUR;
			world.drain();
			const foreign = world.feed.filter(({ byUs }) => !byUs).map(({ seq }) => seq);
			expect(new Set(world.told).size).toBe(world.told.length);
			expect([...world.told].sort((left, right) => left - right)).toEqual(world.told);
			// Only a digest that failed three times for what is in it, or killed two workers, is passed unread: by a notice.
			if (!poisoned && world.state.lastError?.code !== 'died' && !steps.some((entry) => entry.do === 'crash')) {
				expect(world.told).toEqual(foreign);
			} else for (const seq of world.told) expect(foreign).toContain(seq);
			expect(world.facts().foreign).toBe(0);
		}),
		{ numRuns: 300 },
	);
});

test('FLT-5 FLT-6 a crash at any point, before or after the turn was stored, loses no event', () => {
	fc.assert(
		fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), (survives) => {
			const world = createWorld(T0, concierge({ heartbeat: 'off' }));
			world.settle();
			world.add(3);
			world.now += 5_000;
			for (const isAlive of survives) {
				const wake = world.take();
				if (isAlive && wake !== undefined) world.finish(wake, { kind: 'delivered', usd: 0, fleet: 'p' });
				world.add(1);
				world.now += 10 * MINUTE;
			}
			world.drain();
			const died = survives.filter((isAlive) => !isAlive).length;
			const all = world.feed.map(({ seq }) => seq);
			if (died < 2) expect(world.told).toEqual(all);
			else expect(world.told.at(-1)).toBe(all.at(-1));
		}),
	);
});

test('FLT-8 never more wakes in any hour than allowed, and none is lost over it', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 12 }),
			fc.array(fc.integer({ min: 1_000, max: 200_000 }), { maxLength: 60 }),
			(cap, gaps) => {
				const world = createWorld(T0, concierge({ wakesPerHour: cap, heartbeat: 'off' }));
				for (const gap of gaps) {
					world.runTo(world.now + gap);
					world.add(1);
				}
				world.runTo(world.now + 3 * HOUR);
				const times = world.begun.map(({ at }) => at);
				for (const [index, at] of times.entries()) {
					const later = times[index + cap];
					if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(HOUR);
				}
				expect(world.told).toEqual(world.feed.map(({ seq }) => seq));
			},
		),
		{ numRuns: 40 },
	);
});

test('FLT-8 the scheduler looks a bounded number of times whatever holds it back', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 }), (cap, events) => {
			const world = createWorld(T0, concierge({ wakesPerHour: cap }));
			world.add(events);
			const looks = world.runTo(T0 + 2 * HOUR);
			expect(looks).toBeLessThanOrEqual((2 * HOUR) / 30_000 + (2 * HOUR) / 60_000 + 40);
		}),
		{ numRuns: 30 },
	);
});

const nights = [
	{ name: 'to summer time', zone: 'Europe/Berlin', from: Date.UTC(2027, 2, 27, 12), hours: 48 },
	{ name: 'to winter time', zone: 'Europe/Berlin', from: Date.UTC(2026, 9, 24, 12), hours: 48 },
	{ name: 'at midnight itself', zone: 'America/Santiago', from: Date.UTC(2026, 8, 5, 12), hours: 48 },
	{ name: 'by half an hour', zone: 'Australia/Lord_Howe', from: Date.UTC(2026, 9, 3, 0), hours: 48 },
] as const;

test.each(nights)(
	'C01 FLT-8 the budget opens once a local day, minute by minute through the night $name',
	({ zone, from, hours }) => {
		const paid = { id: 'anthropic/x', isLocal: false, price: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
		const settings = concierge({ heartbeat: 'off', dailyBudgetUsd: 1, coalesceMs: 0, wakesPerHour: 3_600 });
		const world = createWorld(from, settings, { zone, model: paid });
		const spent = new Map<string, number>();
		for (let minute = 0; minute < hours * 60; minute += 1) {
			world.now = from + minute * MINUTE;
			world.add(1);
			const wake = world.settle({ kind: 'delivered', usd: 0.25, fleet: 'p' });
			if (wake === undefined) continue;
			const day = localDay(world.now, zone);
			spent.set(day, (spent.get(day) ?? 0) + 0.25);
		}
		// Two and a bit local days: each has spent its one budget and not a cent more, however long it was.
		expect([...spent.values()]).toEqual([1, 1, 1]);
		expect([...spent.keys()]).toEqual([...new Set([...spent.keys()])].sort());
	},
);

test('C01 FLT-8 heartbeats are plain intervals: none is left out or doubled when clocks change', () => {
	for (const { zone, from } of nights) {
		const world = createWorld(from, concierge({ heartbeat: 'every 15m' }), { zone });
		world.runTo(from + 48 * HOUR);
		const times = world.begun.map(({ at }) => at);
		expect(times).toHaveLength(48 * 4);
		for (let index = 1; index < times.length; index += 1) expect(times[index]! - times[index - 1]!).toBe(15 * MINUTE);
	}
});

test('C01 a clock that goes back over midnight opens no second budget', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: -3 * HOUR, max: 3 * HOUR }), { maxLength: 40 }), (jumps) => {
			const paid = { id: 'anthropic/x', isLocal: false, price: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
			const world = createWorld(
				Date.UTC(2026, 10, 30, 23),
				concierge({ heartbeat: 'off', coalesceMs: 0, wakesPerHour: 3_600 }),
				{ model: paid },
			);
			let spent = 0;
			let newest = '';
			for (const jump of jumps) {
				world.now += jump;
				world.add(1);
				const day = localDay(world.now, 'UTC');
				newest = day > newest ? day : newest;
				if (world.settle({ kind: 'delivered', usd: 0.5, fleet: 'p' }) !== undefined) spent += 0.5;
			}
			const days = newest === '' ? 0 : (Date.parse(newest) - Date.parse('2026-11-30')) / (24 * HOUR) + 1;
			expect(spent).toBeLessThanOrEqual(days);
		}),
	);
});
