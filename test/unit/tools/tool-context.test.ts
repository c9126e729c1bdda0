import { describe, expect, test } from 'vitest';
import { createCallTrail } from '../../../tools/call-trail.ts';
import { createReach } from '../../../tools/tool-context.ts';
import { createHouse } from './support/house.ts';

function reachOf(house: ReturnType<typeof createHouse>, signal = new AbortController().signal) {
	const request = house.request('lift_up');
	const call = { tool: 'lift_up', args: {} } as const;
	return createReach(house.deps, request, house.room, call, createCallTrail(house.deps, request), signal);
}

describe('the hands of a call', () => {
	test('OVR-17 OVR-20 even a tool that asks for it cannot reach an entity that the room has not', async () => {
		const house = createHouse();
		house.home.set('lock.front', 'locked');
		const { context, mayHaveActed } = reachOf(house);
		const result = await context.command({ domain: 'lock', service: 'unlock', entityId: 'lock.front' });
		expect(result).toMatchObject({ kind: 'rejected', code: 'not_allowed' });
		expect(house.home.heard).toEqual([]);
		expect(mayHaveActed()).toBe(false);
	});

	test('OVR-24 after a call was given up nothing leaves any more', async () => {
		const house = createHouse();
		const { context, mayHaveActed } = reachOf(house, AbortSignal.abort());
		const result = await context.command({ domain: 'cover', service: 'open_cover', entityId: 'cover.lift' });
		expect(result).toEqual({ kind: 'unreachable' });
		expect(house.home.heard).toEqual([]);
		expect(mayHaveActed()).toBe(false);
	});
});
