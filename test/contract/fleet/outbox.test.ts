import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import type { FleetOutbox, OutboxItem } from '../../../core/fleet/outbox.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let one: FleetOutbox;
let other: FleetOutbox;
const bounds = { feed: () => ({ maxEvents: 1_000, maxAgeMs: 60_000 }), maxInbox: () => 3 };
beforeAll(async () => {
	redis = await startTestRedis();
	one = createFleetStores(await redis.connect(), bounds).outbox;
	other = createFleetStores(await redis.connect(), bounds).outbox;
});
afterEach(() => redis.flush());
afterAll(() => redis.stop());

const notice = (id: string): OutboxItem => ({ id, at: 1, kind: 'notice', text: `text of ${id}`, mention: [] });

test('FLT-13 what people are to be shown is kept until somebody shows it, and shown once over processes', async () => {
	await one.add(notice('a'));
	await one.add(notice('b'));
	await other.add(notice('a'));
	const shown: string[] = [];
	const show = async ({ id }: OutboxItem) => {
		shown.push(id);
		return 'shown' as const;
	};
	const stops = [one.consume(show), other.consume(show)];
	await eventually('both are shown', () => shown.length === 2);
	await one.add(notice('c'));
	await eventually('the third as well', () => shown.length === 3);
	// It was shown: the same id again is nothing new.
	await one.add(notice('a'));
	await one.add(notice('d'));
	await eventually('the fourth', () => shown.includes('d'));
	expect([...shown].sort()).toEqual(['a', 'b', 'c', 'd']);
	await Promise.all(stops.map((stop) => stop()));
}, 60_000);

test('FLT-13 one that cannot be shown now comes again and holds nobody up, one that never can is let go', async () => {
	const tries: string[] = [];
	for (const id of ['broken', 'later', 'never', 'fine']) await one.add(notice(id));
	const stop = one.consume(async ({ id }) => {
		tries.push(id);
		const times = tries.filter((each) => each === id).length;
		if (id === 'broken' && times < 3) throw new Error('no permission');
		if (id === 'later' && times < 2) return { laterMs: 300 };
		return id === 'never' ? 'dropped' : 'shown';
	});
	await eventually('everything is through', () => tries.length === 7, 30_000);
	expect(tries.filter((id) => id === 'broken')).toHaveLength(3);
	expect(tries.indexOf('fine')).toBeLessThan(tries.lastIndexOf('broken'));
	expect(tries.filter((id) => id === 'never')).toHaveLength(1);
	await stop();
}, 60_000);
