import type { RoleFacts } from './discord-permissions.ts';
import { type Finding, findingsOf } from './finding.ts';
import { inviteLink } from './invite.ts';

/** What knocking at the gateway gave. */
export type GatewayAnswer =
	| { readonly kind: 'ready' }
	/** Discord closed the line with this code. */
	| { readonly kind: 'closed'; readonly code: number }
	| { readonly kind: 'unreachable'; readonly reason: string }
	/** Not tried: too few logins are left today. */
	| { readonly kind: 'spared'; readonly loginsLeft: number };

/** Everything that was read from Discord with the bot's token. */
export type DiscordFacts =
	| { readonly kind: 'unreachable'; readonly reason: string }
	/** 401: the token is not one. */
	| { readonly kind: 'refused' }
	| {
			readonly kind: 'in';
			readonly application: { readonly id: string; readonly name: string; readonly flags: number };
			readonly gateway: GatewayAnswer;
			/** Undefined: the bot is not in the guild that the settings name, or in none at all. */
			readonly guild?: {
				readonly id: string;
				readonly name: string;
				readonly roles: readonly RoleFacts[];
				/** Ids of the bot's own roles, @everyone not among them. */
				readonly ownRoleIds: readonly string[];
			};
			/** Names of the commands that are registered in the scope of the settings; undefined when they could not be read. */
			readonly commands?: readonly string[];
	  };

export interface DiscordWishes {
	readonly messageContent: boolean;
	readonly adminRoleIds: readonly string[];
	readonly commandScope: 'guild' | 'global';
	readonly commandNames: readonly string[];
}

/** Portal's switches for the message content, for big and for small bots. */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);
const { error, warning, info } = findingsOf('discord');

/** Token, intents, commands and roles. What the channels lack is judged beside it, by the bot's own self-check. */
export function judgeDiscord(facts: DiscordFacts, wishes: DiscordWishes): Finding[] {
	if (facts.kind === 'unreachable')
		return [
			error(
				'discord_unreachable',
				`Discord does not answer: ${facts.reason}.`,
				'Check that this machine reaches https://discord.com (proxy, firewall, DNS), that discord.restUrl is not set by mistake, and https://discordstatus.com.',
			),
		];
	if (facts.kind === 'refused') return [badToken()];
	return [
		...intentFindings(facts, wishes),
		...(facts.guild ? roleFindings(facts.application.id, facts.guild, wishes) : []),
		...(facts.guild ? commandFindings(facts.application.id, facts.commands, wishes) : []),
	];
}

const badToken = () =>
	error(
		'discord_token',
		'Discord refuses DISCORD_TOKEN (401, close code 4004): it was reset, mistyped, or its application is gone.',
		'https://discord.com/developers/applications, your application, Bot, "Reset Token"; put the new one into .env as DISCORD_TOKEN.',
	);

function intentFindings(
	{ application, gateway }: Extract<DiscordFacts, { kind: 'in' }>,
	{ messageContent }: DiscordWishes,
): Finding[] {
	const lacksContent = messageContent && (application.flags & CONTENT_FLAGS) === 0;
	const refused = gateway.kind === 'closed' && (gateway.code === 4014 || gateway.code === 4013);
	if (refused || (lacksContent && gateway.kind !== 'ready'))
		return [
			error(
				'discord_intents',
				'Discord closes the connection with 4014 (disallowed intents): the bot asks to read messages (discord.messageContent: true) and the portal does not allow it.',
				`https://discord.com/developers/applications/${application.id}/bot, switch on "Message Content Intent", save; or set discord.messageContent: false, and it hears only mentions, replies, commands and forms.`,
			),
		];
	if (gateway.kind === 'closed' && gateway.code === 4004) return [badToken()];
	if (gateway.kind === 'closed')
		return [
			error(
				'discord_gateway',
				`Discord's gateway closed the login with code ${gateway.code}.`,
				'Try again in a minute; if it stays, look the code up at https://discord.com/developers/docs/topics/opcodes-and-status-codes.',
			),
		];
	if (gateway.kind === 'unreachable')
		return [
			error(
				'discord_gateway',
				`The token is good, but the gateway cannot be reached: ${gateway.reason}.`,
				'Let this machine open WebSockets to wss://gateway.discord.gg:443 (a proxy that only lets HTTP through breaks them).',
			),
		];
	if (gateway.kind === 'spared')
		return [
			warning(
				'discord_logins',
				`Only ${gateway.loginsLeft} of today's logins are left, so the gateway was not tried.`,
				'Something logs in again and again (a supervisor that restarts the bot in a loop?): stop it, the count starts anew within a day.',
			),
		];
	return [];
}

function roleFindings(
	applicationId: string,
	{ id, roles, ownRoleIds }: NonNullable<Extract<DiscordFacts, { kind: 'in' }>['guild']>,
	{ adminRoleIds }: DiscordWishes,
): Finding[] {
	const own = roles.filter((role) => ownRoleIds.includes(role.id));
	const admins = adminRoleIds.flatMap((roleId): Finding[] => {
		if (roleId === id)
			return [
				error(
					'admin_role_everyone',
					'discord.adminRoleIds names @everyone: every member may steer the bot.',
					'Name a role that only the right people have (Server settings, Roles, right-click, Copy Role ID).',
				),
			];
		if (roles.some((role) => role.id === roleId)) return [];
		return [
			warning(
				'admin_role_missing',
				`discord.adminRoleIds names ${roleId}, and the server has no such role.`,
				'Server settings, Roles, right-click the role, Copy Role ID; put that into discord.adminRoleIds.',
			),
		];
	});
	if (own.length > 0) return admins;
	return [
		...admins,
		warning(
			'no_own_role',
			'The bot has no role of its own (its highest place in the role order is @everyone): no channel can be opened to it alone, and its name can only be changed if everybody may change theirs.',
			`Open ${inviteLink(applicationId, id)} once more: Discord then makes the role. Its place in the order does not matter.`,
		),
	];
}

function commandFindings(
	applicationId: string,
	commands: readonly string[] | undefined,
	{ commandScope, commandNames }: DiscordWishes,
): Finding[] {
	const where = commandScope === 'guild' ? 'in this server' : 'globally';
	if (commands === undefined)
		return [
			error(
				'commands_scope',
				'The slash commands cannot be read: the bot was invited without the scope applications.commands.',
				`Open ${inviteLink(applicationId)} once more; nothing else changes.`,
			),
		];
	const missing = commandNames.filter((name) => !commands.includes(name));
	if (missing.length === 0) return [];
	if (commands.length === 0)
		return [
			info(
				'commands_none',
				`No slash command is registered ${where} yet.`,
				'npm start registers them at its first login.',
			),
		];
	return [
		warning(
			'commands_old',
			`Not registered ${where}: ${missing.map((name) => `/${name}`).join(', ')}.`,
			'Start the bot once (npm start): it registers its commands when they differ. If another program uses the same application, give each its own.',
		),
	];
}
