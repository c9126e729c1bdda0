import { expect, test } from 'vitest';
import { soak } from '../support/soak/soak.ts';
import { tallyTable } from '../support/soak/tally.ts';

const SECONDS = 60;

test('OPS-14 OPS-15 OVR-4 D11 two bot and three worker processes under mixed load: nothing lost, nothing handled or done twice', async () => {
	const { tallies, leftToTheOther, complaints } = await soak(SECONDS * 1_000);
	console.log(tallyTable(tallies).join('\n'));
	for (const { name, begun, ended, lost, doubled } of tallies) {
		expect({ name, lost, doubled }).toEqual({ name, lost: [], doubled: [] });
		expect(ended, name).toBe(begun);
		expect(begun, name).toBeGreaterThan(3);
	}
	// Both bots heard everything, or nothing was at stake.
	expect(leftToTheOther).toBeGreaterThan(20);
	expect(complaints).toEqual([]);
}, 300_000);
