import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandData } from '../../../bot/commands/data.ts';
import { fleetCommandData } from '../../../bot/commands/fleet-data.ts';
import { intakeCommandData } from '../../../bot/commands/intake-data.ts';
import type { Settings } from '../../../config/schema.ts';
import type { Finding } from '../../../core/operations/finding.ts';
import type { AreaReport } from '../../../core/operations/report.ts';
import type { BotSeed } from '../../../demo/discord/layout.ts';
import { defaultBotPermissions } from '../../../demo/discord/layout.ts';
import { createLoopbackDiscord } from '../../../demo/discord/server.ts';
import { createLoopbackHome } from '../../../demo/home/loopback-home.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { rehearsalSettings } from '../../../demo/settings.ts';
import { examine } from '../../../scripts/doctor/examine.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

export interface Examined {
	readonly areas: readonly AreaReport[];
	readonly findings: readonly Finding[];
	/** `severity code` of errors and warnings. */
	readonly troubles: readonly string[];
	/** The one finding with this code; fails when there is none. */
	finding(code: string): Finding;
}

/** The rehearsal house without its bot, a settings file and an environment that fit it: something to break. */
export async function openDoctorRig(options: { bot?: Partial<BotSeed>; models?: string[] } = {}) {
	const dir = await mkdtemp(join(tmpdir(), 'mj-doctor-'));
	const redis = await startTestRedis({ own: true });
	const permissions = [...defaultBotPermissions, 'ChangeNickname'];
	const discord = await createLoopbackDiscord({ bots: [{ name: 'Majordomo', permissions, ...options.bot }] });
	const home = await createLoopbackHome({});
	const ollama = await createLoopbackOllama({ port: 0, models: options.models ?? ['scripted:latest', 'tiny:1b'] });
	await registerCommands(discord);
	return {
		dir,
		redis,
		discord,
		home,
		ollama,
		variables: {
			PATH: process.env.PATH,
			DISCORD_TOKEN: discord.token,
			HOME_ASSISTANT_TOKEN: home.token,
			REDIS_URL: urlOf(redis),
			INTAKE_KEYS: `main:${randomBytes(32).toString('base64')}`,
			MAJORDOMO_DATA: dir,
		} as Record<string, string | undefined>,
		/** Looks at the house as it is now, with changes to its settings and variables. */
		async examine(
			change: (settings: Settings) => void = () => undefined,
			more: {
				variables?: Record<string, string | undefined>;
				now?: () => number;
				yaml?: string;
				deadlineMs?: number;
			} = {},
		): Promise<Examined> {
			const model = { provider: 'ollama' as const, name: 'scripted:latest', ollama: { url: ollama.url } };
			const settings = structuredClone(
				rehearsalSettings({ discord, homeUrl: home.url, model: model as never, httpPort: 0 }),
			);
			change(settings);
			const path = join(dir, 'majordomo.yaml');
			await writeFile(path, more.yaml ?? JSON.stringify(settings));
			const areas = await examine({
				variables: { ...this.variables, ...more.variables },
				path,
				deadlineMs: more.deadlineMs ?? 4_000,
				...(more.now ? { now: more.now } : {}),
			});
			const findings = areas.flatMap((area) => area.findings);
			return {
				areas,
				findings,
				troubles: findings
					.filter(({ severity }) => severity !== 'info')
					.map(({ severity, code }) => `${severity} ${code}`),
				finding(code) {
					const found = findings.find((one) => one.code === code);
					if (!found) throw new Error(`no finding ${code} among ${findings.map((one) => one.code).join(', ')}`);
					return found;
				},
			};
		},
		async close() {
			await Promise.allSettled([discord.close(), home.close(), ollama.close(), redis.stop()]);
			await rm(dir, { recursive: true, force: true });
		},
	};
}

export type DoctorRig = Awaited<ReturnType<typeof openDoctorRig>>;

export function urlOf({ where }: TestRedis): string {
	if (where.kind !== 'socket') throw new Error('a private server is on a socket');
	return `unix://${where.path}`;
}

async function registerCommands(discord: { restUrl: string; applicationId: string; guildId: string; token: string }) {
	const response = await fetch(
		`${discord.restUrl}/v10/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`,
		{
			method: 'PUT',
			headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
			body: JSON.stringify([...commandData, ...intakeCommandData, ...fleetCommandData]),
		},
	);
	if (!response.ok) throw new Error(`commands were not registered: ${response.status}`);
}
