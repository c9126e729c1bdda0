import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createRoomStore } from '../../../adapters/redis/stores/room-store.ts';
import { openFleet, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { answer, cxpSession, storesFor } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
beforeAll(async () => {
	server = await startTestRedis();
	redis = await server.connect();
});
afterEach(() => server.flush());
afterAll(() => server.stop());

/** Everything that is stored, each key as Redis would dump it. */
async function everything(): Promise<Map<string, string>> {
	const found = await redis.ask((client) => client.keys(`*${redis.prefix}*`));
	// What a queue says of itself when it is opened is not ours.
	const names = found.filter((name) => !name.endsWith(':meta')).sort();
	const dumps = await Promise.all(names.map((name) => redis.ask((client) => client.dumpBuffer(name))));
	return new Map(names.map((name, at) => [name, dumps[at]?.toString('base64') ?? '']));
}

/**
 * Puts a key of another type in the place of each of those that `write` changes, in turn. Then it must fail and change nothing,
 * and once the key is as it was, do everything.
 */
async function withEachKeySpoilt(prepare: () => Promise<void>, write: () => Promise<unknown>): Promise<string[]> {
	await prepare();
	const before = await everything();
	await write();
	const touched = [...(await everything())].filter(([name, dump]) => before.get(name) !== dump).map(([name]) => name);
	const spoilt: string[] = [];
	for (const name of touched.filter((each) => before.has(each))) {
		await server.flush();
		await prepare();
		const type = await redis.ask((client) => client.type(name));
		const whole = await redis.ask((client) => client.dumpBuffer(name));
		await redis.ask((client) =>
			client.multi().del(name)[type === 'set' ? 'lpush' : 'sadd'](name, 'something else').exec(),
		);
		const spoiled = await everything();
		await expect(write(), `${name} is no ${type}`).rejects.toThrow();
		expect(await everything(), `after ${name} was no ${type}`).toEqual(spoiled);
		await redis.ask((client) => client.del(name));
		if (whole !== null) await redis.ask((client) => client.restore(name, 0, whole));
		await write();
		const done = await everything();
		expect([...done.keys()].sort(), `${name} is mended`).toEqual(expect.arrayContaining(touched));
		spoilt.push(name);
	}
	return spoilt;
}

describe('something else under a name of ours', () => {
	test('OPS-15 OVR-1 a line of talk is stored whole or not at all', async () => {
		const rooms = createRoomStore(redis, createStored(redis));
		const line = (id: string) => ({
			...{ id, room: 'den', author: { id: 'u1', name: 'Ana' }, bot: false, text: id, at: 1_000 },
			...{ mentions: [], source: 'discord' },
		});
		const spoilt = await withEachKeySpoilt(
			async () => {
				await rooms.addMessage(line('one'));
				await rooms.markDue('den', 50_000);
			},
			async () => expect(await rooms.addMessage(line('two'))).toBe(true),
		);
		expect(spoilt.length).toBeGreaterThanOrEqual(3);
	});

	test('OPS-15 FLT-3 a batch of reports is stored whole or not at all', { timeout: 60_000 }, async () => {
		const bench = await openFleet(server, { isShowing: false });
		try {
			let api = reporter('api', 'api-fix');
			const spoilt = await withEachKeySpoilt(
				async () => {
					api = reporter('api', 'api-fix');
					await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
				},
				async () => {
					const question = { question: { ...SCHEMA_QUESTION.question, ref: 'ask-2' } };
					const kept = await bench.report([
						{ ...api.say('working'), id: 'w2' },
						{ ...api.say('question', question), id: 'a2' },
					]);
					expect(kept).toMatchObject({ known: [], refused: [] });
				},
			);
			expect(spoilt.length).toBeGreaterThanOrEqual(10);
		} finally {
			await bench.close();
		}
	});

	test('OPS-15 INT-20 an answer of a person is stored whole or not at all', async () => {
		const { work } = storesFor(redis);
		const spoilt = await withEachKeySpoilt(
			async () => {
				await work.create(cxpSession({}, 's'), []);
				await work.append('s', answer('one'));
			},
			async () => expect(await work.append('s', answer('two'))).toMatchObject({ kind: 'appended' }),
		);
		expect(spoilt.length).toBeGreaterThanOrEqual(3);
	});
});
