import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSystemClock } from '../adapters/observe/clock.ts';
import { createLog } from '../adapters/observe/log.ts';
import { findRedis } from '../adapters/redis/server/find-redis.ts';
import { parseEnvironment } from '../config/env.ts';
import { type Household, startHousehold } from '../main.ts';
import { DEFAULT_PORTS, openRehearsalHouse, type RehearsalHouse } from './house.ts';
import { startDemoSessions } from './sessions/demo-sessions.ts';
import { writePiLauncher } from './sessions/pi/pi-launcher.ts';
import type { FleetRehearsal } from './settings.ts';

/** A second signal sooner than this is the first one again. */
const IMPATIENT_AFTER_MS = 1_000;
/** Pace of the scripted coding sessions. */
const STEP_MS = 4_000;

/** Starts the rehearsal house and the real bot in it; Ctrl-C ends both and leaves nothing running. */
async function main(): Promise<void> {
	const say = (line: string) => process.stdout.write(`${line}\n`);
	say('Majordomo, rehearsal house. Everything stays on this machine.');
	const log = createLog({ level: process.env.LOG_LEVEL === 'debug' ? 'debug' : 'warn', format: 'pretty' });
	const dataDir = process.env.MAJORDOMO_DATA ?? '.data';
	const adminPassword = process.env.ADMIN_PASSWORD ?? randomBytes(9).toString('base64url');

	const redis = await findRedis({
		dataDir,
		env: process.env,
		allowEphemeral: true,
		report: (step) => say(`  ${step}`),
	});
	say(`  Redis: ${redis.how}`);
	let house: RehearsalHouse | undefined;
	let household: Household | undefined;
	let sessions: { stop(): Promise<void> } | undefined;
	let stoppingSince: number | undefined;
	const stop = async (code: number): Promise<void> => {
		// One Ctrl-C may arrive twice, from the terminal and from npm or tsx; only a later one is impatience.
		if (stoppingSince !== undefined) {
			if (performance.now() - stoppingSince > IMPATIENT_AFTER_MS) process.exit(1);
			return;
		}
		stoppingSince = performance.now();
		say('\nStopping …');
		setTimeout(() => process.exit(1), 20_000).unref();
		await sessions?.stop();
		await household?.stop();
		await house?.close();
		await redis.stop();
		process.exit(code);
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));

	try {
		const ports = portsFrom(process.env.MAJORDOMO_DEMO_PORT);
		house = await openRehearsalHouse({
			ports,
			env: process.env,
			sidePanels: [{ title: 'Why', url: `http://127.0.0.1:${ports.http}/admin` }],
			fleet: await fleetRehearsal(dataDir, process.env.MAJORDOMO_DEMO_PI),
		});
		say(`  Thinking with ${house.thinking.says}`);
		const fleetToken = process.env.MAJORDOMO_DEMO_TOKEN ?? randomBytes(24).toString('hex');
		const parsed = parseEnvironment({
			MAJORDOMO_DATA: dataDir,
			ADMIN_PASSWORD: adminPassword,
			INTAKE_KEYS: `demo:${readOrMakeKey(dataDir)}`,
			FLEET_TOKENS: `laptop:${fleetToken}`,
		});
		if (!parsed.ok) throw new Error('MAJORDOMO_DEMO_TOKEN must have at least 16 characters and no spaces');
		// Keys of its own, so that a real house in the same folder finds nothing of the rehearsal, and the two may run side by side.
		const settings = { ...house.settings, redis: { ...house.settings.redis, prefix: 'demo' } };
		const environment = { ...parsed.environment, ...house.secrets };
		const frameAncestors = [house.discord.url];
		const start = () => startHousehold({ settings: () => settings, environment, redis, log, frameAncestors });
		household = await start();
		sessions = startDemoSessions({
			url: household.httpUrl,
			token: fleetToken,
			stepMs: Number(process.env.MAJORDOMO_DEMO_STEP_MS ?? STEP_MS),
			clock: createSystemClock(),
			// While the bot is away they cannot reach it, and that is no news.
			log: { ...log, warn: log.debug },
			newId: randomUUID,
		});
		let restarting = false;
		// The house stands while its bot is away: what people write meanwhile is caught up with.
		process.on('SIGUSR2', () => {
			if (restarting || stoppingSince !== undefined) return;
			restarting = true;
			say('  Restarting the bot …');
			const again = async () => {
				await household?.stop();
				household = await start();
				say('  The bot is back.');
			};
			again()
				.catch((error: unknown) => {
					say(`  The bot did not come back: ${error instanceof Error ? error.message : String(error)}`);
					return stop(1);
				})
				.finally(() => {
					restarting = false;
				});
		});
		say('');
		say(`  Open ${house.discord.url}  and write as alex: overseer, turn the shelf lamp off`);
		say('  Or write in #intake what you want built: I want a shop for handmade mugs with a cart');
		say('  Or go to #fleet, where four coding sessions report; /concierge on wakes who keeps an eye on them');
		say(`  Sessions of your own report with MAJORDOMO_URL=${household.httpUrl} MAJORDOMO_TOKEN=${fleetToken}`);
		say(`  Panel and queues: ${household.httpUrl}/admin  ${household.httpUrl}/queues  password ${adminPassword}`);
		if (redis.kind === 'ephemeral') say('  NOTE: no Redis was found, so nothing is kept when this ends.');
		say(`  Ctrl-C stops everything; kill -USR2 ${process.pid} restarts the bot alone.`);
	} catch (error) {
		say(`  ${whyNot(error)}`);
		await stop(1);
	}
}

/** Why it does not open, with the way out where the ports are in the way. */
function whyNot(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	const isPort = /EADDRINUSE|is in use/.test(message);
	return isPort ? `${message}\n  Other ports, four in a row: MAJORDOMO_DEMO_PORT=9000 npm run demo` : message;
}

/** Intakes of an earlier rehearsal stay readable. */
function readOrMakeKey(dataDir: string): string {
	const path = join(dataDir, 'demo-intake.key');
	if (!existsSync(path)) {
		mkdirSync(dataDir, { recursive: true });
		writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 });
	}
	return readFileSync(path, 'utf8');
}

/** Folders and a command for `/session start`: the scripted pi unless another is named. */
async function fleetRehearsal(dataDir: string, wanted: string | undefined): Promise<FleetRehearsal> {
	const directories = ['shop', 'website'].map((name) => resolve(dataDir, 'demo-projects', name));
	for (const directory of directories) {
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, 'README.md'), 'A folder for coding sessions of the rehearsal house.\n');
	}
	return { piCommand: wanted ?? (await writePiLauncher(join(dataDir, 'demo-bin'))), directories };
}

/** Four ports in a row from the given one; the usual ones when nothing is given. */
function portsFrom(first: string | undefined) {
	if (first === undefined) return DEFAULT_PORTS;
	const base = Number(first);
	if (!Number.isInteger(base) || base < 1_024 || base > 65_000)
		throw new Error(`MAJORDOMO_DEMO_PORT must be a port from 1024 to 65000, not ${first}`);
	return { discord: base, home: base + 1, model: base + 2, http: base + 3 };
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
});
