import { Client, GatewayIntentBits, Options, Partials, type RateLimitData, RESTEvents } from 'discord.js';
import type { DiscordSettings } from '../../config/discord.ts';
import type { Log, Metrics } from '../../core/ports.ts';

export interface ClientDeps {
	readonly settings: DiscordSettings;
	readonly token: string;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** A client nobody has logged in yet: closed mentions, least intents, small caches, every emitter listened to. */
export function createClient({ settings, token, log, metrics }: ClientDeps): Client {
	const client = new Client({
		intents: clientIntents(settings),
		allowedMentions: { parse: [], repliedUser: false },
		failIfNotExists: false,
		// Deletions of messages that are not cached are heard too: a panel may have been posted long ago.
		partials: [Partials.Message],
		makeCache: Options.cacheWithLimits({
			...Options.DefaultMakeCacheSettings,
			MessageManager: 50,
			ReactionManager: 0,
			PresenceManager: 0,
			GuildInviteManager: 0,
			GuildScheduledEventManager: 0,
			StageInstanceManager: 0,
			VoiceStateManager: 0,
			AutoModerationRuleManager: 0,
			GuildMemberManager: { maxSize: 500, keepOverLimit: (member) => member.id === member.client.user.id },
			UserManager: { maxSize: 1_000, keepOverLimit: (user) => user.id === user.client.user.id },
		}),
		rest: {
			version: '10',
			timeout: 15_000,
			retries: 3,
			invalidRequestWarningInterval: 500,
			rejectOnRateLimit(limit) {
				if (!isBeyondReason(limit)) return false;
				// The library reckons by the wall clock, which was set back: what it knows of limits is worthless now.
				log.warn(
					{ route: limit.route, waitMs: limit.timeToReset },
					'the clock was set back: rate limits are forgotten',
				);
				setTimeout(() => forgetLimits(client), 0).unref();
				return true;
			},
			...(settings.restUrl === undefined ? {} : { api: settings.restUrl.replace(/\/+$/, '') }),
		},
		waitGuildTimeout: 10_000,
	});
	client.on('error', (error) => log.error({ error }, 'discord client error'));
	client.on('warn', (warning) => log.warn({ warning }, 'discord client warning'));
	client.on('invalidated', () => log.error({}, 'discord session invalidated'));
	client.on('shardError', (error, shardId) => {
		metrics.count('discord_gateway_errors_total');
		log.warn({ error, shardId }, 'gateway connection error');
	});
	client.rest.on(RESTEvents.RateLimited, (info) => {
		metrics.count('discord_rate_limited_total', { scope: info.global ? 'global' : info.scope });
		log.warn({ route: info.route, method: info.method, retryAfterMs: info.retryAfter }, 'rate limited by Discord');
	});
	client.rest.on(RESTEvents.InvalidRequestWarning, ({ count, remainingTime }) => {
		log.error({ count, remainingTime }, 'many refused requests: Discord bans an address at 10 000 in ten minutes');
	});
	client.rest.on(RESTEvents.Response, (_request, response) => {
		metrics.count('discord_requests_total', { status: `${Math.floor(response.status / 100)}xx` });
		if ([401, 403, 429].includes(response.status)) metrics.count('discord_invalid_requests_total');
		// One 401 makes discord.js forget its token, and then every later call fails on its own. Give it back.
		if (response.status === 401) setTimeout(() => client.token !== null && client.rest.setToken(token), 0).unref();
	});
	surviveMalformedEvents(client, log);
	return client;
}

function forgetLimits({ rest }: Client): void {
	rest.handlers.clear();
	Object.assign(rest, { globalReset: -1, globalDelay: null });
}

/** A wait that Discord never asks for: its longest limits last ten minutes, those of messages and of everything together some seconds. */
function isBeyondReason({ global, route, timeToReset }: RateLimitData): boolean {
	return timeToReset > (global || route.endsWith('/messages') ? 60_000 : 900_000);
}

/**
 * discord.js reads events without checking them, and a throw there is an unhandled rejection that would end the process.
 * A malformed event is dropped and logged instead.
 */
function surviveMalformedEvents(client: Client, log: Log): void {
	const handle: unknown = Reflect.get(client.ws, 'handlePacket');
	if (typeof handle !== 'function') return;
	Reflect.set(client.ws, 'handlePacket', (packet: { t?: string } | undefined, shard: unknown) => {
		try {
			return handle.call(client.ws, packet, shard);
		} catch (error) {
			log.error({ error, event: packet?.t }, 'dropped an event that discord.js could not read');
			return false;
		}
	});
}

export function clientIntents(settings: Pick<DiscordSettings, 'messageContent'>): GatewayIntentBits[] {
	const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
	return settings.messageContent ? [...intents, GatewayIntentBits.MessageContent] : intents;
}
