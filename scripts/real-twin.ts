import { spawn } from 'node:child_process';
import { installTwin } from '../test/support/discord-twin.ts';

/** Runs the Discord scenarios against a stand-in made by others; says why and ends well where it cannot be had. */
async function main(): Promise<number> {
	const installed = await installTwin(process.env['MAJORDOMO_DATA'] ?? '.data');
	if ('skipped' in installed) {
		console.log(`skipped: ${installed.skipped}`);
		return 0;
	}
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/real/vitest.config.ts', 'twin'];
	const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

process.exitCode = await main();
