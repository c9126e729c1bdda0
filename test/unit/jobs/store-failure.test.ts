import { describe, expect, test } from 'vitest';
import { RedisDenied, RedisUnavailable, toRedisError } from '../../../adapters/redis/errors.ts';
import { ModelError } from '../../../core/model/model-port.ts';
import { isStoreFailure, StoreAway } from '../../../jobs/store-failure.ts';

const modelError = (message: string, cause?: unknown) =>
	new ModelError('unreachable', message, { transient: true, hint: '', ...(cause === undefined ? {} : { cause }) });
const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('what counts as a failure of our own store', () => {
	test.each([
		['no answer', new RedisUnavailable('timeout', 'no reply in time')],
		['no memory', toRedisError(new Error("OOM command not allowed when used memory > 'maxmemory'."))],
		['read-only', toRedisError(new Error("READONLY You can't write against a read only replica."))],
		['full disk', toRedisError(new Error('MISCONF Redis is configured to save RDB snapshots'))],
		['something not done for that', new StoreAway('a word was not said')],
	])('OPS-15 as our stores tell it: %s', (_, error) => {
		expect(isStoreFailure(error)).toBe(true);
	});

	test.each([
		"OOM command not allowed when used memory > 'maxmemory'.",
		"READONLY You can't write against a read only replica.",
		'MISCONF Errors writing to the AOF file',
		'NOREPLICAS Not enough good replicas to write.',
		'LOADING Redis is loading the dataset in memory',
		'CLUSTERDOWN The cluster is down',
		'MASTERDOWN Link with MASTER is down',
		'Connection is closed.',
		"Stream isn't writeable and enableOfflineQueue options is false",
		'Command timed out',
	])('OPS-15 as the queue library hands it on: %s', (message) => {
		expect(isStoreFailure(new Error(message))).toBe(true);
	});

	test('OPS-15 a call of a model that was refused because the store is away', () => {
		expect(isStoreFailure(modelError('no model is asked', new RedisUnavailable('connection', 'gone')))).toBe(true);
	});

	test.each([
		['another refusal of Redis', new RedisDenied('NOAUTH')],
		['a bug', new TypeError('x is undefined')],
		['a word in the middle of a text', new Error('the room is LOADING')],
		['an error of another kind', coded('model_failed')],
		['no error at all', 'redis_unavailable'],
		['nothing', undefined],
		['an object that looks like one', { code: 'redis_unavailable', message: 'Command timed out' }],
	])('OPS-15 is none: %s', (_, error) => {
		expect(isStoreFailure(error)).toBe(false);
	});

	test.each(['500: timed out waiting for llama runner to start', 'Connection is closed', 'OOM', 'Command timed out'])(
		'OPS-15 a provider’s own words say nothing about our store: %s',
		(words) => {
			expect(isStoreFailure(modelError(words))).toBe(false);
			expect(isStoreFailure(modelError('the provider failed', new Error(words)))).toBe(false);
			expect(isStoreFailure(modelError('the provider failed', coded('ETIMEDOUT', words)))).toBe(false);
		},
	);
});
