import { spawn } from 'node:child_process';
import { installPi } from '../test/support/real-pi.ts';

/** Runs the session tests against the real pi coding agent; says why and ends well where it cannot be had. */
async function main(): Promise<number> {
	const installed = await installPi(process.env['MAJORDOMO_DATA'] ?? '.data');
	if ('skipped' in installed) {
		console.log(`skipped: ${installed.skipped}`);
		return 0;
	}
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/real/vitest.config.ts', 'real/pi'];
	const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

process.exitCode = await main();
