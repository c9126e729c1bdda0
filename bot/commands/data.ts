import {
	ApplicationIntegrationType,
	InteractionContextType,
	ApplicationCommandOptionType as Option,
	PermissionFlagsBits,
	type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { createTranslate, type TextKey } from '../catalogue.ts';
import { HELP_TOPICS } from '../views/help.ts';

const english = createTranslate('en');
const german = createTranslate('de');

/** Help text of a command in both languages, cut to what Discord shows. */
const says = (key: TextKey) => ({
	description: english(key).slice(0, 100),
	description_localizations: { de: german(key).slice(0, 100) },
});

const room = {
	type: Option.String,
	name: 'room',
	...says('command.option.room'),
	autocomplete: true,
} as const;

const days = {
	type: Option.Integer,
	name: 'days',
	...says('command.option.days'),
	min_value: 1,
	max_value: 90,
} as const;

const choices = (...values: string[]) => values.map((value) => ({ name: value, value }));
const choice = (name: string, key: TextKey, ...values: string[]) =>
	({ type: Option.String, name, ...says(key), required: true, choices: choices(...values) }) as const;

const inGuilds: Pick<RESTPostAPIChatInputApplicationCommandsJSONBody, 'contexts' | 'integration_types'> = {
	contexts: [InteractionContextType.Guild],
	integration_types: [ApplicationIntegrationType.GuildInstall],
};

const manage = PermissionFlagsBits.ManageGuild.toString();

/** Everything that is registered with Discord. Permissions here are only the default; code checks them again. */
export const commandData = [
	{
		name: 'room',
		...says('command.group.room'),
		...inGuilds,
		options: [{ type: Option.Subcommand, name: 'state', ...says('command.room.state'), options: [room] }],
	},
	{
		name: 'overseer',
		...says('command.group.overseer'),
		...inGuilds,
		options: [
			{ type: Option.Subcommand, name: 'status', ...says('command.overseer.status'), options: [room] },
			{
				type: Option.Subcommand,
				name: 'stage',
				...says('command.overseer.stage'),
				options: [choice('value', 'command.option.stage', 'off', 'observe', 'chat', 'full'), room],
			},
			{ type: Option.Subcommand, name: 'panel', ...says('command.overseer.panel'), options: [room] },
			{ type: Option.Subcommand, name: 'why', ...says('command.overseer.why'), options: [room] },
			{
				type: Option.Subcommand,
				name: 'audit',
				...says('command.overseer.audit'),
				options: [
					{ type: Option.Integer, name: 'count', ...says('command.option.count'), min_value: 1, max_value: 50 },
					room,
				],
			},
			{ type: Option.Subcommand, name: 'memory', ...says('command.overseer.memory'), options: [room] },
			{
				type: Option.Subcommand,
				name: 'clear',
				...says('command.overseer.clear'),
				options: [choice('what', 'command.option.clear', 'context', 'memory'), room],
			},
			{
				type: Option.Subcommand,
				name: 'vote',
				...says('command.overseer.vote'),
				options: [choice('answer', 'command.option.vote', 'yes', 'no', 'clear'), room],
			},
			{
				type: Option.Subcommand,
				name: 'runtime',
				...says('command.overseer.runtime'),
				options: [choice('value', 'command.option.runtime', 'overseer', 'commentary', 'off'), room],
			},
			{ type: Option.Subcommand, name: 'stats', ...says('command.overseer.stats'), options: [days] },
		],
	},
	{
		name: 'admin',
		...says('command.group.admin'),
		default_member_permissions: manage,
		...inGuilds,
		options: [
			{
				type: Option.Subcommand,
				name: 'mode',
				...says('command.admin.mode'),
				options: [choice('value', 'command.option.mode', 'open', 'admin', 'lockdown')],
			},
			{
				type: Option.Subcommand,
				name: 'lights-lock',
				...says('command.admin.lights-lock'),
				options: [choice('value', 'command.option.lock', 'none', 'on', 'off')],
			},
			{
				type: Option.Subcommand,
				name: 'pause',
				...says('command.admin.pause'),
				options: [choice('value', 'command.option.pause', 'on', 'off')],
			},
			{ type: Option.Subcommand, name: 'reload', ...says('command.admin.reload') },
			{ type: Option.Subcommand, name: 'usage', ...says('command.admin.usage'), options: [days] },
		],
	},
	{
		name: 'help',
		...says('command.help'),
		...inGuilds,
		options: [
			{
				type: Option.String,
				name: 'about',
				...says('command.option.about'),
				choices: choices(...HELP_TOPICS),
			},
		],
	},
] as const satisfies RESTPostAPIChatInputApplicationCommandsJSONBody[];
