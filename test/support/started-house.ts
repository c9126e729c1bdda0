import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeTarget } from '../../adapters/redis/target.ts';
import { startChild, type TestChild } from './child.ts';
import type { ProcessHouse } from './process-house.ts';
import { eventually } from './redis.ts';

type LogRow = Readonly<Record<string, unknown>>;

/** `npm start`, as an operator runs it: settings in a file, secrets in the environment, JSON lines on standard output. */
export interface StartedProcess {
	readonly child: TestChild;
	/** What it logged; lines that are no JSON are none of its log and count as a failure. */
	rows(): LogRow[];
	/** Everything that it ever printed. */
	output(): string;
}

export interface StartedHouse {
	start(role: 'all' | 'bot' | 'worker', variables?: NodeJS.ProcessEnv): Promise<StartedProcess>;
	/** Starts it with what cannot work and waits for its end. */
	fail(variables: NodeJS.ProcessEnv, settings?: string): Promise<StartedProcess>;
	stop(): Promise<void>;
}

const UP_MS = 60_000;

export async function openStartedHouse(house: ProcessHouse): Promise<StartedHouse> {
	const folder = await mkdtemp(join(tmpdir(), 'mj-started-'));
	const path = join(folder, 'majordomo.yaml');
	await writeFile(path, JSON.stringify(house.settings));
	const children: TestChild[] = [];
	const base = {
		PATH: process.env['PATH'],
		HOME: process.env['HOME'],
		DISCORD_TOKEN: house.discord.token,
		HOME_ASSISTANT_TOKEN: house.home.token,
		ADMIN_PASSWORD: 'only-for-tests-0123',
		INTAKE_KEYS: `test:${'A'.repeat(43)}=`,
		REDIS_URL: describeTarget(house.redis.where).replace('unix:', 'unix://'),
		MAJORDOMO_CONFIG: path,
		MAJORDOMO_DATA: folder,
		LOG_FORMAT: 'json',
	};
	const run = (variables: NodeJS.ProcessEnv): StartedProcess => {
		const child = startChild('main.ts', [], { ...base, ...variables });
		children.push(child);
		return {
			child,
			rows: () => child.lines.map((line) => JSON.parse(line) as LogRow),
			output: () => `${child.lines.join('\n')}\n${child.stderr()}`,
		};
	};
	return {
		async start(role, variables = {}) {
			const started = run({ ROLE: role, ...variables });
			await eventually(
				`the ${role} process is up`,
				() => {
					if (started.child.process.exitCode !== null) throw new Error(`it ended: ${started.output()}`);
					return started.rows().some(({ msg }) => msg === 'the household is up');
				},
				UP_MS,
			);
			return started;
		},
		async fail(variables, settings) {
			const own = join(folder, `failing-${children.length}.yaml`);
			if (settings !== undefined) await writeFile(own, settings);
			const started = run({ ...(settings === undefined ? {} : { MAJORDOMO_CONFIG: own }), ...variables });
			await eventually('it gives up', () => started.child.process.exitCode !== null, UP_MS);
			return started;
		},
		async stop() {
			await Promise.all(children.map((child) => child.end('SIGTERM')));
			await rm(folder, { recursive: true, force: true });
		},
	};
}
