import {
	type ChatInputCommandInteraction,
	type Client,
	Events,
	type Interaction,
	type MessageComponentInteraction,
} from 'discord.js';
import { canDo } from '../../core/access/permissions.ts';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Log, Metrics, Random } from '../../core/ports.ts';
import { type Translate, toLanguage } from '../catalogue.ts';
import type { Command, CommandDeps, CommandRequest, CommandResult } from '../commands/command.ts';
import { autocompleteRooms } from './autocomplete.ts';
import { parseCustomId } from './custom-id.ts';
import { toPanelAction } from './panel-actions.ts';
import { toPerson } from './person.ts';
import { createServe, type Serve, type Served } from './serve.ts';

/** Interactions of one part of the bot that need more than a command: forms, message menus, suggestions. */
export interface InteractionArea {
	/** The work when it is this area's interaction, undefined when it is not. */
	take(interaction: Interaction, serve: Serve): Promise<unknown> | undefined;
}

export interface InteractionDeps {
	readonly commands: readonly Command[];
	readonly commandDeps: CommandDeps;
	readonly areas?: readonly InteractionArea[];
	readonly claims: Pick<MessageClaims, 'claim'>;
	/** A command ran; what panels show may have changed. */
	readonly onDone: () => void;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}

export interface Interactions {
	attach(client: Client): void;
	/** Takes no new ones and waits for those in hand. */
	stop(): Promise<void>;
}

type Asked = ChatInputCommandInteraction | MessageComponentInteraction;

/** What was asked for, from a slash command or a component. */
interface Ask {
	readonly path: string;
	readonly text: (option: string) => string | undefined;
	readonly number: (option: string) => number | undefined;
}

/** Commands and buttons: acknowledge, check who asks, run, answer. */
export function createInteractions(deps: InteractionDeps): Interactions {
	const { commandDeps, log } = deps;
	const serve = createServe({ ...deps, clock: commandDeps.clock });
	const inHand = new Set<Promise<void>>();
	let isStopped = false;

	const run = async (interaction: Asked, ask: Ask | undefined, t: Translate): Promise<Served> => {
		const command = deps.commands.find((candidate) => candidate.path === ask?.path);
		if (command === undefined || ask === undefined) {
			const key = interaction.isChatInputCommand() ? 'refused.unknownCommand' : 'refused.oldButton';
			return { view: { content: t(key) }, outcome: 'refused' };
		}
		const { discord } = commandDeps.settings();
		const person = toPerson(interaction, discord.guildId);
		if (command.action !== undefined && !canDo(command.action, person, discord).allowed) {
			log.info({ by: person.id, path: command.path, action: command.action }, 'refused: not allowed');
			return { view: { content: t('refused.permission') }, outcome: 'refused' };
		}
		const request: CommandRequest = {
			person,
			personName:
				interaction.member !== null && 'displayName' in interaction.member
					? interaction.member.displayName
					: interaction.user.displayName,
			language: toLanguage(interaction.locale),
			t,
			channelId: interaction.channelId,
			interactionId: interaction.id,
			locale: interaction.locale,
			text: ask.text,
			number: ask.number,
		};
		const result = await command.run(request, commandDeps);
		deps.onDone();
		return isRefusal(result)
			? { view: { content: t(result.refused, result.vars) }, outcome: 'refused' }
			: { view: result, outcome: 'done' };
	};

	const take = async (interaction: Interaction): Promise<unknown> => {
		for (const area of deps.areas ?? []) {
			const work = area.take(interaction, serve);
			if (work !== undefined) return work;
		}
		if (interaction.isChatInputCommand() || interaction.isMessageComponent()) {
			const ask = interaction.isChatInputCommand() ? toAsk(interaction) : toComponentAsk(interaction);
			const kind = interaction.isChatInputCommand() ? 'command' : 'component';
			return serve(interaction, { kind, path: ask?.path ?? 'unknown' }, (t) => run(interaction, ask, t));
		}
		if (interaction.isAutocomplete())
			return interaction.respond(autocompleteRooms(commandDeps.settings().rooms, interaction.options.getFocused()));
		return undefined;
	};

	return {
		attach(client) {
			client.on(Events.InteractionCreate, (interaction) => {
				if (isStopped) return;
				const work = take(interaction)
					.then(() => undefined)
					.catch((error: unknown) =>
						log.error({ error, interactionId: interaction.id }, 'an interaction could not be handled'),
					)
					.finally(() => inHand.delete(work));
				inHand.add(work);
			});
		},
		async stop() {
			isStopped = true;
			await Promise.all(inHand);
		},
	};
}

function toAsk(interaction: ChatInputCommandInteraction): Ask {
	const { options } = interaction;
	const parts = [interaction.commandName, options.getSubcommandGroup(false), options.getSubcommand(false)];
	return {
		path: parts.filter((part) => part !== null).join(' '),
		// People, channels and roles come as their id.
		text: (option) => {
			const value = options.get(option)?.value;
			return value === undefined ? undefined : String(value);
		},
		number: (option) => options.getInteger(option) ?? undefined,
	};
}

function toComponentAsk(interaction: MessageComponentInteraction): Ask | undefined {
	const id = parseCustomId(interaction.customId);
	const selected = interaction.isStringSelectMenu() ? interaction.values[0] : undefined;
	const action = id?.area === 'panel' ? toPanelAction(id.action, id.target, selected) : undefined;
	return action && { path: action.path, text: (option) => action.options[option], number: () => undefined };
}

function isRefusal(result: CommandResult): result is Extract<CommandResult, { refused: unknown }> {
	return 'refused' in result;
}
