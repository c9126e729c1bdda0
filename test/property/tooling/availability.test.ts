import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiftView, NeatoView } from '../../../core/overseer/world.ts';
import { computeAvailability, guardTool, roomTools } from '../../../core/tooling/availability.ts';
import type { ToolFacts } from '../../../core/tooling/facts.ts';
import { isPhysical, type ToolFamily } from '../../../core/tooling/tool-name.ts';
import { calmWorld, NOW } from '../../unit/core/tooling/facts.ts';
import { sampleRoom, sampleSettings } from '../../unit/tools/support/house.ts';

const families: ToolFamily[] = ['chat', 'lift', 'neato', 'light', 'script', 'memory', 'buttonBox'];
const time = fc.option(fc.integer({ min: NOW - 60_000, max: NOW + 60_000 }), { nil: undefined });
const oneOf = <Value extends string>(...values: Value[]) => fc.constantFrom(...values);

const lift: fc.Arbitrary<LiftView | undefined> = fc.option(
	fc.record({
		position: oneOf('up', 'down', 'stopped', 'opening', 'closing', 'conflict', 'unknown'),
		busy: fc.boolean(),
		available: fc.boolean(),
		stale: fc.boolean(),
	}),
	{ nil: undefined },
);
const neato: fc.Arbitrary<NeatoView | undefined> = fc.option(
	fc.record({
		connected: fc.boolean(),
		state: oneOf('cleaning', 'docked', 'idle', 'paused', 'returning', 'error', 'unknown'),
		charging: fc.boolean(),
		canClearErrors: fc.boolean(),
	}),
	{ nil: undefined },
);

const facts: fc.Arbitrary<ToolFacts> = fc.record({
	now: fc.constant(NOW),
	stage: oneOf('off', 'observe', 'chat', 'full'),
	site: fc.record({
		mode: oneOf('open', 'admin', 'lockdown'),
		lightsLock: oneOf('none', 'on', 'off'),
		paused: fc.boolean(),
	}),
	world: fc
		.record({ ready: fc.boolean(), lift, neato, lamps: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }) })
		.map((one) => ({
			...calmWorld,
			homeReady: one.ready,
			homePhase: one.ready ? 'ready' : 'lost',
			lift: one.lift,
			neato: one.neato,
			lights: calmWorld.lights.map((light, index) => ({ ...light, available: one.lamps[index] ?? false })),
		})),
	readyAt: fc
		.array(time, { minLength: families.length, maxLength: families.length })
		.map((times) => Object.fromEntries(families.map((family, index) => [family, times[index]]))),
	budget: fc.record({ minuteUsed: fc.nat(8), hourUsed: fc.nat(70), minuteFreeAt: time, hourFreeAt: time }),
	direct: fc.boolean(),
	votedQuiet: fc.boolean(),
	running: fc.subarray(families),
});

describe('availability, for all facts', () => {
	test('OVR-12 OVR-21 a tool is offered exactly when the guard has no reason, and never both offered and blocked', () => {
		fc.assert(
			fc.property(facts, fc.constantFrom(sampleRoom(), sampleRoom('parts')), (given, room) => {
				const { available, blocked } = computeAvailability(given, room, sampleSettings);
				for (const tool of available) expect(guardTool(tool, given, room, sampleSettings)).toEqual([]);
				for (const { tool, reasons } of blocked) {
					expect(reasons.length).toBeGreaterThan(0);
					expect(reasons).toEqual(guardTool(tool, given, room, sampleSettings));
					for (const { remainingMs } of reasons) expect(remainingMs ?? 0).toBeGreaterThanOrEqual(0);
				}
				const all = [...available, ...blocked.map((item) => item.tool)].sort();
				expect(all).toEqual(roomTools(given.world, room, sampleSettings).sort());
			}),
			{ numRuns: 500 },
		);
	});

	test('OVR-23 OVR-27 OVR-30 no lock, stage, vote or pause leaves a physical tool open, whoever asks', () => {
		fc.assert(
			fc.property(facts, (given) => {
				const { available } = computeAvailability(given, sampleRoom(), sampleSettings);
				const physical = available.filter(isPhysical);
				const { site, stage, world } = given;
				if (site.mode !== 'open' || site.paused || stage === 'off' || given.votedQuiet || !world.homeReady) {
					expect(physical).toEqual([]);
				}
				if (stage === 'chat') expect(physical.filter((tool) => tool !== 'neato_locate')).toEqual([]);
				if (site.lightsLock !== 'none') expect(physical.filter((tool) => tool.startsWith('ha_'))).toEqual([]);
				if (site.paused) expect(available).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	test('OVR-21 what is checked between two commands is never stricter than what was checked before', () => {
		fc.assert(
			fc.property(facts, fc.constantFrom('lift_up', 'neato_send_home', 'neato_start'), (given, tool) => {
				const room = sampleRoom();
				if (guardTool(tool, given, room, sampleSettings, 'held').length > 0) return;
				expect(guardTool(tool, given, room, sampleSettings, 'policy')).toEqual([]);
			}),
		);
	});
});
