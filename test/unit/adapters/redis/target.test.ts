import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadRedisUrl, describeTarget, parseRedisUrl } from '../../../../adapters/redis/target.ts';

describe('REDIS_URL', () => {
	test.each([
		['redis://cache.example', { kind: 'tcp', host: 'cache.example', port: 6379, tls: false }],
		[
			'rediss://ana:p%40ss@cache.example:6380/2',
			{ kind: 'tcp', host: 'cache.example', port: 6380, username: 'ana', password: 'p@ss', db: 2, tls: true },
		],
		['redis://:secret@[::1]:7000', { kind: 'tcp', host: '::1', port: 7000, password: 'secret', tls: false }],
		['unix:///run/redis.sock?db=3', { kind: 'socket', path: '/run/redis.sock', db: 3 }],
		[
			'redis+sentinel://:secret@a:26380,b/main/1',
			{
				kind: 'sentinel',
				master: 'main',
				nodes: [
					{ host: 'a', port: 26380 },
					{ host: 'b', port: 26379 },
				],
				password: 'secret',
				db: 1,
				tls: false,
			},
		],
		[
			'rediss+cluster://ana:secret@a:7000,b:7001',
			{
				kind: 'cluster',
				nodes: [
					{ host: 'a', port: 7000 },
					{ host: 'b', port: 7001 },
				],
				username: 'ana',
				password: 'secret',
				tls: true,
			},
		],
	])('OPS-2 %s is understood', (url, target) => {
		expect(parseRedisUrl(url)).toEqual(target);
	});

	test.each([
		'127.0.0.1:6379',
		'http://cache.example',
		'redis://',
		'redis://a,b',
		'redis://a:70000',
		'redis://a/x',
		'unix://run/redis.sock',
		'redis+sentinel://a:26379',
		'redis+cluster://a/1',
		'redis://:%zz@a',
		'',
	])('OPS-2 %s is refused with the forms that work', (url) => {
		expect(() => parseRedisUrl(url)).toThrow(BadRedisUrl);
		expect(() => parseRedisUrl(url)).toThrow(/rediss:\/\//);
	});

	test('OPS-8 neither the description nor an error repeats user or password', () => {
		const word = fc.stringMatching(/^[a-zA-Z0-9!$&*+.-]{9,20}$/);
		fc.assert(
			fc.property(
				word,
				fc.constantFrom('redis', 'rediss', 'redis+sentinel', 'redis+cluster'),
				fc.boolean(),
				(secret, scheme, broken) => {
					const url = `${scheme}://who${secret}:${secret}@host.example:${broken ? 'port' : 6379}${scheme === 'redis+sentinel' ? '/m' : ''}`;
					let text: string;
					try {
						text = describeTarget(parseRedisUrl(url));
					} catch (error) {
						text = String(error);
					}
					expect(text).not.toContain(secret);
				},
			),
		);
	});

	test('OPS-2 the description of a target tells host and database', () => {
		expect(describeTarget(parseRedisUrl('rediss://ana:x@h.example:1/2'))).toBe('rediss://h.example:1/2');
		expect(describeTarget(parseRedisUrl('redis+sentinel://a,b/main'))).toBe('redis+sentinel://a:26379,b:26379/main');
		expect(describeTarget(parseRedisUrl('unix:///x/y.sock'))).toBe('unix:/x/y.sock');
	});
});
