import { describe, expect, test } from 'vitest';
import { assessPolicy, parseInfo } from '../../../../adapters/redis/policy.ts';

const GOOD = { redis_version: '7.0.15', aof_enabled: '1', used_memory: '10', maxmemory: '0' };
const codes = (info: Record<string, string>, config: { eviction?: string; save?: string }, allowEviction = false) =>
	assessPolicy(info, config, { allowEviction }).findings.map(({ severity, code }) => `${severity} ${code}`);

describe('what a Redis does with our data', () => {
	test('Q09 noeviction and an append-only file need no word', () => {
		const report = assessPolicy(GOOD, { eviction: 'noeviction', save: '' }, { allowEviction: false });
		expect(report).toMatchObject({
			version: '7.0.15',
			flavour: 'redis',
			eviction: 'noeviction',
			persistence: 'aof',
			findings: [],
		});
	});

	test.each(['allkeys-lru', 'volatile-ttl', 'allkeys-random'])(
		'Q09 %s is refused, and only a warning where it is allowed',
		(eviction) => {
			expect(codes(GOOD, { eviction })).toEqual(['error evicts']);
			expect(codes(GOOD, { eviction }, true)).toEqual(['warning evicts']);
		},
	);

	test('Q09 a server that does not tell is not refused', () => {
		expect(codes(GOOD, {})).toEqual(['warning policy_unknown']);
		expect(codes({}, {})).toEqual(['warning policy_unknown', 'info persistence_unknown']);
	});

	test('OPS-3 an old version is refused, Valkey is measured by its own number', () => {
		expect(codes({ ...GOOD, redis_version: '6.0.16' }, { eviction: 'noeviction' })).toEqual(['error too_old']);
		expect(codes({ ...GOOD, redis_version: '6.2.0' }, { eviction: 'noeviction' })).toEqual([]);
		const valkey = assessPolicy(
			{ ...GOOD, redis_version: '7.2.4', valkey_version: '8.1.1' },
			{},
			{ allowEviction: false },
		);
		expect(valkey).toMatchObject({ flavour: 'valkey', version: '8.1.1' });
	});

	test('OPS-3 a server that keeps nothing, is nearly full or cannot write is named', () => {
		const off = { ...GOOD, aof_enabled: '0' };
		expect(codes(off, { eviction: 'noeviction', save: '' })).toEqual(['warning not_kept']);
		expect(codes(off, { eviction: 'noeviction', save: '3600 1' })).toEqual([]);
		expect(codes({ ...GOOD, used_memory: '80', maxmemory: '100' }, { eviction: 'noeviction' })).toEqual([
			'warning memory_high',
		]);
		expect(codes({ ...GOOD, aof_last_write_status: 'err' }, { eviction: 'noeviction' })).toEqual([
			'warning write_errors',
		]);
	});

	test('OPS-3 INFO is read line by line', () => {
		expect(parseInfo('# Server\r\nredis_version:7.0.15\r\nexecutable:/a:b\r\n\r\n')).toEqual({
			redis_version: '7.0.15',
			executable: '/a:b',
		});
	});
});
