import { z } from 'zod';
import { milliseconds, serviceUrl, snowflake } from './primitives.ts';

export const discordSettings = z.strictObject({
	guildId: snowflake.optional(),
	/** Where slash commands live: `guild` updates at once, `global` reaches every server. */
	commandScope: z.enum(['guild', 'global']).default('guild'),
	adminRoleIds: z.array(snowflake).default([]),
	adminUserIds: z.array(snowflake).default([]),
	adminChannelId: snowflake.optional(),
	/** Off: works on mentions, replies, commands and modals only; the portal's privileged switch is then not needed. */
	messageContent: z.boolean().default(true),
	catchUp: z
		.strictObject({ maxAgeMs: milliseconds.default(15 * 60_000), maxMessages: z.int().min(0).max(500).default(50) })
		.prefault({}),
	/** A resume that is not answered in this time is given up and the client logs in anew. */
	resumeTimeoutMs: milliseconds.min(1_000).default(20_000),
	/** Another REST address: the rehearsal house or a proxy. */
	restUrl: serviceUrl.optional(),
});

export type DiscordSettings = z.infer<typeof discordSettings>;
