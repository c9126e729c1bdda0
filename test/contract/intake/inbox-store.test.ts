import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createIntakeKeys } from '../../../adapters/redis/intake/intake-keys.ts';
import type { InboxStore } from '../../../core/intake/inbox.ts';
import { handoffFor } from '../../support/handoff.ts';
import { storesFor } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let inbox: InboxStore;
beforeAll(async () => {
	server = await startTestRedis();
	redis = await server.connect();
	inbox = storesFor(redis).inbox;
});
beforeEach(() => server.flush());
afterAll(async () => {
	await redis?.close();
	await server?.stop();
});

const DAY_MS = 86_400_000;
const keys = () => createIntakeKeys(redis.prefix);

test('INT-22 the same packet again changes nothing, and its content goes with the last place that has it', async () => {
	const packet = handoffFor({ id: 'p1' });
	await inbox.put(packet, ['desk', 'disk'], 1_000);
	expect((await inbox.put(packet, ['other'], 2_000)).deliveries.map(({ sink }) => sink)).toEqual(['desk', 'disk']);
	expect(await inbox.packet('p1')).toEqual(packet);
	expect(await inbox.settle('p1', 'desk', { state: 'delivered' }, 3_000)).toMatchObject({ hasContent: true });
	expect(await inbox.settle('p1', 'disk', { state: 'dead', problem: 'full' }, 3_000)).toMatchObject({
		hasContent: true,
	});
	expect(await inbox.replay('p1', 'disk', 4_000)).toMatchObject({
		deliveries: [{ sink: 'desk' }, { sink: 'disk', state: 'waiting', generation: 1, attempts: 1 }],
	});
	expect(await inbox.settle('p1', 'disk', { state: 'delivered' }, 5_000)).toMatchObject({ hasContent: false });
	expect([await inbox.packet('p1'), await inbox.replay('p1', 'disk', 6_000)]).toEqual([undefined, undefined]);
});

test('INT-22 what is not there is nothing: unknown packets, unknown places', async () => {
	await inbox.put(handoffFor({ id: 'p1' }), ['desk'], 1_000);
	expect(await inbox.entry('p9')).toBeUndefined();
	expect(await inbox.packet('p9')).toBeUndefined();
	expect(await inbox.settle('p1', 'elsewhere', { state: 'delivered' }, 1)).toBeUndefined();
	expect(await inbox.replay('p1', 'elsewhere', 1)).toBeUndefined();
});

test('INT-22 INT-23 what was damaged or sealed with a lost key is told as missing, and the rest of the list stays', async () => {
	await inbox.put(handoffFor({ id: 'good' }), ['desk'], 1_000);
	await inbox.put(handoffFor({ id: 'bad' }), ['desk'], 2_000);
	await redis.ask((client) => client.hset(keys().packet('bad'), 'body', 'broken'));
	expect(await inbox.packet('bad')).toBeUndefined();
	expect(await inbox.entry('bad')).toMatchObject({ hasContent: true });
	await redis.ask((client) => client.hset(keys().packet('bad'), 'sink:desk', '{"state":7}'));
	expect((await inbox.entry('bad'))?.deliveries).toEqual([]);
	await redis.ask((client) => client.hset(keys().packet('bad'), 'head', 'broken'));
	expect((await inbox.list({ limit: 10 })).map(({ packetId }) => packetId)).toEqual(['good']);
	const stranger = storesFor(redis, undefined, [{ id: 'new', secret: Buffer.alloc(32, 9).toString('base64') }]);
	expect(await stranger.inbox.list({ limit: 10 })).toEqual([]);
});

test('INT-22 a long list is read to its end, newest first, by state and up to the limit', async () => {
	for (let at = 0; at < 130; at += 1) await inbox.put(handoffFor({ id: `p${at}` }), ['desk'], at + 1);
	await inbox.settle('p3', 'desk', { state: 'dead', problem: 'gone' }, 500);
	expect((await inbox.list({ state: 'dead', limit: 5 })).map(({ packetId }) => packetId)).toEqual(['p3']);
	expect((await inbox.list({ limit: 3 })).map(({ packetId }) => packetId)).toEqual(['p129', 'p128', 'p127']);
});

test('INT-22 INT-23 headers go after their time; a packet that nobody took yet stays', async () => {
	await inbox.put(handoffFor({ id: 'old' }), ['desk'], 1_000);
	await inbox.put(handoffFor({ id: 'stuck' }), ['desk'], 1_000);
	await inbox.settle('old', 'desk', { state: 'delivered' }, 2_000);
	await inbox.put(handoffFor({ id: 'now' }), ['desk'], 1_000 + 100 * DAY_MS);
	expect((await inbox.list({ limit: 10 })).map(({ packetId }) => packetId).sort()).toEqual(['now', 'stuck']);
	expect(await inbox.entry('old')).toBeUndefined();
});
