import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { onboardRealHome, type RealHomeClient } from './real-home-client.ts';
import { realHomeConfig } from './real-home-config.ts';
import { installRealHome } from './real-home-install.ts';

interface RealHomeEntities {
	readonly light: string;
	readonly switch: string;
	readonly cover: string;
	readonly vacuum: string;
	readonly button: string;
	/** A switch that is unavailable while `input_boolean.fickle_plugged` is off. */
	readonly fickle: string;
	/** A second light, safe to rename. */
	readonly secondLight: string;
	/** Its own service answers after a minute. */
	readonly slowScript: string;
}

/** A real Home Assistant on 127.0.0.1 with its demo devices, in a process of its own. */
export interface RealHome {
	readonly url: string;
	/** Long-lived access token, the first one made. */
	readonly token: string;
	/** Release, such as `2024.3.3`. */
	readonly version: string;
	readonly entities: RealHomeEntities;
	readonly owner: RealHomeClient;
	state(entityId: string): Promise<{ readonly state: string } | undefined>;
	/** Ends the process and starts it again on the same port; resolves when all is loaded. */
	restart(): Promise<void>;
	/** Revokes every long-lived token; Home Assistant cuts their connections. */
	revokeToken(): Promise<void>;
	newToken(): Promise<string>;
	stop(): Promise<void>;
}

export interface RealHomeOptions {
	/** Folder that keeps the installation between runs; `real-home` is made inside it. */
	readonly dataDir: string;
	readonly say?: (line: string) => void;
}

/** Installs Home Assistant when needed and starts it; a reason where this machine cannot. Rejects when it was there and broke. */
export async function startRealHome({
	dataDir,
	say = () => undefined,
}: RealHomeOptions): Promise<RealHome | { readonly skipped: string }> {
	const folder = resolve(dataDir, 'real-home');
	const installed = await installRealHome({ folder, say });
	if ('skipped' in installed) return installed;
	await mkdir(join(folder, 'runs'), { recursive: true });
	const configDir = await mkdtemp(join(folder, 'runs', 'run-'));
	const port = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	await writeFile(join(configDir, 'configuration.yaml'), realHomeConfig(port));
	say(`starting Home Assistant ${installed.version} on ${url}`);
	let child = launch(installed.hass, configDir);
	let tokens = 0;

	async function stop(): Promise<void> {
		await end(child);
		await rm(configDir, { recursive: true, force: true });
	}

	try {
		await untilAnswering(url, child, configDir);
		const owner = await onboardRealHome(url);
		const newToken = async () => {
			tokens += 1;
			const wish = { type: 'auth/long_lived_access_token', client_name: `contract ${tokens}`, lifespan: 1 };
			return String(await owner.command(wish));
		};
		await until(() => owner.isRunning(), 'all integrations loaded');
		const token = await newToken();
		return {
			url,
			token,
			version: installed.version,
			entities: await chooseEntities(owner),
			owner,
			state: (entityId) => owner.state(entityId),
			async restart() {
				await end(child);
				child = launch(installed.hass, configDir);
				await untilAnswering(url, child, configDir);
				await until(() => owner.isRunning(), 'all integrations loaded again');
			},
			async revokeToken() {
				const all = (await owner.command({ type: 'auth/refresh_tokens' })) as { id: string; type: string }[];
				for (const { id, type } of all) {
					if (type !== 'long_lived_access_token') continue;
					await owner.command({ type: 'auth/delete_refresh_token', refresh_token_id: id });
				}
			},
			newToken,
			stop,
		};
	} catch (error) {
		const log = await readFile(join(configDir, 'output.log'), 'utf8').catch(() => '');
		await stop();
		throw new Error(`Home Assistant did not come up: ${String(error)}\n${log.slice(-2_000)}`);
	}
}

function launch(hass: string, configDir: string): ChildProcess {
	const child = spawn(hass, ['--config', configDir], { stdio: ['ignore', 'pipe', 'pipe'] });
	const log = createWriteStream(join(configDir, 'output.log'), { flags: 'a' });
	log.on('error', () => undefined);
	child.stdout?.pipe(log, { end: false });
	child.stderr?.pipe(log, { end: false });
	child.on('error', () => undefined);
	return child;
}

const endDeadlineMs = 30_000;

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = new Promise<void>((done) => child.once('exit', () => done()));
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), endDeadlineMs);
	await gone;
	clearTimeout(timer);
}

async function untilAnswering(url: string, child: ChildProcess, configDir: string): Promise<void> {
	await until(async () => {
		if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}, see ${configDir}/output.log`);
		const response = await fetch(`${url}/api/onboarding`, { signal: AbortSignal.timeout(5_000) }).catch(
			() => undefined,
		);
		await response?.body?.cancel();
		return response?.status === 200;
	}, 'an answer over HTTP');
}

const startDeadlineMs = 240_000;

/** Polls; a check that throws ends the wait, except for refused connections, which `check` itself must catch. */
async function until(check: () => Promise<boolean>, what: string): Promise<void> {
	const giveUpAt = Date.now() + startDeadlineMs;
	while (!(await check())) {
		if (Date.now() > giveUpAt) throw new Error(`did not happen in time: ${what}`);
		await new Promise((done) => setTimeout(done, 250));
	}
}

/** Chosen by what they can do, because their names differ between releases. */
async function chooseEntities(owner: RealHomeClient): Promise<RealHomeEntities> {
	const states = await owner.states();
	const pick = (domain: string, fits: (attributes: Readonly<Record<string, unknown>>) => boolean, skip = 0) => {
		const fitting = states.filter(({ entity_id: id, attributes }) => id.startsWith(`${domain}.`) && fits(attributes));
		const chosen = fitting[skip]?.entity_id;
		if (chosen === undefined) throw new Error(`no ${domain} that fits among the demo devices`);
		return chosen;
	};
	const has = (bits: number) => (attributes: Readonly<Record<string, unknown>>) =>
		(Number(attributes['supported_features']) & bits) === bits;
	const colourful = ({ supported_color_modes: modes }: Readonly<Record<string, unknown>>) =>
		Array.isArray(modes) && (modes.includes('hs') || modes.includes('rgb'));
	return {
		light: pick('light', colourful),
		secondLight: pick('light', colourful, 1),
		switch: pick('switch', ({ friendly_name: name }) => name !== 'fickle'),
		// Opens, closes, goes to positions and stops.
		cover: pick('cover', has(1 + 2 + 4 + 8)),
		// Pauses, returns to its base and starts.
		vacuum: pick('vacuum', has(4 + 16 + 8_192)),
		button: pick('button', () => true),
		fickle: 'switch.fickle',
		slowScript: 'script.slow',
	};
}

async function findFreePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	await new Promise<void>((closed) => server.close(() => closed()));
	return port;
}
