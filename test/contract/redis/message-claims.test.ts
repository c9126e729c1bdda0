import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createMessageClaims } from '../../../adapters/redis/stores/message-claims.ts';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

const ID = '1523456789012345678';

describe('message claims on Redis', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let claims: MessageClaims;
	let restarted: MessageClaims;

	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
		const second = await server.connect();
		claims = createMessageClaims(redis, createStored(redis));
		restarted = createMessageClaims(second, createStored(second), { claimMs: 200, handledMs: 60_000 });
	});
	afterEach(() => server.flush());
	afterAll(() => server.stop());

	test('D11 a message that arrives twice, after a resume and after a restart is claimed once; a new id is a new message', async () => {
		const twice = await Promise.all([claims.claim(ID), claims.claim(ID)]);
		expect(twice.filter(Boolean)).toHaveLength(1);
		await claims.markHandled('c1', ID);
		expect(await claims.claim(ID)).toBe(false);
		expect(await restarted.claim(ID)).toBe(false);
		expect(await restarted.claim('1523456789012345679')).toBe(true);
	});

	test('D11 a claim that is released can be taken again, and only its holder releases it', async () => {
		await claims.claim(ID);
		await restarted.release(ID);
		expect(await restarted.claim(ID)).toBe(false);
		await claims.release(ID);
		expect(await restarted.claim(ID)).toBe(true);
	});

	test('D11 a handled message cannot be released any more', async () => {
		await claims.claim(ID);
		await claims.markHandled('c1', ID);
		await claims.release(ID);
		expect(await restarted.claim(ID)).toBe(false);
	});

	test('OPS-14 the claim of a process that died before it handled the message runs out', async () => {
		expect(await restarted.claim(ID)).toBe(true);
		await eventually('the claim is free', () => claims.claim(ID));
	});

	test('OPS-14 Q03 the mark of a channel only moves forward, whatever the lengths of the ids', async () => {
		expect(await claims.lastHandled('c1')).toBeUndefined();
		const snowflake = fc.bigInt({ min: 1n, max: 2n ** 64n }).map(String);
		await fc.assert(
			fc.asyncProperty(fc.array(snowflake, { minLength: 1, maxLength: 8 }), async (ids) => {
				await redis.handlers.del(redis.keys.channel('c2', 'last'));
				for (const id of ids) await claims.markHandled('c2', id);
				const [highest] = ids.map(BigInt).sort((a, b) => (a < b ? 1 : -1));
				expect(await restarted.lastHandled('c2')).toBe(String(highest));
			}),
			{ numRuns: 50 },
		);
	});

	test('OPS-14 Q02 the first message ever noted of a channel is kept beside the newest', async () => {
		expect(await claims.firstHandled('c3')).toBeUndefined();
		for (const id of ['1500', '1400', '1700']) await claims.markHandled('c3', id);
		expect(await restarted.firstHandled('c3')).toBe('1500');
		expect(await restarted.lastHandled('c3')).toBe('1700');
	});

	test('OPS-14 what is no message id is refused, and a damaged mark counts as none', async () => {
		await expect(claims.markHandled('c1', 'x')).rejects.toThrow(RangeError);
		await redis.handlers.set(redis.keys.channel('c1', 'last'), 'soon');
		expect(await claims.lastHandled('c1')).toBeUndefined();
	});
});
