import { defineConfig } from 'vitest/config';

/** `npm run coverage:intake`: the tests of the intake alone, and how much of its code they run. */
export default defineConfig({
	root: process.cwd(),
	test: {
		include: [
			'test/unit/{core,config,bot,jobs}/intake*/**/*.test.ts',
			'test/unit/{prompts,evals}/intake*.test.ts',
			'test/unit/adapters/{governance,inbox}/**/*.test.ts',
			'test/contract/{intake,governance}/**/*.test.ts',
			'test/property/intake/**/*.test.ts',
			'test/replay/intake/**/*.test.ts',
			'test/e2e/intake{,-bot,-personas}/**/*.test.ts',
			'test/fault/intake/**/*.test.ts',
		],
		// Runs in processes of its own, which are not counted.
		exclude: ['test/contract/governance/ways-to-run.test.ts'],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		pool: 'forks',
		retry: process.env['CI'] ? 1 : 0,
		reporters: ['default'],
		coverage: {
			enabled: true,
			reportOnFailure: true,
			provider: 'v8',
			include: [
				'core/intake/**/*.ts',
				'jobs/intake/**/*.ts',
				'bot/intake/**/*.ts',
				'adapters/redis/intake/**/*.ts',
				'adapters/http/cxp/**/*.ts',
				'adapters/governance/**/*.ts',
				'adapters/inbox/**/*.ts',
			],
			exclude: ['test/**'],
			thresholds: { lines: 95, branches: 90 },
			reporter: ['text', 'json-summary', 'json'],
			reportsDirectory: '.data/coverage/intake',
		},
	},
});
