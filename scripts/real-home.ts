import { spawn } from 'node:child_process';
import { startRealHome } from '../test/support/real-home.ts';

/** Runs the tests against a real Home Assistant; prints why and ends well where this machine cannot have one. */
async function main(): Promise<number> {
	const dataDir = process.env['MAJORDOMO_DATA'] ?? '.data';
	const first = await startRealHome({ dataDir, say: (line) => console.log(line) });
	if ('skipped' in first) {
		console.log(`skipped: ${first.skipped}`);
		return 0;
	}
	await first.stop();
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/real/vitest.config.ts', 'home'];
	const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

process.exitCode = await main();
