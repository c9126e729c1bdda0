import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const limits = { timeout: 120_000, maxBuffer: 10_000_000 };
/** Inside the project, so that packages are found from there. */
mkdirSync('.data', { recursive: true });
const folder = mkdtempSync(resolve('.data', 'governance-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that judges one packet with the constitution and prints the outcome. */
function program(root: string, ending: string): string {
	const from = (path: string) => JSON.stringify(pathToFileURL(join(root, `${path}.${ending}`)).href);
	return `
		import { createPrologGovernance } from ${from('adapters/governance/prolog')};
		import { readPolicyFolder } from ${from('adapters/governance/policy-folder')};
		const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
		const policyFiles = readPolicyFolder(${JSON.stringify(join(root, 'config/governance'))});
		const governance = createPrologGovernance({ policyFiles, log, now: Date.now });
		const articles = await governance.start();
		const verdict = await governance.evaluate({ packetId: 'p', facts: '', metadata: "packet_to('U:PM').\\n" });
		console.log(JSON.stringify([articles.length > 10, verdict.findings.some((found) => found.article === 'only_to_analyst')]));
		await governance.close();`;
}

test('INT-10 the rules run from the compiled program, with only what the build puts there', async () => {
	const tsc = 'node_modules/typescript-native/bin/tsc';
	await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', folder], limits).catch(() => undefined);
	await run(process.execPath, ['scripts/copy-assets.mjs', folder], limits);
	const code = ['--input-type=module', '-e', program(folder, 'js')];
	const { stdout } = await run(process.execPath, code, { ...limits, cwd: '/' });
	expect(JSON.parse(stdout)).toEqual([true, true]);
}, 300_000);

test('INT-10 the rules run from the sources under tsx', async () => {
	const code = ['node_modules/tsx/dist/cli.mjs', '--input-type=module', '-e', program(resolve('.'), 'ts')];
	const { stdout } = await run(process.execPath, code, limits);
	expect(JSON.parse(stdout)).toEqual([true, true]);
}, 300_000);
