import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fleetSettings } from '../../config/fleet.ts';
import { createLoopbackAnthropic } from '../../demo/model/loopback-anthropic.ts';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';

const PI_VERSION = '0.73.1';
const PACKAGE = '@mariozechner/pi-coding-agent';
const INSTALL_DEADLINE_MS = 900_000;

/** Installs pi into its own folder unless it is there; answers with why not, where it cannot be had. */
export async function installPi(dataDir: string): Promise<{ command: string } | { skipped: string }> {
	const folder = resolve(dataDir, 'real-pi');
	const command = join(folder, 'node_modules/.bin/pi');
	const isThere = await access(command).then(
		() => true,
		() => false,
	);
	if (isThere) return { command };
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ private: true, dependencies: { [PACKAGE]: PI_VERSION } }),
	);
	const problem = await npmInstall(folder);
	return problem === undefined ? { command } : { skipped: `${PACKAGE} ${PI_VERSION}: ${problem}` };
}

function npmInstall(cwd: string): Promise<string | undefined> {
	const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-workspaces', '--loglevel', 'error'];
	return new Promise((done) => {
		const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
		let complaint = '';
		const deadline = setTimeout(() => child.kill('SIGKILL'), INSTALL_DEADLINE_MS);
		child.stderr.on('data', (chunk) => {
			complaint = (complaint + chunk).slice(-2_000);
		});
		child.once('error', (error) => {
			clearTimeout(deadline);
			done(error.message);
		});
		child.once('exit', (code) => {
			clearTimeout(deadline);
			done(code === 0 ? undefined : `npm ended with ${code}: ${complaint.trim()}`);
		});
	});
}

/** A home for pi: its settings folder points at a loopback model, beside folders to work and to keep sessions in. */
export async function createPiHome(command: string, chunkDelayMs = 0) {
	const root = await mkdtemp(join(tmpdir(), 'majordomo-pi-'));
	const folders = { agent: join(root, 'agent'), work: join(root, 'work'), sessions: join(root, 'sessions') };
	for (const folder of Object.values(folders)) await mkdir(folder);
	const model: LoopbackModel = await createLoopbackAnthropic({ chunkDelayMs });
	const cost = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
	const models = {
		providers: {
			loopback: {
				baseUrl: model.url,
				api: 'anthropic-messages',
				apiKey: 'not-a-real-key',
				models: [{ id: 'scripted-1', contextWindow: 32_000, maxTokens: 2_048, cost }],
			},
		},
	};
	await writeFile(join(folders.agent, 'models.json'), JSON.stringify(models));
	await writeFile(join(folders.agent, 'settings.json'), JSON.stringify({ retry: { maxRetries: 1, baseDelayMs: 100 } }));
	const { pi: settings } = fleetSettings.parse({
		pi: { command, directories: [folders.work], provider: 'loopback', model: 'scripted-1', readyTimeoutMs: 90_000 },
	});
	return {
		...folders,
		model,
		settings,
		env: { PATH: process.env['PATH'], HOME: root, PI_CODING_AGENT_DIR: folders.agent },
		async close() {
			await model.close();
			await rm(root, { recursive: true, force: true });
		},
	};
}
