import { createDiscordReader, DiscordReadError, type DiscordReader } from '../../adapters/operations/discord-rest.ts';
import { type ChannelFacts, checkSelf } from '../../bot/self-check.ts';
import { channelPermissions, guildPermissions } from '../../core/operations/discord-permissions.ts';
import { inviteLink } from '../../core/operations/invite.ts';
import type { SetupAnswers } from '../../core/operations/setup/plan.ts';
import type { Asker } from './asker.ts';
import type { Present } from './present.ts';

const DEADLINE_MS = 10_000;
const CONTENT_FLAGS = (1 << 18) | (1 << 19);
const TEXT_TYPES = new Set([0, 5]);

/** Token, server, channels and admin roles, each read live from Discord. */
export async function askDiscord(
	asker: Asker,
	{ settings, variables }: Present,
	restUrl: string | undefined,
): Promise<SetupAnswers['discord'] & { readonly channelName: string; readonly invite: string }> {
	const open = (token: string): DiscordReader =>
		createDiscordReader({ token, restUrl, signal: AbortSignal.timeout(DEADLINE_MS), now: Date.now });
	asker.say('\nDiscord: make an application at https://discord.com/developers/applications and open its Bot page.');
	const token = await asker.text({
		key: 'discordToken',
		ask: 'Bot token (Reset Token shows it)',
		initial: variables['DISCORD_TOKEN'],
		secret: true,
		check: async (text) => {
			try {
				await open(text).application();
				return undefined;
			} catch (error) {
				return tokenProblem(error);
			}
		},
	});
	const application = await open(token).application();
	const messageContent = await askContent(
		asker,
		() => open(token),
		application.id,
		settings?.discord.messageContent ?? true,
	);
	const invite = inviteLink(application.id);
	asker.say(`\nInvite link of ${application.name}, with the permissions it needs and no others:\n  ${invite}`);
	const guildId = await askGuild(asker, () => open(token), invite, settings?.discord.guildId);
	const place = await readPlace(open(token), guildId, application.id);
	const lacks = (use: ChannelFacts['use']) => async (channelId: string) =>
		place.problem(channelId, use, messageContent);
	const roomChannelId =
		(await asker.choose({
			key: 'roomChannel',
			ask: '\nChannel of the room that the bot keeps:',
			options: place.channels,
			initial: settings?.rooms[0]?.channelId,
			check: lacks('room'),
		})) ?? '';
	const adminChannelId = await asker.choose({
		key: 'adminChannel',
		ask: '\nChannel for panels and warnings, best one that only admins see:',
		options: place.channels,
		initial: settings?.discord.adminChannelId,
		none: true,
		check: lacks('admin'),
	});
	const fleetChannelId = await asker.choose({
		key: 'fleetChannel',
		ask: '\nChannel where coding-agent sessions report and ask, if you run such agents:',
		options: place.channels,
		initial: settings?.fleet.channelId,
		none: true,
		check: lacks('fleet'),
	});
	const adminRoleIds = await asker.chooseMany({
		key: 'adminRoles',
		ask: '\nRoles that may steer the bot:',
		options: place.roles,
		initial: settings?.discord.adminRoleIds ?? [],
	});
	const channelName = place.channels.find(({ value }) => value === roomChannelId)?.name ?? 'room';
	return {
		token,
		guildId,
		roomChannelId,
		adminChannelId,
		fleetChannelId,
		adminRoleIds,
		messageContent,
		restUrl,
		channelName,
		invite,
	};
}

function tokenProblem(error: unknown): string {
	if (!(error instanceof DiscordReadError)) throw error;
	if (error.status === 401)
		return 'Discord refuses this token. On the Bot page press "Reset Token" and copy the new one whole.';
	return `Discord does not answer (${error.message}). Check that this machine reaches https://discord.com.`;
}

async function askContent(
	asker: Asker,
	open: () => DiscordReader,
	applicationId: string,
	initial: boolean,
): Promise<boolean> {
	for (;;) {
		const wanted = await asker.choose({
			key: 'messageContent',
			ask: '\nWhat may it read? With everything it follows the talk; else only mentions of it, replies, commands and forms.',
			options: [
				{ value: 'all', label: 'everything in its channels (needs the Message Content Intent)' },
				{ value: 'mentions', label: 'mentions, replies, commands and forms' },
			],
			initial: initial ? 'all' : 'mentions',
			check: async (answer) => {
				const { flags } = await open().application();
				if (answer !== 'all' || (flags & CONTENT_FLAGS) !== 0) return undefined;
				return `The portal does not allow it yet (a login would be closed with 4014). Switch on "Message Content Intent" at https://discord.com/developers/applications/${applicationId}/bot, save, and choose again.`;
			},
		});
		if (wanted !== undefined) return wanted === 'all';
	}
}

async function askGuild(
	asker: Asker,
	open: () => DiscordReader,
	invite: string,
	initial: string | undefined,
): Promise<string> {
	for (;;) {
		const guilds = await open().guilds();
		if (guilds.length === 0) {
			await asker.text({
				key: 'invited',
				ask: '\nThe bot is in no server yet. Open the link above, invite it, then press Enter',
				initial: 'yes',
				check: async () =>
					(await open().guilds()).length > 0 ? undefined : `It is still in no server. Open ${invite}`,
			});
			continue;
		}
		const chosen = await asker.choose({
			key: 'guild',
			ask: '\nServer:',
			options: guilds.map(({ id, name }) => ({ value: id, label: name, name })),
			initial: initial ?? (guilds.length === 1 ? guilds[0]?.id : undefined),
		});
		if (chosen !== undefined) return chosen;
	}
}

/** Channels and roles to choose from, and what the bot lacks in a channel. */
async function readPlace(reader: DiscordReader, guildId: string, botId: string) {
	const [guild, channels, me] = await Promise.all([
		reader.guild(guildId),
		reader.channels(guildId),
		reader.self(guildId, botId),
	]);
	const member = { id: botId, roleIds: me.roleIds };
	const inGuild = guildPermissions(guildId, guild.roles, member);
	return {
		channels: channels
			.filter(({ type }) => TEXT_TYPES.has(type))
			.map(({ id, name }) => ({ value: id, label: `#${name}`, name })),
		roles: guild.roles
			.filter(({ id, managed }) => id !== guildId && !managed && !me.roleIds.includes(id))
			.map(({ id, name }) => ({ value: id, label: `@${name}`, name })),
		/** The first thing that keeps the bot from using the channel; smaller wants are the doctor's to tell. */
		problem(channelId: string, use: ChannelFacts['use'], messageContent: boolean): string | undefined {
			const channel = channels.find(({ id }) => id === channelId);
			const permissions = channelPermissions(guildId, inGuild, channel?.overwrites ?? [], member);
			const found = checkSelf({
				channels: [{ channelId, use, state: channel ? 'ok' : 'missing', permissions }],
				guildFound: true,
				guildId,
				guildPermissions: inGuild,
				wantedName: me.name,
				shownName: me.name,
				messageContent,
				adminsConfigured: true,
				rolePosition: 1,
			}).find(({ severity }) => severity === 'error');
			return found && `${found.what} ${found.fix}`.replaceAll(`<#${channelId}>`, `#${channel?.name ?? channelId}`);
		},
	};
}
