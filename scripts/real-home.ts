import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installRealHome } from '../test/support/real-home-install.ts';

/** Runs the tests against a real Home Assistant; prints why and ends well where this machine cannot have one. */
async function main(): Promise<number> {
	const dataDir = process.env['MAJORDOMO_DATA'] ?? '.data';
	const installed = await installRealHome({ folder: join(dataDir, 'real-home'), say: (line) => console.log(line) });
	if ('skipped' in installed) {
		console.log(`skipped: ${installed.skipped}`);
		return 0;
	}
	console.log(`Home Assistant ${installed.version} on Python ${installed.python}`);
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/real/vitest.config.ts', 'home'];
	const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

process.exitCode = await main();
