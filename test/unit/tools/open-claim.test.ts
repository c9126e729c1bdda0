import { expect, test } from 'vitest';
import type { WorkerLives } from '../../../core/overseer/stores.ts';
import type { Claims } from '../../../core/tooling/ledger-port.ts';
import { createExecutor } from '../../../tools/executor.ts';
import { createHouse } from './support/house.ts';

const shelfOn = { entity_id: 'light.shelf', state: 'on' };

/** A lamp call that worker `w1` claimed and never settled, met by `w2`. */
async function meet(isGone: WorkerLives['isGone'], change: (house: ReturnType<typeof createHouse>) => void = () => {}) {
	const house = createHouse();
	const since = house.time.now();
	await house.claims.claim('c-ha_set_entity', since);
	await house.ledger.attempt({
		roomId: house.room.id,
		family: 'light',
		callId: 'c-ha_set_entity',
		now: since,
		cooldownMs: 0,
		ignoreCooldown: true,
		spend: true,
		limits: { perMinute: 6, perHour: 60 },
		runningUntil: since + 60_000,
	});
	change(house);
	const claims: Claims = {
		...house.claims,
		async claim(callId, now) {
			const state = await house.claims.claim(callId, now);
			return state.kind === 'in_doubt' ? { ...state, owner: 'w1' } : state;
		},
	};
	const executor = createExecutor({ ...house.deps, claims, lives: { self: 'w2', isGone } });
	const outcome = await executor.execute(house.request('ha_set_entity', shelfOn));
	return { house, outcome, waitedMs: house.time.now() - since };
}

test('OVR-24 OVR-4 nobody waits for a worker that is gone: the call is unknown at once, and never made', async () => {
	const { house, outcome, waitedMs } = await meet(async (worker) => worker === 'w1');
	expect(outcome.kind).toBe('unknown');
	expect(waitedMs).toBeLessThan(5_000);
	expect(house.home.heard).toEqual([]);
	expect(house.steps()).toEqual(['proposed', 'unknown']);
});

test('OVR-24 a doubt that is resolved frees the tool for the next call', async () => {
	const { house } = await meet(async () => true);
	expect((await house.ledger.read(house.room.id, house.time.now())).running).toEqual([]);
});

test('OVR-24 a worker that lives is waited for until it cannot be at work any more', async () => {
	const { house, outcome, waitedMs } = await meet(async () => false);
	expect(outcome.kind).toBe('unknown');
	expect(waitedMs).toBeGreaterThan(15_000);
	expect(house.home.heard).toEqual([]);
});

test('OVR-24 what it said before it died stands', async () => {
	const said = { kind: 'failed', code: 'refused', summary: 'refused' } as const;
	let settle = async () => {};
	const { outcome } = await meet(
		async () => {
			await settle();
			return true;
		},
		(house) => {
			settle = () => house.claims.settle('c-ha_set_entity', said);
		},
	);
	expect(outcome).toEqual(said);
});

test('OVR-24 without word of who lives, a claim is waited for in full', async () => {
	const { waitedMs } = await meet(async () => {
		throw new Error('redis is away');
	});
	expect(waitedMs).toBeGreaterThan(15_000);
});

test('OVR-24 a claim carries the name of the process that makes it', async () => {
	const house = createHouse();
	const owners: (string | undefined)[] = [];
	const claims: Claims = {
		...house.claims,
		claim(callId, now, owner) {
			owners.push(owner);
			return house.claims.claim(callId, now);
		},
	};
	const lives = { self: 'w2', isGone: async () => false };
	await createExecutor({ ...house.deps, claims, lives }).execute(house.request('ha_set_entity', shelfOn));
	expect(owners).toEqual(['w2']);
});

test('OVR-7 OVR-24 an interrupted answer is said after all, under the same id', async () => {
	const house = createHouse();
	await house.claims.claim('c-chat_say', house.time.now());
	const executor = createExecutor({ ...house.deps, lives: { self: 'w2', isGone: async () => true } });
	const request = house.request('chat_say', { text: 'Still here.' }, { direct: true });
	expect((await executor.execute(request)).kind).toBe('confirmed');
	expect((await executor.execute(request)).kind).toBe('confirmed');
	expect(house.said).toEqual(['Still here.']);
});

test('OVR-27 an interrupted answer is not said while observing', async () => {
	const house = createHouse();
	house.rules.stage = 'observe';
	await house.claims.claim('c-chat_say', house.time.now());
	const executor = createExecutor({ ...house.deps, lives: { self: 'w2', isGone: async () => true } });
	expect((await executor.execute(house.request('chat_say', { text: 'Psst.' }))).kind).toBe('dry_run');
	expect(house.said).toEqual([]);
});

test('OVR-25 OVR-24 a worker that died between the outcome and its row: the next run writes the row, once', async () => {
	const house = createHouse();
	await house.claims.claim('c-ha_set_entity', house.time.now());
	await house.claims.settle('c-ha_set_entity', { kind: 'confirmed', summary: 'the shelf lamp is on' });
	const executor = createExecutor(house.deps);
	for (let run = 0; run < 2; run += 1) {
		const outcome = await executor.execute(house.request('ha_set_entity', shelfOn));
		expect(outcome.kind).toBe('confirmed');
	}
	expect(house.steps()).toEqual(['confirmed']);
	expect(house.home.heard).toEqual([]);
});
