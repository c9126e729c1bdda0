import { describe, expect, test } from 'vitest';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import { createExecutor } from '../../../tools/executor.ts';
import { createHouse } from './support/house.ts';

const shelfOn = { entity_id: 'light.shelf', state: 'on' };

describe('calls in doubt', () => {
	const interrupted = async (
		house: ReturnType<typeof createHouse>,
		tool: string,
		args: unknown,
	): Promise<CallOutcome> => {
		await house.claims.claim(`c-${tool}`, house.time.now());
		return await createExecutor(house.deps).execute(house.request(tool, args));
	};

	test('OVR-24 a claim without an end never acts and is unknown', async () => {
		const house = createHouse();
		expect(await interrupted(house, 'lift_up', {})).toMatchObject({ kind: 'unknown' });
		expect(house.home.heard).toEqual([]);
		expect(house.steps()).toEqual(['proposed', 'unknown']);
		expect(house.claims.kept.get('c-lift_up')).toMatchObject({ kind: 'unknown' });
	});

	test('OVR-24 H01 it is confirmed when the state became what was asked after the claim', async () => {
		const house = createHouse();
		house.time.advance(60_000);
		const running = interrupted(house, 'ha_set_entity', shelfOn);
		house.home.set('light.shelf', 'on');
		expect(await running).toMatchObject({ kind: 'confirmed' });
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-24 a state that was so before proves nothing', async () => {
		const house = createHouse();
		house.time.advance(60_000);
		expect(await interrupted(house, 'ha_set_entity', { entity_id: 'light.bench', state: 'on' })).toMatchObject({
			kind: 'unknown',
		});
	});

	test('OVR-24 two runs at once act once and tell the same', async () => {
		const house = createHouse();
		const [one, two] = await Promise.all([
			createExecutor(house.deps).execute(house.request('lift_up')),
			createExecutor(house.deps).execute(house.request('lift_up')),
		]);
		expect(house.home.heard).toHaveLength(1);
		expect(two).toEqual(one);
		expect(one.kind).toBe('confirmed');
	});

	test('H01 an answer that never came is settled by the state: confirmed, or unknown', async () => {
		for (const effect of [true, false]) {
			const house = createHouse();
			house.home.answer = () => ({ result: { kind: 'in_doubt', reason: 'lost' }, effect });
			const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', shelfOn));
			expect(outcome.kind).toBe(effect ? 'confirmed' : 'unknown');
			expect(house.home.heard).toHaveLength(1);
			expect(house.ledger.booked).toHaveLength(1);
		}
	});

	test('H01 a command that never left is failed, not unknown', async () => {
		const house = createHouse();
		house.home.answer = () => ({ result: { kind: 'unreachable' }, effect: false });
		const outcome = await createExecutor(house.deps).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'unreachable' });
	});

	test('OVR-24 a home that breaks its word leaves the call unknown', async () => {
		const house = createHouse();
		house.home.onHear = () => {
			throw new Error('boom');
		};
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toMatchObject({ kind: 'unknown' });
	});

	test('OVR-5 a tool that hangs is given up at its time limit', async () => {
		const house = createHouse();
		const speaker = { say: () => new Promise<never>(() => {}) };
		const outcome = await createExecutor({ ...house.deps, speaker }).execute(house.request('chat_say', { text: 'x' }));
		expect(outcome).toMatchObject({ kind: 'unknown' });
	});
});
