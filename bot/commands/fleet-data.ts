import {
	ApplicationIntegrationType,
	InteractionContextType,
	ApplicationCommandOptionType as Option,
	type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { sessionState } from '../../core/fleet/session-state.ts';
import { createTranslate, type TextKey } from '../catalogue.ts';

const english = createTranslate('en');
const german = createTranslate('de');

/** A text in both languages, cut to what Discord shows. */
const says = (key: TextKey) => ({
	description: english(key).slice(0, 100),
	description_localizations: { de: german(key).slice(0, 100) },
});

const inGuilds = {
	contexts: [InteractionContextType.Guild],
	integration_types: [ApplicationIntegrationType.GuildInstall],
};

const text = (
	name: string,
	key: TextKey,
	more: { required?: boolean; autocomplete?: true; max_length?: number } = {},
) => ({ type: Option.String, name, ...says(key), ...more }) as const;
const oneOf = (name: string, key: TextKey, values: readonly string[], required = false) =>
	({
		type: Option.String,
		name,
		...says(key),
		required,
		choices: values.map((value) => ({ name: value, value })),
	}) as const;
const session = text('session', 'fleet.cmd.option.session', { autocomplete: true });
const question = text('question', 'fleet.cmd.option.question', { required: true, max_length: 2_000 });
const kinds = text('kinds', 'fleet.cmd.option.kinds', { autocomplete: true });

type Options = NonNullable<RESTPostAPIChatInputApplicationCommandsJSONBody['options']>;
const sub = (name: string, key: TextKey, options: readonly unknown[] = []) =>
	({ type: Option.Subcommand, name, ...says(key), options }) as Options[number];

/** What the fleet registers with Discord. Discord itself restricts nothing: code decides with every use. */
export const fleetCommandData: readonly RESTPostAPIChatInputApplicationCommandsJSONBody[] = [
	{
		name: 'concierge',
		...says('fleet.cmd.help.concierge'),
		...inGuilds,
		options: [
			sub('on', 'fleet.cmd.help.on'),
			sub('off', 'fleet.cmd.help.off', [{ type: Option.Boolean, name: 'forget', ...says('fleet.cmd.option.forget') }]),
			sub('status', 'fleet.cmd.help.status'),
			sub('log', 'fleet.cmd.help.ownLog', [session, kinds]),
			sub('ask', 'fleet.cmd.help.ask', [question]),
			sub('attach', 'fleet.cmd.help.attach'),
		],
	},
	{
		name: 'session',
		...says('fleet.cmd.help.session'),
		...inGuilds,
		options: [
			sub('list', 'fleet.cmd.help.list', [oneOf('state', 'fleet.cmd.option.state', sessionState.options)]),
			sub('show', 'fleet.cmd.help.show', [
				session,
				{
					type: Option.Integer,
					name: 'transcript',
					...says('fleet.cmd.option.transcript'),
					min_value: 1,
					max_value: 500,
				},
			]),
			sub('send', 'fleet.cmd.help.send', [
				text('text', 'fleet.cmd.option.text', { required: true, max_length: 4_000 }),
				oneOf('mode', 'fleet.cmd.option.mode', ['queue', 'interrupt'], true),
				session,
			]),
			sub('stop', 'fleet.cmd.help.stop', [session]),
			sub('start', 'fleet.cmd.help.start', [
				text('name', 'fleet.cmd.option.name', { required: true, max_length: 40 }),
				text('directory', 'fleet.cmd.option.directory', { required: true, autocomplete: true }),
				text('task', 'fleet.cmd.option.task', { max_length: 4_000 }),
				text('host', 'fleet.cmd.option.host', { autocomplete: true }),
				text('model', 'fleet.cmd.option.model', { max_length: 100 }),
			]),
			sub('thread', 'fleet.cmd.help.thread', [session]),
			sub('mute', 'fleet.cmd.help.mute', [session, oneOf('value', 'fleet.cmd.option.muted', ['on', 'off'])]),
		],
	},
	{ name: 'ask', ...says('fleet.cmd.help.ask'), ...inGuilds, options: [question] },
	{ name: 'log', ...says('fleet.cmd.help.log'), ...inGuilds, options: [session, kinds] },
];
