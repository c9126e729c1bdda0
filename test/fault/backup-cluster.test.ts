import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../../adapters/redis/backup/backup.ts';
import { restore } from '../../adapters/redis/backup/restore.ts';
import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { createStores } from '../../adapters/redis/stores.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { overseerStatus } from '../../core/overseer/status.ts';
import { queuePrefix } from '../../jobs/queues.ts';
import { stockStore, wholeStore } from '../e2e/operations/stocked-store.ts';
import { startTestRedis, type TestRedis, testLog } from '../support/redis.ts';
import { startTestCluster } from '../support/redis-cluster.ts';

let dir: string;
let server: TestRedis;
let one: RedisConnection;
let many: RedisConnection;
let cluster: Awaited<ReturnType<typeof startTestCluster>>;
let stocked: Awaited<ReturnType<typeof stockStore>>;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), 'mj-cluster-'));
	[server, cluster] = await Promise.all([startTestRedis({ own: true }), startTestCluster()]);
	one = await server.connect();
	const where = parseRedisUrl(cluster.url);
	many = createRedis({ where, prefix: 'house', commandTimeoutMs: 5_000, log: testLog(), now: Date.now });
	await many.ready(30_000);
	stocked = await stockStore(one);
	await stocked.stores.leases.release('bucket:1');
	const stream = one.keys.bus('messages');
	await one.handlers.xgroup('CREATE', stream, 'relay', '0');
	await one.handlers.xreadgroup('GROUP', 'relay', 'reader', 'COUNT', 2, 'STREAMS', stream, '>');
}, 120_000);
afterAll(async () => {
	await stocked.queue.close();
	await many.close();
	await Promise.all([server.stop(), cluster.close()]);
	await rm(dir, { recursive: true, force: true });
});

test('OPS-16 a backup of one server is restored into a cluster of three, whole and working, and back again', async () => {
	const path = join(dir, 'house.gz');
	await backUp(one, path);
	const before = await wholeStore(one);
	const restored = await restore(many, path, { replace: false });
	expect(restored.keys).toBeGreaterThan(20);
	expect(await wholeStore(many)).toEqual(before);

	const stores = createStores(many, { statusSchema: overseerStatus, audit: { maxRows: 1_000, retainMs: 9e9 } });
	const room = await stores.rooms.read('lab', { messages: 10, events: 10 });
	expect(room.gate.pending?.id).toBe('decision-1');
	expect(await stores.rooms.commit('lab', room.version, room.gate, 3_000)).toBe(true);
	expect((await stores.claims.claim('c1', 2_000)).kind).not.toBe('won');
	const again = await many.handlers.xreadgroup('GROUP', 'relay', 'reader', 'STREAMS', many.keys.bus('messages'), '0');
	expect((again as [string, unknown[]][])[0]?.[1]).toHaveLength(2);
	const queue = new Queue('tool-run', { connection: many.handlers, prefix: queuePrefix('house', 'tool-run') });
	expect(await queue.getJobCounts('waiting', 'delayed')).toEqual({ waiting: 1, delayed: 1 });
	await queue.close();

	// What stands on all nodes is found again, and replaced only when that is asked for.
	await expect(restore(many, path, { replace: false })).rejects.toMatchObject({ code: 'not_empty' });
	await restore(many, path, { replace: true });
	const back = join(dir, 'back.gz');
	await backUp(many, back);
	const third = await server.connect({ prefix: `${server.prefix}-back` });
	await restore(third, back, { replace: false });
	expect(await wholeStore(third)).toEqual(before);
}, 120_000);
