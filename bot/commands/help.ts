import { canDo } from '../../core/access/permissions.ts';
import { helpView } from '../views/help.ts';
import type { Command } from './command.ts';

/** `/help`: only what this person may do, so that nobody tries what will be refused. */
export function createHelpCommand(others: readonly Command[]): Command {
	const help: Command = {
		path: 'help',
		help: 'command.help',
		example: '/help',
		async run({ person, t, text }, { settings }) {
			const { discord, overseer } = settings();
			const allowed = [...others, help].filter(
				({ action, isFor }) =>
					(action === undefined || canDo(action, person, discord).allowed) && (isFor?.(person) ?? true),
			);
			return helpView(allowed, { name: overseer.name, readsEverything: discord.messageContent }, t, text('about'));
		},
	};
	return help;
}
