import { z } from 'zod';
import type { ConfigProblem } from './config-error.ts';
import { nearestName } from './nearest-name.ts';

const noSpaces = (text: string) => !/\s/.test(text);

const discordToken = z
	.string()
	.refine((text) => !/^bot\s/i.test(text), 'the token alone, without "Bot " before it')
	.refine(noSpaces, 'the token alone, without spaces or quotes')
	.refine((text) => !/^\d{17,20}$/.test(text), "the bot's token (portal, Bot, Reset Token), not its id");

const opaque = z.string().refine(noSpaces, 'the secret alone, without spaces or quotes');
const longSecret = opaque.refine((text) => text.length >= 16, 'at least 16 characters: openssl rand -hex 24');

const redisUrl = z.string().refine((text) => {
	if (!/^(redis|rediss|redis\+sentinel|redis\+cluster|unix):/.test(text)) return false;
	// A socket's address has no host, which makes one with a user no URL for everybody else.
	if (/^unix:\/\/([^\s/@]+@)?\/\S+$/.test(text)) return true;
	return URL.canParse(text.split(',')[0]!);
}, 'an address such as redis://127.0.0.1:6379/0 or rediss://user:password@host:6380');

const roomTokens = z.string().transform((text, context) => {
	const tokens: Record<string, string> = Object.create(null);
	for (const entry of text.split(',')) {
		const [, room, token] = /^\s*([a-z0-9][a-z0-9_-]{0,39}):(\S{16,})\s*$/.exec(entry) ?? [];
		if (room === undefined || token === undefined || room in tokens) {
			context.addIssue({
				code: 'custom',
				message: 'room:token,room:token with each room once and tokens of 16 characters or more',
			});
			return z.NEVER;
		}
		tokens[room] = token;
	}
	return tokens;
});

const KEY_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

const intakeKeys = z.string().transform((text, context) => {
	const keys = text.split(',').map((entry) => {
		const [, id = '', secret = ''] = /^\s*([^:\s]+):(\S+)\s*$/.exec(entry) ?? [];
		return { id, secret };
	});
	const distinct = new Set(keys.map(({ id }) => id)).size === keys.length;
	if (distinct && keys.every(({ id, secret }) => KEY_NAME.test(id) && Buffer.from(secret, 'base64').length === 32))
		return keys;
	context.addIssue({
		code: 'custom',
		message: 'name:key,name:key with each name once and keys of 32 bytes in base64 (openssl rand -base64 32)',
	});
	return z.NEVER;
});

const callers = z.string().transform((text, context) => {
	const tokens: Record<string, string> = Object.create(null);
	for (const entry of text.split(',')) {
		const [, name, token] = /^\s*([a-z0-9][a-z0-9_-]{0,39}):(\S{16,})\s*$/.exec(entry) ?? [];
		if (name === undefined || token === undefined || name in tokens) {
			context.addIssue({
				code: 'custom',
				message: 'name:token,name:token with each name once and tokens of 16 characters or more',
			});
			return z.NEVER;
		}
		tokens[name] = token;
	}
	return tokens;
});

const hostTokens = z.string().transform((text, context) => {
	const tokens: Record<string, string> = Object.create(null);
	for (const entry of text.split(',')) {
		const [, host, token] = /^\s*([A-Za-z0-9][\w.-]{0,59}):(\S{16,})\s*$/.exec(entry) ?? [];
		const isDoubled = host === undefined || host in tokens || Object.values(tokens).includes(token ?? '');
		if (token === undefined || isDoubled) {
			context.addIssue({
				code: 'custom',
				message: 'host:token,host:token with each host once and a token of its own of 16 characters or more',
			});
			return z.NEVER;
		}
		tokens[host] = token;
	}
	return tokens;
});

const packetKeys = z.string().transform((text, context) => {
	const keys = text.split(',').map((entry) => {
		const [, owner = '', id = '', secret = ''] = /^\s*([^:\s]+):([^:\s]+):(\S+)\s*$/.exec(entry) ?? [];
		return { owner, id, secret };
	});
	const distinct = new Set(keys.map(({ owner, id }) => `${owner}:${id}`)).size === keys.length;
	const good = keys.every(({ owner, id, secret }) => KEY_NAME.test(owner) && KEY_NAME.test(id) && secret.length >= 16);
	if (distinct && good) return keys;
	context.addIssue({
		code: 'custom',
		message: 'owner:name:secret,owner:name:secret with each name once an owner and secrets of 16 characters or more',
	});
	return z.NEVER;
});

const traceEndpoint = z.string().refine((text) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.search === '';
}, 'an http or https address without a password, such as http://127.0.0.1:4318');

const traceHeaders = z.string().transform((text, context) => {
	const headers: Record<string, string> = Object.create(null);
	for (const entry of text.split(',')) {
		const [, name, value] = /^\s*([\w-]{1,60})=([!-~]{1,2000})\s*$/.exec(entry) ?? [];
		try {
			if (name === undefined || value === undefined) throw new Error('not a header');
			headers[name.toLowerCase()] = decodeURIComponent(value);
		} catch {
			context.addIssue({ code: 'custom', message: 'name=value,name=value with values percent-encoded' });
			return z.NEVER;
		}
	}
	return headers;
});

/** Every variable that is read, in the order of `.env.example`. */
export const environmentSchema = z.object({
	DISCORD_TOKEN: discordToken
		.optional()
		.describe("The bot's token: discord.com/developers, your application, Bot, Reset Token."),
	HOME_ASSISTANT_TOKEN: opaque.optional().describe('Long-lived access token: Home Assistant, your profile, Security.'),
	ANTHROPIC_API_KEY: opaque.optional().describe('Key for model.provider anthropic.'),
	ADMIN_PASSWORD: z
		.string()
		.min(8, 'at least 8 characters')
		.optional()
		.describe('Login for /admin and /queues. Without it both pages stay closed.'),
	ADMIN_TOKEN: longSecret.optional().describe('Bearer token for machines: metrics and rover reports.'),
	METRICS_TOKEN: longSecret.optional().describe('Bearer token that opens /metrics only. On loopback none is needed.'),
	ROOM_TOKENS: roomTokens
		.optional()
		.describe('Bearer tokens for rover reports of one room each: living:token,workshop:token'),
	INTAKE_KEYS: intakeKeys
		.optional()
		.describe('Keys that encrypt intakes: name:base64,… The first encrypts, all decrypt. openssl rand -base64 32'),
	CXP_CALLERS: callers
		.optional()
		.describe('Programs that may use /cxp, with a bearer token each: shop:token,portal:token'),
	FLEET_TOKENS: hostTokens
		.optional()
		.describe('Machines that may report sessions at /fleet, with a bearer token each: laptop:token,server:token'),
	PACKET_KEYS: packetKeys
		.optional()
		.describe('Secrets that sign packets, by caller of /cxp or webhook sink: shop:2026a:secret,… The first signs.'),
	REDIS_URL: redisUrl
		.optional()
		.describe('Redis 6.2 or newer, with noeviction. Without it one is found or started in the data folder.'),
	REDIS: z
		.enum(['auto', 'ephemeral'])
		.default('auto')
		.describe('ephemeral: in memory, nothing is kept. Only for trying things out.'),
	ROLE: z.enum(['all', 'bot', 'worker']).default('all').describe('What this process does: all, bot or worker.'),
	LOG_LEVEL: z
		.enum(['debug', 'info', 'warn', 'error', 'silent'])
		.default('info')
		.describe('debug, info, warn, error or silent.'),
	LOG_FORMAT: z
		.enum(['auto', 'json', 'pretty'])
		.default('auto')
		.describe('auto: pretty on a terminal, JSON elsewhere.'),
	OTEL_EXPORTER_OTLP_ENDPOINT: traceEndpoint
		.optional()
		.describe('Where traces go: OTLP over HTTP, such as http://127.0.0.1:4318. Without it none are made.'),
	OTEL_EXPORTER_OTLP_HEADERS: traceHeaders
		.optional()
		.describe('Headers for it: name=value,name=value with values percent-encoded.'),
	MAJORDOMO_CONFIG: z.string().optional().describe('Settings file; config/majordomo.yaml when not set.'),
	MAJORDOMO_DATA: z.string().default('.data').describe('Folder for everything that is kept on this machine.'),
});

/** Variables whose values must never be seen: not in logs, errors or pages. */
export const SECRET_VARIABLES = [
	'DISCORD_TOKEN',
	'HOME_ASSISTANT_TOKEN',
	'ANTHROPIC_API_KEY',
	'ADMIN_PASSWORD',
	'ADMIN_TOKEN',
	'METRICS_TOKEN',
	'ROOM_TOKENS',
	'INTAKE_KEYS',
	'CXP_CALLERS',
	'FLEET_TOKENS',
	'PACKET_KEYS',
	'REDIS_URL',
	'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

type Variables = z.infer<typeof environmentSchema>;

/** The environment as the house sees it; the only place where secrets are. Frozen. */
export interface Environment {
	readonly discordToken?: string;
	readonly homeAssistantToken?: string;
	readonly anthropicApiKey?: string;
	readonly adminPassword?: string;
	readonly adminToken?: string;
	readonly metricsToken?: string;
	/** By room id. */
	readonly roomTokens: Readonly<Record<string, string>>;
	/** The first encrypts. */
	readonly intakeKeys: readonly { readonly id: string; readonly secret: string }[];
	/** Bearer tokens by caller. */
	readonly cxpCallers: Readonly<Record<string, string>>;
	/** Bearer tokens by host. */
	readonly fleetTokens: Readonly<Record<string, string>>;
	/** The first of each owner signs. */
	readonly packetKeys: readonly { readonly owner: string; readonly id: string; readonly secret: string }[];
	readonly redisUrl?: string;
	readonly redis: Variables['REDIS'];
	readonly role: Variables['ROLE'];
	readonly logLevel: Variables['LOG_LEVEL'];
	readonly logFormat: Variables['LOG_FORMAT'];
	/** Base address of a collector. */
	readonly traceEndpoint?: string;
	readonly traceHeaders: Readonly<Record<string, string>>;
	readonly configPath?: string;
	readonly dataDir: string;
}

export type ParsedEnvironment =
	| { readonly ok: true; readonly environment: Environment }
	| { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Set variables with a name so near to ours that they were probably meant; e.g. `DISCROD_TOKEN`. */
export function misspelt(
	variable: string,
	variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
	const known = Object.keys(environmentSchema.shape);
	const unknown = Object.keys(variables).filter((name) => variables[name] && !known.includes(name));
	const near = nearestName(
		variable,
		unknown.filter((name) => nearestName(name, known) === variable),
	);
	return near;
}

/** Reads variables; an empty one counts as not set. Problems name the variable and never its value. */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): ParsedEnvironment {
	const set: Record<string, string> = {};
	for (const name of Object.keys(environmentSchema.shape)) {
		const value = variables[name]?.trim();
		if (value) set[name] = value;
	}
	const parsed = environmentSchema.safeParse(set);
	if (!parsed.success) {
		const firstOfEach = new Map(parsed.error.issues.toReversed().map((issue) => [issue.path[0], issue]));
		const problems = [...firstOfEach.values()].reverse().map((issue): ConfigProblem => {
			const name = String(issue.path[0]);
			const secret = (SECRET_VARIABLES as readonly string[]).includes(name);
			const got = secret ? `text of ${set[name]?.length ?? 0} characters` : `"${(set[name] ?? '').slice(0, 40)}"`;
			const hint = issue.code === 'invalid_value' ? `write ${issue.values.join(', ')}` : `write ${issue.message}`;
			return { source: 'environment', path: name, got, hint };
		});
		return { ok: false, problems };
	}
	const read = parsed.data;
	return {
		ok: true,
		environment: Object.freeze({
			discordToken: read.DISCORD_TOKEN,
			homeAssistantToken: read.HOME_ASSISTANT_TOKEN,
			anthropicApiKey: read.ANTHROPIC_API_KEY,
			adminPassword: read.ADMIN_PASSWORD,
			adminToken: read.ADMIN_TOKEN,
			metricsToken: read.METRICS_TOKEN,
			roomTokens: Object.freeze(read.ROOM_TOKENS ?? {}),
			intakeKeys: Object.freeze(read.INTAKE_KEYS ?? []),
			cxpCallers: Object.freeze(read.CXP_CALLERS ?? {}),
			fleetTokens: Object.freeze(read.FLEET_TOKENS ?? {}),
			packetKeys: Object.freeze(read.PACKET_KEYS ?? []),
			redisUrl: read.REDIS_URL,
			redis: read.REDIS,
			role: read.ROLE,
			logLevel: read.LOG_LEVEL,
			logFormat: read.LOG_FORMAT,
			traceEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
			traceHeaders: Object.freeze(read.OTEL_EXPORTER_OTLP_HEADERS ?? {}),
			configPath: read.MAJORDOMO_CONFIG,
			dataDir: read.MAJORDOMO_DATA,
		}),
	};
}

/** Secret texts among variables that may not even be valid; for what is said before the configuration is read. */
export function secretsOf(variables: Readonly<Record<string, string | undefined>>): string[] {
	const values = SECRET_VARIABLES.flatMap((name) => variables[name]?.trim() || []);
	const parsed = parseEnvironment(variables);
	return [...values, ...(parsed.ok ? environmentSecrets(parsed.environment) : [])];
}

/** Every secret text of the environment, for the log's redaction; passwords inside addresses included. */
export function environmentSecrets(environment: Environment): string[] {
	const { discordToken, homeAssistantToken, anthropicApiKey, adminPassword, adminToken, metricsToken, redisUrl } =
		environment;
	const passwords = (redisUrl ?? '').match(/(?<=:\/\/[^/@\s]*:)[^/@\s]+(?=@)/g) ?? [];
	const all = [discordToken, homeAssistantToken, anthropicApiKey, adminPassword, adminToken, metricsToken];
	const decoded = passwords.map((text) => {
		try {
			return decodeURIComponent(text);
		} catch {
			return text;
		}
	});
	const { roomTokens, intakeKeys, cxpCallers, fleetTokens, packetKeys } = environment;
	const tokens = [roomTokens, cxpCallers, fleetTokens, environment.traceHeaders].flatMap((each) => Object.values(each));
	const keys = [...intakeKeys, ...packetKeys].map(({ secret }) => secret);
	const secrets = [...all, ...tokens, ...keys, ...passwords, ...decoded];
	return [...new Set(secrets.filter((text) => text !== undefined && text !== ''))] as string[];
}
