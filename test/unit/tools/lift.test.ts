import { describe, expect, test } from 'vitest';
import { createExecutor } from '../../../tools/executor.ts';
import { blockCodes, createHouse } from './support/house.ts';

const heard = (house: ReturnType<typeof createHouse>) =>
	house.home.heard.map((request) => `${request.entityId} ${request.service}`);

describe('lift as a cover', () => {
	test('OVR-18 OVR-19 up opens, and motion the right way is confirmation', async () => {
		const house = createHouse();
		const outcome = await createExecutor(house.deps).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'confirmed', summary: 'lift goes up' });
		expect(heard(house)).toEqual(['cover.lift open_cover']);
	});

	test('H09 where it stands already it is not sent: blocked, already', async () => {
		const house = createHouse();
		expect(blockCodes(await createExecutor(house.deps).execute(house.request('lift_down')))).toEqual(['already']);
		expect(heard(house)).toEqual([]);
	});

	test('OVR-19 the word open alone confirms nothing for a cover that knows its position', async () => {
		const house = createHouse();
		house.home.set('cover.lift', 'open', { current_position: 40 });
		house.home.inert.add('cover.lift');
		house.home.onHear = () => house.home.set('cover.lift', 'open', { current_position: 41 });
		house.time.advance(60_000);
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toMatchObject({ kind: 'unconfirmed' });
	});
});

describe('lift as two switches', () => {
	test('OVR-18 the other switch goes off and is seen off, the motor rests, then this one goes on', async () => {
		const house = createHouse({ wiring: 'parts' });
		const times: number[] = [];
		house.home.onHear = () => times.push(house.time.now());
		const outcome = await createExecutor(house.deps).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'confirmed', summary: 'lift goes up' });
		expect(heard(house)).toEqual(['switch.lift_down turn_off', 'switch.lift_up turn_on']);
		expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(9_000);
		expect(house.ownContexts).toEqual(['ctx1', 'ctx2']);
	});

	test('OVR-18 H09 both on is a conflict: both moves are blocked', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.set('switch.lift_up', 'on');
		for (const tool of ['lift_up', 'lift_down']) {
			const outcome = await createExecutor(house.deps).execute(house.request(tool));
			expect(outcome).toMatchObject({ kind: 'blocked', reasons: [{ code: 'unavailable', detail: 'conflict' }] });
		}
		expect(heard(house)).toEqual([]);
	});

	test('OVR-18 a relay that does not go off keeps the other from going on', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.inert.add('switch.lift_down');
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toMatchObject({
			kind: 'failed',
			code: 'interlock',
		});
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});

	test('OVR-18 a relay that goes off too late has not been seen off: the other stays off', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.inert.add('switch.lift_down');
		const sleep: typeof house.time.sleep = async (ms, signal) => {
			if (ms === 9_000) house.home.set('switch.lift_down', 'off');
			await house.time.sleep(ms, signal);
		};
		const outcome = await createExecutor({ ...house.deps, sleep }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'interlock' });
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});

	test('OVR-21 a lock set during the pause stops it half way', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.onHear = () => {
			house.rules.site = { mode: 'lockdown', lightsLock: 'none', paused: false };
		};
		const outcome = await createExecutor(house.deps).execute(house.request('lift_up'));
		expect(blockCodes(outcome)).toEqual(['policy_lock:site_mode_lockdown']);
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});

	test('OVR-21 locks that cannot be read during the pause stop it as well', async () => {
		const house = createHouse({ wiring: 'parts' });
		let reads = 0;
		const facts: typeof house.deps.facts = async (...given) => {
			reads += 1;
			if (reads > 2) throw new Error('away');
			return await house.deps.facts(...given);
		};
		const outcome = await createExecutor({ ...house.deps, facts }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'blocked', reasons: [{ detail: 'locks_unknown' }] });
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});

	test('OVR-18 a person who switches the other direction on during the pause wins', async () => {
		const house = createHouse({ wiring: 'parts' });
		const sleep: typeof house.time.sleep = async (ms, signal) => {
			if (ms === 9_000) house.home.set('switch.lift_down', 'on');
			await house.time.sleep(ms, signal);
		};
		const outcome = await createExecutor({ ...house.deps, sleep }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'interlock' });
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});

	test('OVR-24 an off in doubt leaves the call unknown and the motor alone', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.answer = () => ({ result: { kind: 'in_doubt', reason: 'deadline' }, effect: false });
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toMatchObject({ kind: 'unknown' });
		expect(heard(house)).toEqual(['switch.lift_down turn_off']);
	});
});
