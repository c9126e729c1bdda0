import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../../adapters/redis/backup/backup.ts';
import { restore } from '../../../adapters/redis/backup/restore.ts';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStores } from '../../../adapters/redis/stores.ts';
import { overseerStatus } from '../../../core/overseer/status.ts';
import { queuePrefix } from '../../../jobs/queues.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';
import { stockStore, wholeStore } from './stocked-store.ts';

describe('backup and restore', () => {
	let dir: string;
	let server: TestRedis;
	let from: RedisConnection;
	let to: RedisConnection;
	let path: string;
	let stocked: Awaited<ReturnType<typeof stockStore>>;

	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), 'mj-backup-'));
		server = await startTestRedis();
		from = await server.connect();
		to = await server.connect({ prefix: `${server.prefix}-b` });
		stocked = await stockStore(from);
		await stocked.stores.leases.release('bucket:1');
		// Bytes that are no text, and a stream with readers, one of whom has not acknowledged.
		await from.handlers.set(`{${from.prefix}:bytes}`, Buffer.from([0, 255, 254, 10]));
		const stream = from.keys.bus('messages');
		await from.handlers.xgroup('CREATE', stream, 'relay', '0');
		await from.handlers.xreadgroup('GROUP', 'relay', 'reader', 'COUNT', 2, 'STREAMS', stream, '>');
		await from.handlers.xadd(`{${from.prefix}:empty}`, '5-1', 'a', 'b');
		await from.handlers.xdel(`{${from.prefix}:empty}`, '5-1');
		path = join(dir, 'house.gz');
		await backUp(from, path);
	});
	beforeEach(async () => {
		for (const key of await to.handlers.keys(to.keys.all)) await to.handlers.del(key);
	});
	afterAll(async () => {
		await stocked.queue.close();
		for (const key of await to.handlers.keys(to.keys.all)) await to.handlers.del(key);
		await server.stop();
		await rm(dir, { recursive: true, force: true });
	});

	test('OPS-16 what is restored is what was saved: every kind of key, ends, readers, queues', async () => {
		const restored = await restore(to, path, { replace: false });
		expect(restored.keys).toBeGreaterThan(20);
		expect(await wholeStore(to)).toEqual(await wholeStore(from));
		expect((await stat(path)).mode & 0o777).toBe(0o600);
	});

	test('OPS-16 the restored household goes on: unacknowledged lines are read again, jobs run, claims stand', async () => {
		await restore(to, path, { replace: false });
		const stream = to.keys.bus('messages');
		const again = await to.handlers.xreadgroup('GROUP', 'relay', 'reader', 'STREAMS', stream, '0');
		expect(JSON.stringify(again)).toContain('marzipan');
		expect((again as [string, unknown[]][])[0]?.[1]).toHaveLength(2);
		const stores = createStores(to, { statusSchema: overseerStatus, audit: { maxRows: 1_000, retainMs: 9e9 } });
		expect((await stores.rooms.read('lab', { messages: 10, events: 10 })).gate.pending?.id).toBe('decision-1');
		expect((await stores.claims.claim('c1', 2_000)).kind).not.toBe('won');
		const queue = new Queue('tool-run', { connection: to.handlers, prefix: queuePrefix(to.prefix, 'tool-run') });
		expect(await queue.getJobCounts('waiting', 'delayed')).toEqual({ waiting: 1, delayed: 1 });
		expect((await queue.getJob('x-1'))?.data).toMatchObject({ tool: 'lift_up' });
		await queue.close();
	});

	test('OPS-16 a Redis that holds something is not overwritten unless that is asked for', async () => {
		await to.handlers.set(to.keys.site(), 'mine');
		await expect(restore(to, path, { replace: false })).rejects.toMatchObject({ code: 'not_empty' });
		expect(await to.handlers.get(to.keys.site())).toBe('mine');
		expect((await restore(to, path, { replace: true })).removed).toBe(1);
		expect(await wholeStore(to)).toEqual(await wholeStore(from));
	});

	test('OPS-16 a household that runs is not pulled away under its own feet', async () => {
		await to.handlers.set(to.keys.lease('bucket:1'), 'somebody', 'PX', 60_000);
		await expect(restore(to, path, { replace: true })).rejects.toMatchObject({ code: 'in_use' });
	});

	test('OPS-16 a damaged, cut or foreign file changes nothing and says so', async () => {
		const text = gunzipSync(await readFile(path)).toString();
		const files: [string, Buffer][] = [
			['flipped', gzipSync(text.replace('marzipan', 'marzipaN'))],
			['cut', gzipSync(text.slice(0, text.length - 40))],
			['unzipped', Buffer.from(text)],
			['truncated', (await readFile(path)).subarray(0, 200)],
			['empty', gzipSync('')],
			['foreign', gzipSync('{"format":"other"}\n{"keys":0,"sha256":""}\n')],
			['newer', gzipSync(text.replace('"version":1', '"version":99'))],
		];
		for (const [name, bytes] of files) {
			const bad = join(dir, name);
			await writeFile(bad, bytes);
			await expect(restore(to, bad, { replace: true }), name).rejects.toMatchObject({ code: 'bad_backup' });
		}
		expect(await to.handlers.keys(to.keys.all)).toEqual([]);
	});

	test('OPS-16 a backup under load is whole: each room at one moment, nothing that stood there before is missing', async () => {
		const stop = new AbortController();
		let written = 0;
		const load = (async () => {
			while (!stop.signal.aborted) {
				written += 1;
				const line = { ...stocked.said[0], id: `load-${written}`, text: `line ${written}`, at: written } as never;
				await stocked.stores.rooms.addMessage(line);
				await stocked.queue.add('canary', { sentAt: written }, { removeOnComplete: true });
			}
		})();
		const busy = join(dir, 'busy.gz');
		await eventually('some load', () => written > 50);
		const before = written;
		await backUp(from, busy);
		stop.abort();
		await load;
		await restore(to, busy, { replace: true });
		const stores = createStores(to, { statusSchema: overseerStatus, audit: { maxRows: 1_000, retainMs: 9e9 } });
		const room = await stores.rooms.read('lab', { messages: 400, events: 1 });
		const seqs = room.messages.map(({ seq }) => seq);
		expect(seqs.at(-1)).toBeGreaterThanOrEqual(before);
		expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
		// The next line gets the next number: head and lines are of the same moment.
		const next = { ...stocked.said[0], id: 'after', text: 'after', at: 9 } as never;
		await stores.rooms.addMessage(next);
		const after = await stores.rooms.read('lab', { messages: 1, events: 1 });
		expect(after.messages[0]?.seq).toBe((seqs.at(-1) ?? 0) + 1);
	});
});
