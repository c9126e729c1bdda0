import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createPiControl } from '../../adapters/fleet/pi/pi-control.ts';
import { fleetSettings } from '../../config/fleet.ts';
import type { Log } from '../../core/ports.ts';
import type { FleetDesks } from '../../jobs/fleet/fleet-desks.ts';
import type { HostWork } from '../../jobs/fleet/session-host.ts';

/** A machine with a coding agent on it, as far as files go. */
export interface AgentPlace {
	readonly root: string;
	/** Where sessions may be started. */
	readonly work: string;
	/** Agents that were started there and still run. */
	running(): Promise<number[]>;
	close(): Promise<void>;
}

export async function createAgentPlace(): Promise<AgentPlace> {
	const root = await mkdtemp(join(tmpdir(), 'majordomo-agents-'));
	await mkdir(join(root, 'work', 'below'), { recursive: true });
	await mkdir(join(root, 'sessions'));
	const run = [resolve('node_modules/tsx/dist/loader.mjs'), resolve('test/support/fake-agent-process.ts')];
	const script = `#!/bin/sh\nexec "${process.execPath}" --import "${run[0]}" "${run[1]}" "$@"\n`;
	await writeFile(join(root, 'pi'), script);
	await chmod(join(root, 'pi'), 0o755);
	return {
		root,
		work: join(root, 'work'),
		async running() {
			const read = (folder: string) => readFile(join(root, folder, 'pids'), 'utf8').catch(() => '');
			const pids = (await read('sessions')) + (await read('data/pi/sessions'));
			return pids
				.split('\n')
				.map(Number)
				.filter((pid) => pid > 0 && isAlive(pid));
		},
		close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
	};
}

/** What a worker needs to run that machine's sessions. */
export function agentHost(host: string, root: string, desks: Pick<FleetDesks, 'reports'>, log: Log): HostWork {
	const { pi } = fleetSettings.parse({
		pi: { command: join(root, 'pi'), directories: [join(root, 'work')], readyTimeoutMs: 60_000 },
	});
	return {
		host,
		directories: () => pi.directories,
		open: () =>
			createPiControl({
				settings: pi,
				host,
				sessionsDir: join(root, 'sessions'),
				env: process.env,
				sink: async (origin, reports) => void (await desks.reports.take(origin, reports)),
				clock: { now: Date.now },
				random: { next: Math.random, id: () => `r${process.pid}-${Math.random().toString(36).slice(2)}` },
				log,
				timing: { resumeMs: 100, endGraceMs: 2_000, aliveMs: 2_000 },
			}),
	};
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
