import { describe, expect, test } from 'vitest';
import { callId } from '../../../../core/tooling/call-id.ts';
import { changeSince } from '../../../../core/tooling/staleness.ts';
import type { PreparedCall } from '../../../../core/tooling/tool-arguments.ts';
import { calmWorld } from './facts.ts';

const shelf: PreparedCall = { tool: 'ha_set_light', args: { entity_id: 'light.shelf', color: { rgb: [1, 2, 3] } } };
const [lamp, ...others] = calmWorld.lights;

describe('staleness', () => {
	test('OVR-8 state, colour and brightness of the lamp in question count, other lamps do not', () => {
		const before = { ...calmWorld, lights: [{ ...lamp!, color: 'red', brightnessPct: 40 }, ...others] };
		const now = (more: object) => ({ ...before, lights: [{ ...before.lights[0]!, ...more }, ...others] });
		expect(changeSince(shelf, before, before)).toBeUndefined();
		expect(changeSince(shelf, before, now({ color: 'blue' }))).toBe('red to blue');
		expect(changeSince(shelf, before, now({ brightnessPct: 80 }))).toBe('40 to 80');
		const other = {
			...before,
			lights: [before.lights[0]!, { ...others[0]!, state: 'on' as const }, ...others.slice(1)],
		};
		expect(changeSince(shelf, before, other)).toBeUndefined();
	});

	test('OVR-8 what was not known is no change, and words depend on nothing', () => {
		expect(changeSince(shelf, { ...calmWorld, lights: [] }, calmWorld)).toBeUndefined();
		expect(
			changeSince({ tool: 'chat_say', args: { text: 'x' } }, calmWorld, { ...calmWorld, lights: [] }),
		).toBeUndefined();
		const moved = { ...calmWorld, lift: { ...calmWorld.lift!, position: 'up' as const } };
		expect(changeSince({ tool: 'lift_up', args: {} }, calmWorld, moved)).toBe('down to up');
		expect(changeSince({ tool: 'neato_start', args: {} }, calmWorld, moved)).toBeUndefined();
	});
});

describe('call ids', () => {
	test('OVR-24 the same place in the same decision has the same id, any other has another', () => {
		expect(callId('d1', 'lift_up', 0)).toBe(callId('d1', 'lift_up', 0));
		const ids = [
			callId('d1', 'lift_up', 1),
			callId('d2', 'lift_up', 0),
			callId('d1', 'lift_down', 0),
			callId('d1', 'lift_up', 0),
		];
		expect(new Set(ids).size).toBe(4);
		for (const id of ids) expect(id).toMatch(/^c[0-9a-f]{31}$/);
	});

	test('OVR-24 parts cannot run into each other', () => {
		expect(callId('d1"', 'x', 1)).not.toBe(callId('d1', '"x', 1));
		expect(callId('d', 'x1', 1)).not.toBe(callId('d', 'x', 11));
	});
});
