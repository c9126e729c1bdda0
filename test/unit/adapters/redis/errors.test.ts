import { describe, expect, test } from 'vitest';
import { toRedisError } from '../../../../adapters/redis/errors.ts';

describe('errors of Redis', () => {
	test.each([
		["OOM command not allowed when used memory > 'maxmemory'.", 'redis_refuses_writes', 'out_of_memory'],
		[
			'ERR Error running script (call to f_1): @user_script:5: -OOM command not allowed when used memory',
			'redis_refuses_writes',
			'out_of_memory',
		],
		["READONLY You can't write against a read only replica.", 'redis_refuses_writes', 'read_only'],
		['MISCONF Errors writing to the AOF file: No space left on device', 'redis_refuses_writes', 'disk'],
		['NOREPLICAS Not enough good replicas to write.', 'redis_refuses_writes', 'no_replicas'],
		['LOADING Redis is loading the dataset in memory', 'redis_unavailable', 'loading'],
		['CLUSTERDOWN The cluster is down', 'redis_unavailable', 'loading'],
		['Command timed out', 'redis_unavailable', 'timeout'],
		['Connection is closed.', 'redis_unavailable', 'connection'],
		["Stream isn't writeable and enableOfflineQueue options is false", 'redis_unavailable', 'connection'],
		['NOAUTH Authentication required.', 'redis_denied', undefined],
		['NOPERM this user has no permissions to run the eval command', 'redis_denied', undefined],
	])('OPS-15 "%s" is %s', (message, code, reason) => {
		const error = toRedisError(new Error(message));
		expect(error).toMatchObject({ code });
		expect('reason' in error ? error.reason : undefined).toBe(reason);
		expect(error.cause).toBeInstanceOf(Error);
	});

	test('OPS-15 an error of our own making is handed on as it is', () => {
		const bug = new Error('ERR wrong number of arguments');
		expect(toRedisError(bug)).toBe(bug);
	});
});
