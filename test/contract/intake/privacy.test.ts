import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../adapters/observe/log.ts';
import { createSealer, NoIntakeKey, SealBroken } from '../../../adapters/redis/intake/sealer.ts';
import {
	answer,
	begin,
	cxpSession,
	FINAL_REPLY,
	INTAKE_KEY,
	type IntakeBench,
	intakeTestSettings,
	openIntake,
	SECRET_ANSWER,
	SECRET_INTENT,
	scriptedModel,
	sessionOf,
	storesFor,
	usualAnswer,
} from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
const benches: IntakeBench[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
});
afterEach(async () => {
	await Promise.all(benches.splice(0).map((bench) => bench.close()));
	await server.flush();
});
afterAll(() => server.stop());

/** Every text that Redis holds, key by key. */
async function everything(client: Redis): Promise<string> {
	const texts: string[] = [];
	for await (const keys of client.scanStream({ count: 500 }) as AsyncIterable<string[]>)
		for (const key of keys) {
			texts.push(key);
			const type = await client.type(key);
			if (type === 'string') texts.push((await client.get(key)) ?? '');
			else if (type === 'hash') texts.push(JSON.stringify(await client.hgetall(key)));
			else if (type === 'list') texts.push(JSON.stringify(await client.lrange(key, 0, -1)));
			else if (type === 'set') texts.push(JSON.stringify(await client.smembers(key)));
			else if (type === 'zset') texts.push(JSON.stringify(await client.zrange(key, 0, -1)));
			else if (type === 'stream') texts.push(JSON.stringify(await client.xrange(key, '-', '+')));
			// A key that ran out since it was listed holds nothing.
			else if (type !== 'none') throw new Error(`a ${type}`);
		}
	return texts.join('\n');
}

/** The files that Redis keeps. */
function files(): string {
	if (server.where.kind !== 'socket') throw new Error('this test needs a server of its own');
	const folder = dirname(server.where.path);
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /aof|rdb/.test(name))
		.map((name) => join(folder, name))
		.filter((path) => !/appendonlydir$/.test(path))
		.map((path) => readFileSync(path, 'latin1'))
		.join('\n');
}

/** Words of the person, of the model and of what was made of both; not even in base64. */
const WORDS = ['heliotrope', 'lighthouse', 'quagmire', 'marzipan', 'pumpernickel', 'zanzibar', 'kumquat'].flatMap(
	(word) => [word, Buffer.from(word).toString('base64').slice(0, 8)],
);

describe('what is at rest', () => {
	test('INT-23 CONST-032-013 neither Redis, nor its files, nor the log hold a word of the conversation', async () => {
		const lines: string[] = [];
		const log = createLog({
			level: 'info',
			format: 'json',
			stream: { write: (line: string) => void lines.push(line) } as never,
		});
		const model = scriptedModel((request) =>
			request.purpose === 'intake.ask'
				? usualAnswer(request)
						.replace('Which things', 'Which kumquat things')
						.replace('mug_shop', 'zanzibar')
						.replace('has_feature(mugs).', 'has_feature(marzipan).')
				: FINAL_REPLY,
		);
		let stuck = true;
		const bench = await openIntake(server, {
			log,
			model,
			sinks: [
				{
					sink: {
						name: 'stuck',
						deliver: async () => (stuck ? { ok: false, permanent: false, problem: 'it answered 500' } : { ok: true }),
					},
					attempts: 3,
					backoffMs: 100,
				},
			],
		});
		benches.push(bench);
		bench.work();
		const id = await begin(bench);
		const state = (name: string, sets?: number) =>
			eventually(name, async () => {
				const session = await sessionOf(bench, id);
				return session.state === name && (sets === undefined || session.questionSets.length === sets);
			});
		await state('QUESTIONING', 1);
		expect((await bench.stores.surface.items(id, 'cxp')).length).toBeGreaterThan(0);
		await bench.desk.submit(id, answer());
		await state('QUESTIONING', 2);
		await bench.desk.submit(id, { ...answer('pumpernickel'), kind: 'message' });
		await state('COMPLETE');
		await eventually(
			'the sink is dead',
			async () => (await bench.stores.inbox.list({ state: 'dead', limit: 5 })).length === 1,
		);
		await bench.redis.handlers.config('SET', 'appendfsync', 'always');
		await bench.redis.handlers.set('probe', 'written-to-the-file');
		const kept = await everything(bench.redis.handlers);
		await eventually('the probe is in the file', () => files().includes('written-to-the-file'));
		const onDisk = files();
		// The search itself works: names and ids are there in plain.
		expect(kept).toContain(id);
		expect(JSON.stringify(await sessionOf(bench, id))).toContain('marzipan');
		for (const word of WORDS) {
			expect(kept, word).not.toContain(word);
			expect(onDisk, word).not.toContain(word);
			expect(lines.join('\n'), word).not.toContain(word);
		}
		stuck = false;
	}, 60_000);

	test('INT-23 no key: nothing starts, unless ephemeral was chosen, and then nothing outlives the process', async () => {
		const redis = await server.connect();
		expect(() => storesFor(redis, intakeTestSettings(), [])).toThrow(NoIntakeKey);
		const ephemeral = intakeTestSettings({ ephemeral: true });
		const stores = storesFor(redis, ephemeral, []);
		const session = cxpSession({ originalIntent: SECRET_INTENT });
		await stores.work.create(session, []);
		expect((await stores.work.load(session.id)).kind).toBe('found');
		expect((await storesFor(redis, ephemeral, []).work.load(session.id)).kind).toBe('corrupt');
	});

	test('INT-23 a new key encrypts at once, the old one still reads, without it nothing does', async () => {
		const redis = await server.connect();
		const fresh = { id: 'fresh', secret: randomBytes(32).toString('base64') };
		const session = cxpSession({ originalIntent: SECRET_INTENT });
		await storesFor(redis).work.create(session, []);
		const both = storesFor(redis, intakeTestSettings(), [fresh, INTAKE_KEY]).work;
		expect(await both.load(session.id)).toMatchObject({ kind: 'found', session: { originalIntent: SECRET_INTENT } });
		await both.save({ ...session, revision: 1, roundCount: 1 }, 0, []);
		const body = await redis.handlers.hget(`{${redis.prefix}:intake}:v1:session:${session.id}`, 'body');
		expect(body).toMatch(/^s1\.fresh\./);
		expect(await storesFor(redis, intakeTestSettings(), [fresh]).work.load(session.id)).toMatchObject({
			kind: 'found',
		});
		// The old key alone opens only the copy from before.
		expect((await storesFor(redis).work.load(session.id)).kind).toBe('recovered');
	});

	test('INT-23 what is sealed opens only where it belongs, and only unchanged', () => {
		const sealer = createSealer([INTAKE_KEY], false);
		for (const text of ['', 'ä', SECRET_ANSWER, SECRET_ANSWER.repeat(2_000)]) {
			const sealed = sealer.seal(text, 'one|session');
			expect(sealer.open(sealed, 'one|session')).toBe(text);
			expect(sealer.seal(text, 'one|session')).not.toBe(sealed);
			expect(() => sealer.open(sealed, 'two|session')).toThrow(SealBroken);
			expect(() =>
				sealer.open(`${sealed.slice(0, -2)}${sealed.at(-2) === 'A' ? 'B' : 'A'}${sealed.at(-1)}`, 'one|session'),
			).toThrow(SealBroken);
			expect(() => sealer.open(sealed.replace('s1.test', 's1.other'), 'one|session')).toThrow(SealBroken);
		}
		expect(() => sealer.open('plain', 'one|session')).toThrow(SealBroken);
	});

	test('INT-19 INT-23 CONST-032-012 after the end the conversation goes, unless it was asked to be kept', async () => {
		const settings = intakeTestSettings();
		settings.retention.graceMs = 60_000;
		const bench = await openIntake(server, { settings });
		benches.push(bench);
		const { work } = bench.stores;
		const live = cxpSession({ originalIntent: SECRET_INTENT });
		const kept = cxpSession({ originalIntent: SECRET_INTENT });
		const now = Date.now();
		for (const session of [live, kept]) await work.create(session, []);
		expect(await work.purge(now + 10 * 86_400_000)).toEqual([]);
		expect((await work.list({ limit: 5 })).map(({ deleteAt }) => deleteAt)).toEqual([undefined, undefined]);
		// Asked while it was alive, and it still holds at the end.
		expect(await work.keep(kept.id, now + 3_600_000)).toBe(true);
		for (const session of [live, kept])
			await work.save({ ...session, revision: 1, state: 'COMPLETE', updatedAt: now }, 0, [
				{ id: `${session.id}:done`, kind: 'done', state: 'COMPLETE' },
			]);
		const deleteAts = async () => new Map((await work.list({ limit: 5 })).map(({ id, deleteAt }) => [id, deleteAt]));
		expect(await deleteAts()).toEqual(
			new Map([
				[live.id, now + 60_000],
				[kept.id, now + 3_600_000],
			]),
		);
		expect(await work.exportAll(live.id)).toMatchObject({ session: { originalIntent: SECRET_INTENT }, modelCalls: [] });
		expect(await work.purge(now + 59_000)).toEqual([]);
		expect(await work.purge(now + 61_000)).toEqual([live.id]);
		expect(await work.load(live.id)).toEqual({ kind: 'missing' });
		expect(await work.purge(now + 3_601_000)).toEqual([kept.id]);
		const rest = await everything(bench.redis.handlers);
		expect(rest).not.toContain(`:${live.id}`);
		expect(await work.keep(live.id, now)).toBe(false);
		expect(await work.exportAll(live.id)).toBeUndefined();
	});

	test('INT-19 INT-23 a deleted intake leaves no key behind, and what comes late does not bring it back', async () => {
		const bench = await openIntake(server);
		benches.push(bench);
		const worker = bench.work();
		const id = await begin(bench);
		await eventually('it asks', async () => (await sessionOf(bench, id)).state === 'QUESTIONING');
		await worker.stop();
		await bench.desk.submit(id, answer(), { waitMs: 0 });
		expect(await bench.stores.work.delete(id)).toBe(true);
		expect(await bench.desk.submit(id, answer(), { waitMs: 0 })).toEqual({ kind: 'unknown' });
		await bench.stores.surface.add(id, 'cxp', { id: 'late', kind: 'notice', code: 'resumed' });
		await bench.stores.audit.keepCall(id, { callId: 'late', at: 1, messages: [] });
		const keys = await bench.redis.handlers.keys(`*:intake}*${id}*`);
		// The mark that its first message was dealt with stays for a week; it holds ids only.
		expect(keys.filter((key) => !key.includes(':once:'))).toEqual([]);
		expect(await bench.stores.work.delete(id)).toBe(false);
	});

	test('INT-23 the purge runs by itself, and the trail says so', async () => {
		const settings = intakeTestSettings();
		settings.retention.graceMs = 0;
		const bench = await openIntake(server, { settings });
		benches.push(bench);
		const session = cxpSession();
		await bench.stores.work.create(session, []);
		await bench.stores.work.save({ ...session, revision: 1, state: 'CANCELLED' }, 0, []);
		bench.work();
		await eventually('it is gone', async () => (await bench.stores.work.load(session.id)).kind === 'missing');
		const row = await eventually(
			'the trail has it',
			async () => (await bench.stores.audit.query({ sessionId: session.id, what: 'privacy', limit: 5 }))[0],
		);
		expect(row.entry).toMatchObject({ what: 'privacy', act: 'purged' });
	});
});
