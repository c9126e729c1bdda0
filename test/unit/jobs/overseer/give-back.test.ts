import { describe, expect, test } from 'vitest';
import { FRESH_GATE, type GateState } from '../../../../core/overseer/gate-state.ts';
import type { RoomStore } from '../../../../core/overseer/room-store.ts';
import type { PendingDecision } from '../../../../core/overseer/trigger.ts';
import { withGiveBack } from '../../../../jobs/overseer/give-back.ts';
import type { RoomScene, RoomScenes } from '../../../../jobs/overseer/room-scene.ts';
import { StoreAway } from '../../../../jobs/store-failure.ts';
import { testLog } from '../../../support/redis.ts';

const NOW = 1_000_000;
const open = new AbortController().signal;
const away = () => new StoreAway('away');
const taken = (worker: string): GateState => ({
	...FRESH_GATE,
	inFlight: { decision: { id: 'd1' } as PendingDecision, startedAt: NOW, deadlineAt: NOW + 60_000, worker },
});

/** Rooms in memory, a store that fails as often as told, and what was done. */
function bench(gates: Record<string, GateState>) {
	const state = { ...gates };
	const versions: Record<string, number> = {};
	const failures: Error[] = [];
	const nudged: string[] = [];
	const lines: string[] = [];
	let nudgeFails = false;
	let commits = 0;
	let reads = 0;
	const scenes = {
		async read(roomId: string) {
			reads += 1;
			const failure = failures.shift();
			if (failure) throw failure;
			const gate = state[roomId];
			const snapshot = { gate, version: versions[roomId] ?? 0, messages: [], events: [] };
			return gate && ({ snapshot, now: NOW } as unknown as RoomScene);
		},
	} as unknown as RoomScenes;
	const store = {
		async commit(roomId: string, version: number, gate: GateState) {
			commits += 1;
			if (version !== (versions[roomId] ?? 0)) return false;
			state[roomId] = gate;
			versions[roomId] = version + 1;
			return true;
		},
	} as unknown as RoomStore;
	const deps = {
		scenes,
		store,
		lives: { self: 'me', isGone: async () => false },
		async nudge(roomId: string) {
			if (nudgeFails) throw new Error('no line');
			nudged.push(roomId);
		},
		log: testLog((level, _, message) => lines.push(`${level} ${message}`)),
	};
	return {
		state,
		failures,
		nudged,
		lines,
		commits: () => commits,
		reads: () => reads,
		failNudges: () => {
			nudgeFails = true;
		},
		/** A run of a room's decision that ends as `decide` does. */
		looked: (decide: (roomId: string) => Promise<string>) => {
			const run = withGiveBack(deps, ({ roomId }) => decide(roomId));
			return (roomId: string, signal = open) => run({ roomId }, signal);
		},
	};
}
const fails = () => Promise.reject(away());

describe('a decision under which the store fails', () => {
	test('OPS-15 a run that comes through is left alone', async () => {
		const house = bench({ den: taken('me') });
		expect(await house.looked(async () => 'ok')('den')).toBe('ok');
		expect([house.reads(), house.commits()]).toEqual([0, 0]);
	});

	test('OPS-15 any other failure is handed on, and nothing is given back', async () => {
		const house = bench({ den: taken('me') });
		await expect(house.looked(() => Promise.reject(new TypeError('a bug')))('den')).rejects.toThrow('a bug');
		expect(house.commits()).toBe(0);
	});

	test('OPS-15 it is given back under its id, due at once, and the gate looks again', async () => {
		const house = bench({ den: taken('me') });
		expect(await house.looked(fails)('den')).toBe('given back');
		expect(house.state['den']?.inFlight).toMatchObject({ decision: { id: 'd1' }, deadlineAt: NOW - 1 });
		expect(house.nudged).toEqual(['den']);
		expect(house.lines).toEqual(['warn the store was away: the decision is run again']);
	});

	test('OPS-15 a nudge that is lost costs a tick and no more', async () => {
		const house = bench({ den: taken('me') });
		house.failNudges();
		expect(await house.looked(fails)('den')).toBe('given back');
		expect(house.lines.at(-1)).toBe('debug nudge lost');
	});

	test.each([
		['another process has it', { den: taken('other') }],
		['nobody has it', { den: FRESH_GATE }],
		['the room is gone', {}],
	])('OPS-15 nothing is given back when %s', async (_, gates) => {
		const house = bench(gates);
		expect(await house.looked(fails)('den')).toBe('store away');
		expect([house.commits(), house.nudged]).toEqual([0, []]);
	});

	test('OPS-15 it is given back as soon as the store answers', async () => {
		const house = bench({ den: taken('me') });
		house.failures.push(away(), away());
		expect(await house.looked(fails)('den')).toBe('given back');
		expect(house.failures).toEqual([]);
	});

	test('OPS-15 a process that stops leaves it to the others; a bug on the way is told', async () => {
		const house = bench({ den: taken('me') });
		house.failures.push(away());
		await expect(house.looked(fails)('den', AbortSignal.abort())).rejects.toThrow('away');
		house.failures.push(new TypeError('a bug'));
		await expect(house.looked(fails)('den')).rejects.toThrow('a bug');
		expect(house.commits()).toBe(0);
	});

	test('OPS-15 while another run of the room is under way it may be that one’s; when that has ended it is nobody’s', async () => {
		const house = bench({ den: taken('me') });
		const ends: ((answer: string) => void)[] = [];
		let first = true;
		const run = house.looked(() => {
			if (first) {
				first = false;
				return fails();
			}
			return new Promise((resolve) => ends.push(resolve));
		});
		const other = (async () => run('den'))();
		const beside = run('den');
		await expect.poll(() => ends.length).toBe(1);
		// It looked and left the decision where it is.
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect([house.commits(), house.nudged]).toEqual([0, []]);
		ends[0]?.('not mine');
		expect(await beside).toBe('not mine');
		expect(await other).toBe('given back');
		expect(house.commits()).toBe(1);
	});

	test('OPS-15 a stop ends the wait for another run', async () => {
		const house = bench({ den: taken('me') });
		let first = true;
		const run = house.looked(() => {
			if (!first) return new Promise(() => undefined);
			first = false;
			return fails();
		});
		const stop = new AbortController();
		const waiting = run('den', stop.signal);
		void run('den');
		await new Promise((resolve) => setTimeout(resolve, 50));
		stop.abort();
		expect(await waiting).toBe('store away');
		expect(house.commits()).toBe(0);
	});

	test('OPS-15 a run in another room does not stand in the way', async () => {
		const house = bench({ den: taken('me'), hall: taken('me') });
		const run = house.looked((roomId) => (roomId === 'hall' ? new Promise(() => undefined) : fails()));
		void run('hall');
		expect(await run('den')).toBe('given back');
		expect(house.state['hall']).toEqual(taken('me'));
	});
});
