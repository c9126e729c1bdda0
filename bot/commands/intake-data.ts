import {
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	ApplicationCommandOptionType as Option,
	type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { createTranslate, type TextKey } from '../catalogue.ts';
import { MENU_NAME } from '../intake/menu-name.ts';

const english = createTranslate('en');
const german = createTranslate('de');
const says = (key: TextKey) => ({
	description: english(key).slice(0, 100),
	description_localizations: { de: german(key).slice(0, 100) },
});

const inGuilds = {
	contexts: [InteractionContextType.Guild],
	integration_types: [ApplicationIntegrationType.GuildInstall],
};

const id = {
	type: Option.String,
	name: 'id',
	description: 'Which intake, when this is not its thread',
	description_localizations: { de: 'Welches Intake, wenn das nicht sein Thread ist' },
	autocomplete: true,
} as const;

const aboutOne = (name: string, key: TextKey) => ({
	type: Option.Subcommand as const,
	name,
	...says(key),
	options: [id],
});

/** What the intake registers with Discord. */
export const intakeCommandData: RESTPostAPIApplicationCommandsJSONBody[] = [
	{
		name: 'intake',
		description: 'Turns a wish into a specification',
		description_localizations: { de: 'Macht aus einem Wunsch eine Spezifikation' },
		...inGuilds,
		options: [
			{
				type: Option.Subcommand,
				name: 'start',
				...says('command.intake.start'),
				options: [
					{
						type: Option.String,
						name: 'intent',
						description: 'What you want built; without it a form asks',
						description_localizations: { de: 'Was gebaut werden soll; ohne das fragt ein Formular' },
						max_length: 6_000,
					},
				],
			},
			aboutOne('status', 'command.intake.status'),
			{ type: Option.Subcommand, name: 'list', ...says('command.intake.list') },
			aboutOne('cancel', 'command.intake.cancel'),
			aboutOne('export', 'command.intake.export'),
			aboutOne('keep', 'command.intake.keep'),
			aboutOne('delete', 'command.intake.delete'),
			{
				type: Option.Subcommand,
				name: 'invite',
				...says('command.intake.invite'),
				options: [
					{
						type: Option.User,
						name: 'person',
						description: 'Who may answer too',
						description_localizations: { de: 'Wer auch antworten darf' },
						required: true,
					},
					id,
				],
			},
			aboutOne('audit', 'command.intake.audit'),
		],
	},
	{
		type: ApplicationCommandType.Message,
		name: MENU_NAME,
		name_localizations: { de: 'Intake beginnen' },
		...inGuilds,
	},
];
