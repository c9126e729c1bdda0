import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readIfThere, writeKeptFile } from '../../adapters/operations/kept-file.ts';
import { withChanges } from '../../adapters/operations/settings-text.ts';
import { BadRedisUrl, parseRedisUrl } from '../../adapters/redis/target.ts';
import { formatProblems } from '../../config/config-error.ts';
import { parseSettings } from '../../config/parse-settings.ts';
import { withVariables } from '../../core/operations/env-text.ts';
import { planSetup, roomIdFrom } from '../../core/operations/setup/plan.ts';
import { askDiscord } from './ask-discord.ts';
import { askHome } from './ask-home.ts';
import { askModel } from './ask-model.ts';
import { type Asker, SetupStopped } from './asker.ts';
import { type Present, variablesOf } from './present.ts';

export interface SetupOptions {
	readonly asker: Asker;
	readonly envPath: string;
	readonly settingsPath: string;
	/** As `discord.restUrl`, for a proxy or the rehearsal house. */
	readonly restUrl?: string | undefined;
	/** Begin a new settings file instead of changing the one that is there. */
	readonly fresh: boolean;
}

export interface SetupDone {
	readonly invite: string;
	/** Files that were replaced and where the old ones are. */
	readonly kept: readonly string[];
}

/** Asks, checks each answer live, and writes both files. Until the end nothing is written. Rejects with SetupStopped. */
export async function runSetup(options: SetupOptions): Promise<SetupDone> {
	const { asker, envPath, settingsPath } = options;
	const envText = await readIfThere(envPath);
	const settingsText = await readIfThere(settingsPath);
	const present = readPresent(envText, options.fresh ? undefined : settingsText, settingsPath);
	const restUrl = options.restUrl ?? present.settings?.discord.restUrl;

	const { channelName, invite, ...discord } = await askDiscord(asker, present, restUrl);
	const room = await askRoom(asker, present, channelName);
	const model = await askModel(asker, present);
	const home = await askHome(asker, present);
	const redisUrl = await askRedis(asker, present);
	const adminPassword = await asker.text({
		key: 'adminPassword',
		ask: '\nPassword for the pages /admin and /queues (Enter makes one)',
		initial: present.variables['ADMIN_PASSWORD'] ?? randomBytes(15).toString('base64url'),
		secret: true,
		check: async (text) => (text.length >= 8 ? undefined : 'At least 8 characters.'),
	});
	const intakeKeys = present.variables['INTAKE_KEYS'] ?? `main:${randomBytes(32).toString('base64')}`;
	const fleetTokens = discord.fleetChannelId === undefined ? undefined : fleetTokensOf(present);
	const plan = planSetup({ ...room, discord, model, home, redisUrl, adminPassword, intakeKeys, fleetTokens });

	const newSettings = withChanges(options.fresh ? undefined : settingsText, plan.changes, plan.room);
	const parsed = parseSettings(newSettings);
	if (!parsed.ok) throw new SetupStopped('unusable_settings', formatProblems(parsed.problems, settingsPath));
	const template = await readFile(fileURLToPath(new URL('../../.env.example', import.meta.url)), 'utf8');
	const newEnv = withVariables(envText, template, plan.variables);

	const files = [
		{ path: settingsPath, before: settingsText, text: newSettings, mode: 0o644 },
		{ path: envPath, before: envText, text: newEnv, mode: 0o600 },
	];
	for (const { path, before, text } of files)
		if (before !== undefined && before !== text) await askOverwrite(asker, path);
	const kept: string[] = [];
	for (const { path, text, mode } of files) {
		const old = await writeKeptFile(path, text, mode);
		if (old !== undefined) kept.push(`${path} was changed; before it was ${old}`);
	}
	return { invite, kept };
}

/** The tokens that are there, else one for this machine; its name is only what people see. */
function fleetTokensOf({ variables }: Present): string {
	const host =
		hostname()
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-+|-+$/g, '')
			.slice(0, 30) || 'this-machine';
	return variables['FLEET_TOKENS'] || `${host}:${randomBytes(24).toString('base64url')}`;
}

function readPresent(envText: string | undefined, settingsText: string | undefined, path: string): Present {
	const variables = variablesOf(envText);
	if (settingsText === undefined) return { variables };
	const parsed = parseSettings(settingsText);
	if (!parsed.ok)
		throw new SetupStopped(
			'unusable_settings',
			`${formatProblems(parsed.problems, path)}\n\nCorrect it first, or begin a new one: npm run setup -- --fresh`,
		);
	return { settings: parsed.settings, variables };
}

async function askRoom(asker: Asker, { settings }: Present, channelName: string) {
	const first = settings?.rooms[0];
	const words = channelName.replace(/[-_]+/g, ' ');
	const title = await asker.text({
		key: 'roomTitle',
		ask: '\nWhat do people call the room?',
		initial: first?.title ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
		check: async (text) => (text.length <= 80 ? undefined : 'At most 80 characters.'),
	});
	const id = await asker.text({
		key: 'roomId',
		ask: 'Short name for keys and addresses; it stays',
		initial: first?.id ?? roomIdFrom(title),
		check: async (text) =>
			/^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? undefined : 'Lower-case letters, digits, _ and -, at most 40.',
	});
	const name = await asker.text({
		key: 'name',
		ask: 'What is the bot called?',
		initial: settings?.overseer.name ?? 'Overseer',
	});
	const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	const timeZone = await asker.text({
		key: 'timeZone',
		ask: 'Time zone of the room',
		initial: settings && settings.overseer.timeZone !== 'UTC' ? settings.overseer.timeZone : zone,
	});
	return { room: { id, title }, name, timeZone };
}

async function askRedis(asker: Asker, { variables }: Present): Promise<string | undefined> {
	const url = await asker.text({
		key: 'redisUrl',
		ask: '\nAddress of a Redis (auto: one is found or started in the data folder)',
		initial: variables['REDIS_URL'] ?? 'auto',
		secret: variables['REDIS_URL'] !== undefined,
		check: async (text) => {
			if (text === 'auto') return undefined;
			try {
				parseRedisUrl(text);
				return undefined;
			} catch (error) {
				if (error instanceof BadRedisUrl) return error.message;
				throw error;
			}
		},
	});
	return url === 'auto' ? undefined : url;
}

async function askOverwrite(asker: Asker, path: string): Promise<void> {
	const agreed = await asker.confirm({
		key: 'overwrite',
		ask: `\n${path} is there. Change it? The old one is kept as ${path}.bak`,
		initial: false,
	});
	if (!agreed) throw new SetupStopped('declined', `${path} stays as it is; nothing was written.`);
}
