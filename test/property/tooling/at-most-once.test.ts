import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import { createExecutor } from '../../../tools/executor.ts';
import type { ExecutorDeps } from '../../../tools/executor-deps.ts';
import { createHouse, type House } from '../../unit/tools/support/house.ts';

type Failure = 'killed before' | 'killed after' | 'error before' | 'error after';

/** Every way in which a process touches what is outside of it, with one of these touches going wrong. */
function fragile(deps: ExecutorDeps, failAt: number, failure: Failure): { deps: ExecutorDeps; dead: Promise<'dead'> } {
	let touches = 0;
	let isDead = false;
	let die = (): void => {};
	const dead = new Promise<'dead'>((resolve) => {
		die = () => {
			isDead = true;
			resolve('dead');
		};
	});
	const never = new Promise<never>(() => {});
	const touch = <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) => {
		return async (...args: Args): Promise<Value> => {
			if (isDead) return await never;
			touches += 1;
			if (touches !== failAt) {
				const value = await act(...args);
				return isDead ? await never : value;
			}
			if (failure === 'killed after' || failure === 'error after') await act(...args);
			if (failure.startsWith('error')) throw new Error('store away');
			die();
			return await never;
		};
	};
	const { claims, ledger, audit, rooms, home } = deps;
	const wrapped: ExecutorDeps = {
		...deps,
		facts: touch(deps.facts),
		claims: {
			claim: touch(claims.claim),
			settle: touch(claims.settle),
			outcome: touch(claims.outcome),
			waitForOutcome: touch(claims.waitForOutcome),
		},
		ledger: { read: ledger.read, attempt: touch(ledger.attempt), release: touch(ledger.release) },
		audit: { append: touch(audit.append), query: audit.query },
		rooms: { read: rooms.read, addOwnContext: touch(rooms.addOwnContext) },
		home: { ...home, states: home.states, call: touch(home.call) },
		sleep: async (ms, signal) => {
			await deps.sleep(ms, signal);
			if (isDead) await never;
		},
	};
	return { deps: wrapped, dead };
}

const calls: [string, unknown][] = [
	['lift_up', {}],
	['neato_start', {}],
	['neato_send_home', {}],
	['ha_set_entity', { entity_id: 'light.shelf', state: 'on' }],
	['ha_set_light', { entity_id: 'light.shelf', color: 'red' }],
	['ha_run_script', { script: 'movie' }],
	['button_box_adjust', { button: 2, amount: 1 }],
];

const heard = (house: House) => house.home.heard.map((request) => `${request.entityId} ${request.service}`);

describe('at most once, wherever a process is killed', () => {
	test('OVR-24 Q01 no command is ever sent twice for one call, and what is in doubt is never called failed or blocked', async () => {
		let died = 0;
		let doubtful = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...calls),
				fc.constantFrom('entities' as const, 'parts' as const),
				fc.array(
					fc.record({
						at: fc.integer({ min: 1, max: 24 }),
						failure: fc.constantFrom<Failure>('killed before', 'killed after', 'error before', 'error after'),
					}),
					{ minLength: 1, maxLength: 3 },
				),
				async ([tool, args], wiring, failures) => {
					const house = createHouse({ wiring });
					if (tool === 'neato_send_home') {
						house.home.set('vacuum.robot', 'cleaning');
						house.home.set('sensor.robot_state', 'cleaning');
						house.home.set('binary_sensor.charging', 'off');
					}
					const request = house.request(tool, args);
					for (const { at, failure } of failures) {
						const { deps, dead } = fragile(house.deps, at, failure);
						const end = await Promise.race([createExecutor(deps).execute(request), dead]);
						if (end === 'dead') died += 1;
						house.time.advance(1_000);
					}
					const sentBefore = house.home.heard.length;
					const last: CallOutcome = await createExecutor(house.deps).execute(request);
					const commands = heard(house);
					expect(new Set(commands).size).toBe(commands.length);
					expect(house.ledger.booked.length).toBeLessThanOrEqual(1);
					// Something had left before the last run: then that run added nothing, and did not deny it either.
					if (sentBefore > 0) expect(house.home.heard.length).toBe(sentBefore);
					if (sentBefore > 0 && !house.claims.kept.has(request.call.id)) throw new Error('acted without a claim');
					const isOneCommand = wiring === 'entities' && tool !== 'neato_send_home';
					if (sentBefore > 0 && isOneCommand) expect(['confirmed', 'unconfirmed', 'unknown']).toContain(last.kind);
					if (last.kind === 'unknown') doubtful += 1;
					if (last.kind === 'confirmed' || last.kind === 'unconfirmed') expect(commands.length).toBeGreaterThan(0);
				},
			),
			{ numRuns: 1_500 },
		);
		expect(died).toBeGreaterThan(100);
		expect(doubtful).toBeGreaterThan(20);
	}, 120_000);

	test('OVR-24 a kill at every single step of a plain call: once at most, and never denied after it happened', async () => {
		for (const failure of ['killed before', 'killed after'] as const) {
			for (let at = 1; at <= 16; at++) {
				const house = createHouse();
				const request = house.request('ha_set_entity', { entity_id: 'light.shelf', state: 'on' });
				const { deps, dead } = fragile(house.deps, at, failure);
				await Promise.race([createExecutor(deps).execute(request), dead]);
				const acted = house.home.heard.length > 0;
				const again = await createExecutor(house.deps).execute(request);
				expect(house.home.heard.length).toBeLessThanOrEqual(1);
				// The state shows it, so the second run can tell.
				if (acted) expect([at, failure, again.kind]).toEqual([at, failure, 'confirmed']);
				else expect(['confirmed', 'unknown']).toContain(again.kind);
			}
		}
	});

	test('OVR-24 runs side by side, some killed: still once', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...calls),
				fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 4 }),
				async ([tool, args], points) => {
					const house = createHouse();
					const request = house.request(tool, args);
					await Promise.all(
						points.map(async (at) => {
							const { deps, dead } = fragile(house.deps, at, 'killed after');
							await Promise.race([createExecutor(deps).execute(request), dead]);
						}),
					);
					const commands = heard(house);
					expect(new Set(commands).size).toBe(commands.length);
				},
			),
			{ numRuns: 300 },
		);
	}, 120_000);
});
