import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSealer } from '../../../adapters/redis/intake/sealer.ts';
import { createSurfaceOutbox } from '../../../adapters/redis/intake/surface-outbox.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import type { Effect } from '../../../core/intake/effect.ts';
import type { Showing, Shown } from '../../../core/intake/surface.ts';
import { cxpSession, INTAKE_KEY, storesFor } from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
	server = await startTestRedis();
});
afterEach(async () => {
	await Promise.all(stops.splice(0).map((stop) => stop()));
	await server.flush();
});
afterAll(() => server.stop());

const LIMITS = { claimMs: 1_500, everyMs: 50, firstRetryMs: 50, lastRetryMs: 200, parallel: 4 };
const notice = (id: string): Effect => ({ id, kind: 'notice', code: 'resumed' });

/** One process with its own connection. */
async function house() {
	const redis = await server.connect();
	const stores = storesFor(redis);
	const stored = createStored(redis);
	const surface = createSurfaceOutbox({
		redis,
		stored,
		sealer: createSealer([INTAKE_KEY], false),
		store: stores.work,
		limits: LIMITS,
	});
	return { redis, stores, surface };
}
async function sessionWith(
	stores: Awaited<ReturnType<typeof house>>['stores'],
	id: string,
	effects: readonly Effect[],
) {
	const session = cxpSession({ place: { kind: 'discord', guildId: 'g', channelId: 'c', threadId: `t-${id}` } }, id);
	await stores.work.create(session, effects);
	return session;
}
const listen = (surface: Awaited<ReturnType<typeof house>>['surface'], show: (showing: Showing) => Promise<Shown>) => {
	const stop = surface.consume('discord', show);
	stops.push(stop);
	return stop;
};

describe('the outbox of a surface', () => {
	test('INT-19 INT-20 items of one session come in order and once, whichever process shows them', async () => {
		const [one, two] = [await house(), await house()];
		const seen: string[] = [];
		const show = async ({ item, session }: Showing): Promise<Shown> => {
			expect(session?.id).toBe(item.id.split('.')[0]);
			await new Promise((resolve) => setTimeout(resolve, 5));
			seen.push(item.id);
			return { kind: 'shown' };
		};
		for (const { surface } of [one, two]) listen(surface, show);
		const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
		await Promise.all(
			ids.map((id) =>
				sessionWith(
					one.stores,
					id,
					[0, 1, 2].map((n) => notice(`${id}.${n}`)),
				),
			),
		);
		for (const id of ids) {
			const added = { id: `${id}.3`, kind: 'notice' as const, code: 'invited' as const };
			await Promise.all([one.surface.add(id, 'discord', added), two.surface.add(id, 'discord', added)]);
		}
		await eventually('all are shown', () => seen.length >= 24);
		for (const id of ids)
			expect(seen.filter((item) => item.startsWith(`${id}.`))).toEqual([0, 1, 2, 3].map((n) => `${id}.${n}`));
		// What was shown is not put out again.
		await one.surface.add('a', 'discord', { id: 'a.1', kind: 'notice', code: 'resumed' });
		expect(await one.surface.items('a', 'discord')).toEqual([]);
	});

	test('INT-19 D08 a session that cannot be shown now waits, in order, and holds nobody else back', async () => {
		const { stores, surface } = await house();
		let locked = true;
		const seen: string[] = [];
		listen(surface, async ({ item }) => {
			if (item.id.startsWith('locked') && locked) return { kind: 'later', afterMs: 100 };
			if (item.id === 'open.gone') return { kind: 'dropped', reason: 'thread deleted' };
			seen.push(item.id);
			return { kind: 'shown' };
		});
		await sessionWith(stores, 'locked', [notice('locked.1'), notice('locked.2')]);
		await sessionWith(stores, 'open', [notice('open.gone'), notice('open.1')]);
		await eventually('the other one is shown', () => seen.includes('open.1'));
		expect(seen).toEqual(['open.1']);
		locked = false;
		await eventually('it is shown later', () => seen.length === 3);
		expect(seen.slice(1)).toEqual(['locked.1', 'locked.2']);
	});

	test('INT-20 OPS-15 what failed is tried again, and what a dead process had in hand is shown by the next', async () => {
		const { redis, stores, surface } = await house();
		let failures = 2;
		const seen: string[] = [];
		await sessionWith(stores, 's', [notice('s.1'), notice('s.2')]);
		// A process that took it and died: nobody took the items off.
		await redis.handlers.zadd(`{${redis.prefix}:intake}:v1:showing-discord`, Date.now() + 600, 's');
		listen(surface, async ({ item }) => {
			if (failures > 0) {
				failures -= 1;
				throw new Error('Discord is away');
			}
			seen.push(item.id);
			return { kind: 'shown' };
		});
		await eventually('both are shown', () => seen.length === 2);
		expect(seen).toEqual(['s.1', 's.2']);
	});

	test('INT-20 a process that stops gives its sessions up at once', async () => {
		const [one, two] = [await house(), await house()];
		const seen: string[] = [];
		let entered = false;
		let release: () => void = () => undefined;
		const stop = listen(one.surface, async () => {
			entered = true;
			await new Promise<void>((resolve) => {
				release = resolve;
			});
			return { kind: 'shown' };
		});
		await sessionWith(one.stores, 's', [notice('s.1'), notice('s.2')]);
		await eventually('it is at work', () => entered);
		const stopped = stop();
		release();
		await stopped;
		listen(two.surface, async ({ item }) => {
			seen.push(item.id);
			return { kind: 'shown' };
		});
		await eventually('the other goes on', () => seen.length === 1, 1_400);
		expect(seen).toEqual(['s.2']);
	});

	test('INT-11 a notice for somebody who has to look comes to Discord wherever the intake lives', async () => {
		const { stores, surface } = await house();
		const session = cxpSession({}, 'machine');
		await stores.work.create(session, [
			{ id: 'm.1', kind: 'notify_admin', code: 'escalation', detail: 'Ada' },
			{ id: 'm.2', kind: 'notice', code: 'resumed' },
			{ id: 'm.3', kind: 'log', from: 'IDLE', to: 'QUESTIONING', cause: 'x' },
		]);
		expect((await surface.items('machine', 'discord')).map(({ id }) => id)).toEqual(['m.1']);
		expect((await surface.items('machine', 'cxp')).map(({ id }) => id)).toEqual(['m.2']);
	});
});
