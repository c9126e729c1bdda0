import { describe, expect, test } from 'vitest';
import { environmentSchema, environmentSecrets, parseEnvironment, SECRET_VARIABLES } from '../../../config/env.ts';

const problemsOf = (variables: Record<string, string>) => {
	const parsed = parseEnvironment(variables);
	return parsed.ok ? [] : parsed.problems;
};

describe('environment', () => {
	test('OPS-4 nothing set is all defaults, empty texts count as not set, and the result is frozen', () => {
		const parsed = parseEnvironment({ DISCORD_TOKEN: '', ROLE: ' ', UNRELATED: 'x' });
		expect(parsed.ok && parsed.environment).toMatchObject({
			role: 'all',
			redis: 'auto',
			logLevel: 'info',
			dataDir: '.data',
			roomTokens: {},
		});
		expect(parsed.ok && parsed.environment.discordToken).toBeUndefined();
		expect(() => Object.assign(parsed.ok ? parsed.environment : {}, { role: 'bot' })).toThrow();
	});

	test('OPS-4 all wrong variables are named at once and no secret value is repeated', () => {
		const wrong: Record<string, string> = {
			DISCORD_TOKEN: 'Bot sesame-sesame',
			HOME_ASSISTANT_TOKEN: 'sesame sesame',
			ANTHROPIC_API_KEY: 'sesame sesame',
			ADMIN_PASSWORD: 'sesame',
			ADMIN_TOKEN: 'sesame',
			METRICS_TOKEN: 'sesame',
			ROOM_TOKENS: 'living:sesame',
			REDIS_URL: 'http://user:sesame@host',
			ROLE: 'everything',
			LOG_LEVEL: 'loud',
		};
		const problems = problemsOf(wrong);
		expect(problems.map((problem) => problem.path).sort()).toEqual(Object.keys(wrong).sort());
		expect(JSON.stringify(problems)).not.toContain('sesame');
		expect(problems.every((problem) => problem.source === 'environment' && problem.hint.length > 10)).toBe(true);
	});

	test('OPS-4 an application id in place of the token is explained', () => {
		expect(problemsOf({ DISCORD_TOKEN: '123456789012345678' })[0]?.hint).toContain('not its id');
	});

	test('OPS-4 room tokens are read by room; a doubled room or a short token is refused', () => {
		const parsed = parseEnvironment({ ROOM_TOKENS: 'living:aaaaaaaaaaaaaaaa, workshop:bbbbbbbbbbbbbbbb' });
		expect(parsed.ok && { ...parsed.environment.roomTokens }).toEqual({
			living: 'a'.repeat(16),
			workshop: 'b'.repeat(16),
		});
		expect(problemsOf({ ROOM_TOKENS: 'a:aaaaaaaaaaaaaaaa,a:bbbbbbbbbbbbbbbb' })).toHaveLength(1);
		expect(problemsOf({ ROOM_TOKENS: '__proto__:aaaaaaaaaaaaaaaa' })).toHaveLength(1);
	});

	test.each([
		'redis://127.0.0.1:6379',
		'rediss://user:p%40ss@host:6380/2',
		'unix:///tmp/redis.sock',
		'unix:///run/redis/redis.sock',
		'unix://user:password@/run/redis/redis.sock?db=0',
	])('OPS-4 REDIS_URL %s is taken', (url) => expect(problemsOf({ REDIS_URL: url })).toEqual([]));

	test('OPS-8 every secret of the environment is handed to the log, passwords inside addresses too', () => {
		const parsed = parseEnvironment({
			DISCORD_TOKEN: 'token-of-discord',
			ADMIN_PASSWORD: 'open sesame',
			ROOM_TOKENS: 'living:aaaaaaaaaaaaaaaa',
			REDIS_URL: 'redis://me:p%40ssword@host:6379',
		});
		const secrets = parsed.ok ? environmentSecrets(parsed.environment) : [];
		expect(secrets).toEqual(
			expect.arrayContaining(['token-of-discord', 'open sesame', 'a'.repeat(16), 'p%40ssword', 'p@ssword']),
		);
	});

	test('OPS-4 every variable is described', () => {
		for (const [name, schema] of Object.entries(environmentSchema.shape)) expect(schema.description, name).toBeTruthy();
		for (const name of SECRET_VARIABLES) expect(environmentSchema.shape).toHaveProperty(name);
	});

	test('FLT-17 tokens of hosts are one each: no host twice, no token for two, none of them ever shown', () => {
		const token = 'sesame-sesame-sesame';
		const parsed = parseEnvironment({ FLEET_TOKENS: `laptop:${token}, build.example:${token}2` });
		expect(parsed.ok && { ...parsed.environment.fleetTokens }).toEqual({
			laptop: token,
			'build.example': `${token}2`,
		});
		expect(parsed.ok && environmentSecrets(parsed.environment)).toEqual([token, `${token}2`]);
		for (const text of [`a:${token},a:${token}2`, `a:${token},b:${token}`, 'a:short', token]) {
			const problems = problemsOf({ FLEET_TOKENS: text });
			expect(problems.map(({ path }) => path)).toEqual(['FLEET_TOKENS']);
			expect(JSON.stringify(problems)).not.toContain('sesame');
		}
	});

	test('OPS-7 the endpoint of traces is an address without a password, its headers are secrets', () => {
		for (const url of ['ftp://host', 'http://user:sesame@host', 'http://host/?key=sesame', 'host:4318'])
			expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toHaveLength(1);
		for (const headers of ['sesame', 'a=b,c', 'a=%zz', 'a b=c'])
			expect(JSON.stringify(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers }))).not.toContain('sesame');
		const parsed = parseEnvironment({
			OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318',
			OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20sesame,x-team=blue',
		});
		if (!parsed.ok) throw new Error('refused');
		expect(parsed.environment.traceEndpoint).toBe('https://collector.example:4318');
		expect({ ...parsed.environment.traceHeaders }).toEqual({ authorization: 'Bearer sesame', 'x-team': 'blue' });
		expect(environmentSecrets(parsed.environment)).toContain('Bearer sesame');
	});
});
