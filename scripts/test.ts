import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { findServerBinary } from '../adapters/redis/server/find-redis.ts';

/**
 * `npm test`: finds a Redis server for the tests (fetching it on a bare Debian), runs vitest with any further arguments,
 * and ends with one line `N passed, N failed`.
 */
const reportSchema = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numPendingTests: z.number(),
	numTodoTests: z.number().optional(),
	testResults: z.array(
		z.object({
			name: z.string(),
			status: z.string(),
			assertionResults: z.array(z.unknown()),
			message: z.string().optional(),
		}),
	),
});

interface Tally {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** A file that could not be loaded has no tests in the report and yet is a failure; so is an exit code nobody explains. */
function tally(report: unknown, exitCode: number): Tally {
	const parsed = reportSchema.safeParse(report);
	if (!parsed.success) return { passed: 0, failed: 1, skipped: 0 };
	const { numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0, testResults } = parsed.data;
	const unloadable = testResults.filter(
		(file) => file.status === 'failed' && file.assertionResults.length === 0,
	).length;
	const failed = numFailedTests + unloadable;
	const unexplained = exitCode !== 0 && failed === 0 ? 1 : 0;
	if (unexplained) console.log(`\nvitest ended with code ${exitCode} although no test failed: see the errors above.`);
	return { passed: numPassedTests, failed: failed + unexplained, skipped: numPendingTests + numTodoTests };
}

/** Undefined when vitest was ended before it had written its report. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

async function redisEnvironment(): Promise<Record<string, string>> {
	if (process.env.REDIS_URL) console.log('Tests use the Redis of REDIS_URL, each file under a prefix of its own.');
	const binary = await findServerBinary({
		dataDir: resolve('.data'),
		env: process.env,
		report: (step) => console.log(step),
	});
	if (!binary) {
		console.log('No Redis server was found and none could be fetched; install redis-server or valkey.');
		return {};
	}
	console.log(`Tests start ${binary.flavour} ${binary.version} (${binary.path}) where they need one.`);
	return { TEST_REDIS_BINARY: binary.path, TEST_REDIS_LIBRARIES: binary.libraryPath ?? '' };
}

async function runVitest(outputFile: string, environment: Record<string, string>): Promise<number> {
	const vitest = resolve('node_modules', 'vitest', 'vitest.mjs');
	const args = [
		'run',
		'--reporter=default',
		'--reporter=json',
		`--outputFile.json=${outputFile}`,
		...process.argv.slice(2),
	];
	const child = spawn(process.execPath, [vitest, ...args], {
		stdio: 'inherit',
		env: { ...process.env, ...environment },
	});
	// Ctrl-C reaches vitest too, which ends its own processes; this one waits to count.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
	return await new Promise((done) => {
		child.on('error', (error) => {
			console.error(error.message);
			done(1);
		});
		child.on('exit', (code) => done(code ?? 1));
	});
}

const folder = await mkdtemp(join(tmpdir(), 'mj-tests-'));
const outputFile = join(folder, 'report.json');
const exitCode = await runVitest(outputFile, await redisEnvironment());
const text = await readFile(outputFile, 'utf8').catch(() => '');
await rm(folder, { recursive: true, force: true });
const { passed, failed, skipped } = tally(parseJson(text), exitCode);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || exitCode !== 0 ? 1 : 0;
