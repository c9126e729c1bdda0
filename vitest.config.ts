import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/{unit,contract,property,replay,e2e,fault}/**/*.test.ts'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		reporters: ['default'],
	},
});
