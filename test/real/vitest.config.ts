import { defineConfig } from 'vitest/config';

declare module 'vitest' {
	interface ProvidedContext {
		/** Folder that keeps installations between runs. */
		dataDir: string;
	}
}

export default defineConfig({
	test: {
		root: new URL('../..', import.meta.url).pathname,
		include: ['test/real/**/*.test.ts'],
		testTimeout: 120_000,
		hookTimeout: 1_800_000,
		pool: 'forks',
		fileParallelism: false,
		provide: { dataDir: process.env['MAJORDOMO_DATA'] ?? '.data' },
	},
});
