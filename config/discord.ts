import { z } from 'zod';
import { milliseconds, snowflake } from './primitives.ts';
import { serviceUrl } from './service-url.ts';

const catchUp = z.strictObject({
	maxAgeMs: milliseconds.default(15 * 60_000).describe('Older messages than this are not caught up.'),
	maxMessages: z
		.int()
		.min(0)
		.max(500)
		.default(50)
		.describe('At most this many messages a channel; 0 = no catching up.'),
});

export const discordSettings = z.strictObject({
	guildId: snowflake.optional().describe('The Discord server. Needed while commandScope is guild.'),
	commandScope: z
		.enum(['guild', 'global'])
		.default('guild')
		.describe('Where slash commands live: guild updates at once, global reaches every server.'),
	adminRoleIds: z.array(snowflake).default([]).describe('Roles that may use /admin and change the overseer.'),
	adminUserIds: z.array(snowflake).default([]).describe('People who may do the same without such a role.'),
	adminChannelId: snowflake.optional().describe('Channel of the live panels and warnings.'),
	messageContent: z
		.boolean()
		.default(true)
		.describe(
			"Off: works on mentions, replies, commands and forms only; the portal's privileged message-content switch is then not needed.",
		),
	catchUp: catchUp.prefault({}).describe('What was written while the bot was away.'),
	resumeTimeoutMs: milliseconds
		.min(1_000)
		.default(20_000)
		.describe('A resume that is not answered in this time is given up and the client logs in anew.'),
	restUrl: serviceUrl
		.optional()
		.describe('Another REST address: the rehearsal house or a proxy.')
		.meta({ examples: ['http://127.0.0.1:8760/api'] }),
});

export type DiscordSettings = z.infer<typeof discordSettings>;
