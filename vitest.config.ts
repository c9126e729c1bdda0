import { defineConfig } from 'vitest/config';

/** Whole stretches of life end to end; `npm run test:long` runs them, as `npm test` is to be over within minutes. */
const LONG = 'test/e2e/{fleet,fleet-bot,intake-personas,observe,operations,reporters}/**/*.test.ts';

// Killing processes takes minutes: those tests have a command of their own, `npm run test:faults`.
const files = process.env['FAULT_POINTS']
	? [
			'test/fault/**/*.test.ts',
			// Faults that are quick enough for both.
			'test/e2e/household/{home,model}-trouble.test.ts',
			'test/e2e/bot/connection.test.ts',
			'test/contract/redis/ledger.test.ts',
		]
	: process.env['LONG_TESTS']
		? [LONG]
		: ['test/{unit,contract,property,replay,e2e}/**/*.test.ts'];

/** A file that is named on the command line is run, long or not. */
const isNamed = process.argv.some((word) => word.startsWith('test/'));

export default defineConfig({
	test: {
		include: files,
		exclude: files.includes(LONG) || isNamed ? [] : [LONG],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		// Many tests wait for real processes and sockets, so more of them than cores are in work; faults want the machine alone.
		maxWorkers: process.env['FAULT_POINTS'] ? 1 : 3,
		// A machine that stalls for a moment is no finding, and the report names what needed a second try. Faults get none: one
		// double act in a hundred would be one too many.
		retry: process.env['CI'] && !process.env['FAULT_POINTS'] ? 1 : 0,
		reporters: ['default'],
	},
});
