import { createDiscordReader, DiscordReadError, type DiscordReader } from '../../adapters/operations/discord-rest.ts';
import { knockAtGateway } from '../../adapters/operations/gateway-knock.ts';
import { commandData } from '../../bot/commands/data.ts';
import { fleetCommandData } from '../../bot/commands/fleet-data.ts';
import { intakeCommandData } from '../../bot/commands/intake-data.ts';
import { clientIntents } from '../../bot/gateway/client.ts';
import { type ChannelFacts, checkSelf, type SelfFacts } from '../../bot/self-check.ts';
import type { Settings } from '../../config/schema.ts';
import { channelPermissions, guildPermissions } from '../../core/operations/discord-permissions.ts';
import type { Finding } from '../../core/operations/finding.ts';
import { inviteLink } from '../../core/operations/invite.ts';
import { type DiscordFacts, type GatewayAnswer, judgeDiscord } from '../../core/operations/judge-discord.ts';
import { type CheckContext, type Checked, skipped } from './context.ts';

/** Text channels and announcement channels take messages; threads are not configured by id. */
const TEXT_TYPES = new Set([0, 5]);
/** Fewer logins than this are left to the bot itself. */
const SPARED_LOGINS = 20;

/** Token, gateway and intents, the server, each channel's permissions, roles, commands. */
export async function checkDiscord(context: CheckContext): Promise<Checked> {
	const { settings, environment, deadlineMs, now } = context;
	const token = environment.discordToken;
	if (environment.role === 'worker') return skipped('a worker does not speak to Discord');
	if (token === undefined) return { detail: 'no token, so nothing could be looked at', findings: [], skipped: true };
	const reader = createDiscordReader({
		token,
		restUrl: settings.discord.restUrl,
		signal: AbortSignal.timeout(deadlineMs),
		now,
	});
	const wishes = {
		messageContent: settings.discord.messageContent,
		adminRoleIds: settings.discord.adminRoleIds,
		commandScope: settings.discord.commandScope,
		commandNames: [
			...commandData,
			...(settings.intake.enabled ? intakeCommandData : []),
			...(settings.fleet.channelId === undefined ? [] : fleetCommandData),
		].map(({ name }) => name),
	};
	const { facts, self } = await gather(reader, { token, deadlineMs, settings });
	const clock = reader.clock();
	if (clock) context.noteClock({ source: 'Discord', ...clock });
	const applicationId = facts.kind === 'in' ? facts.application.id : undefined;
	const findings: Finding[] = [
		...judgeDiscord(facts, wishes),
		...(self ? checkSelf(self).map((finding) => ofSelf(finding, applicationId, self.guildId)) : []),
	];
	if (facts.kind !== 'in') return { detail: facts.kind === 'refused' ? 'the token is refused' : 'no answer', findings };
	const place = facts.guild ? `in ${facts.guild.name}` : 'in no server of the settings';
	return { detail: `${facts.application.name}, ${place}`, findings };
}

interface Gathering {
	readonly token: string;
	readonly deadlineMs: number;
	readonly settings: Settings;
}

async function gather(reader: DiscordReader, given: Gathering): Promise<{ facts: DiscordFacts; self?: SelfFacts }> {
	try {
		const application = await reader.application();
		const gateway = await knock(reader, given);
		const place = await gatherGuild(reader, application.id, given.settings);
		const commands = await reader
			.commands(application.id, given.settings.discord.commandScope === 'guild' ? place.guild?.id : undefined)
			.catch(() => undefined);
		return {
			facts: {
				kind: 'in',
				application,
				gateway,
				...(place.guild ? { guild: place.guild } : {}),
				...(commands ? { commands } : {}),
			},
			self: place.self,
		};
	} catch (thrown) {
		if (!(thrown instanceof DiscordReadError)) throw thrown;
		return { facts: thrown.status === 401 ? { kind: 'refused' } : { kind: 'unreachable', reason: thrown.message } };
	}
}

async function knock(reader: DiscordReader, { token, deadlineMs, settings }: Gathering): Promise<GatewayAnswer> {
	const { url, loginsLeft } = await reader.gateway();
	if (loginsLeft < SPARED_LOGINS) return { kind: 'spared', loginsLeft };
	const intents = clientIntents(settings.discord).reduce((bits, bit) => bits | bit, 0);
	return knockAtGateway({ url, token, intents, deadlineMs });
}

async function gatherGuild(reader: DiscordReader, botId: string, settings: Settings) {
	const { discord, overseer } = settings;
	const admins = new Set([discord.adminChannelId, ...settings.rooms.map((room) => room.adminChannelId)]);
	const wanted = [
		...settings.rooms.map(({ channelId }) => ({ channelId, use: 'room' as const })),
		...[...admins].flatMap((channelId) => (channelId === undefined ? [] : [{ channelId, use: 'admin' as const }])),
		...(settings.intake.enabled ? settings.intake.channels : []).map(({ channelId }) => ({
			channelId,
			use: 'intake' as const,
		})),
		...(settings.fleet.channelId === undefined ? [] : [{ channelId: settings.fleet.channelId, use: 'fleet' as const }]),
	];
	const common = {
		guildId: discord.guildId,
		wantedName: overseer.name,
		messageContent: discord.messageContent,
		adminsConfigured: discord.adminRoleIds.length + discord.adminUserIds.length > 0,
	};
	const id = discord.guildId ?? (await reader.guilds())[0]?.id;
	const found = id === undefined ? undefined : await reader.guild(id).catch(absent);
	if (found === undefined || id === undefined) {
		const nothing = { guildFound: false, channels: [], guildPermissions: 0n, shownName: '', rolePosition: 0 };
		return { self: { ...common, ...nothing } satisfies SelfFacts };
	}
	const [me, channels] = await Promise.all([reader.self(id, botId), reader.channels(id)]);
	const member = { id: botId, roleIds: me.roleIds };
	const inGuild = guildPermissions(id, found.roles, member);
	const factsOf = ({ channelId, use }: (typeof wanted)[number]): ChannelFacts => {
		const channel = channels.find((one) => one.id === channelId);
		if (!channel) return { channelId, use, state: 'missing', permissions: 0n };
		const permissions = channelPermissions(id, inGuild, channel.overwrites, member);
		return { channelId, use, state: TEXT_TYPES.has(channel.type) ? 'ok' : 'not_text', permissions };
	};
	const positions = found.roles.filter((role) => me.roleIds.includes(role.id)).map(({ position }) => position);
	return {
		guild: { id, name: found.name, roles: found.roles, ownRoleIds: me.roleIds },
		self: {
			...common,
			guildFound: true,
			channels: wanted.map(factsOf),
			guildPermissions: inGuild,
			shownName: me.name,
			rolePosition: Math.max(0, ...positions),
		} satisfies SelfFacts,
	};
}

/** Not a member (403) and no such server (404) are the same to us: we are not in it. */
function absent(error: unknown): undefined {
	if (error instanceof DiscordReadError && (error.status === 403 || error.status === 404)) return undefined;
	throw error;
}

/** The bot's own finding; where only an invitation helps, the link itself is the fix. */
function ofSelf(
	{ severity, code, what, fix }: ReturnType<typeof checkSelf>[number],
	applicationId: string | undefined,
	guildId: string | undefined,
): Finding {
	const link = code === 'guild_missing' && applicationId ? inviteLink(applicationId, guildId) : undefined;
	return { area: 'discord', severity, code, what, fix: link ? `Open ${link}, or correct discord.guildId.` : fix };
}
