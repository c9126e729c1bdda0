import { expect, test } from 'vitest';
import { createExecutor } from '../../../tools/executor.ts';
import { createHouse } from './support/house.ts';

test('OVR-25 OPS-15 the last row is written when the store is back: a settled call is not left without an end', async () => {
	const house = createHouse();
	let away = 5;
	const audit = {
		...house.audit,
		append: async (row: Parameters<typeof house.audit.append>[0]) => {
			if (row.step === 'confirmed' && (away -= 1) >= 0) throw new Error('read-only');
			await house.audit.append(row);
		},
	};
	await createExecutor({ ...house.deps, audit }).execute(
		house.request('ha_set_entity', { entity_id: 'light.shelf', state: 'on' }),
	);
	expect(house.steps()).toEqual(['proposed', 'running', 'confirmed']);
	expect(house.home.heard).toHaveLength(1);
});
