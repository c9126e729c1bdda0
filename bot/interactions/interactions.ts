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
import { createTranslate, type Translate, toLanguage } from '../catalogue.ts';
import type { Command, CommandDeps, CommandRequest, CommandResult } from '../commands/command.ts';
import { createErrorId } from '../commands/error-id.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { toPayload, type View } from '../views/view.ts';
import { acknowledge } from './acknowledge.ts';
import { autocompleteRooms } from './autocomplete.ts';
import { parseCustomId } from './custom-id.ts';
import { toPanelAction } from './panel-actions.ts';
import { toPerson } from './person.ts';

export interface InteractionDeps {
	readonly commands: readonly Command[];
	readonly commandDeps: CommandDeps;
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

/** Commands and buttons: acknowledge, check who asks, run, answer. Every one ends with words for the person or a log line. */
export function createInteractions(deps: InteractionDeps): Interactions {
	const { commandDeps, log, metrics } = deps;
	const inHand = new Set<Promise<void>>();
	let isStopped = false;

	const serve = async (interaction: Asked, kind: 'command' | 'component') => {
		const askedAt = commandDeps.clock.now();
		const acknowledged = await acknowledge(interaction);
		metrics.observe('discord_ack_seconds', Math.max(0, commandDeps.clock.now() - askedAt) / 1_000);
		const ask = interaction.isChatInputCommand() ? toAsk(interaction) : toComponentAsk(interaction);
		const context = { interactionId: interaction.id, by: interaction.user.id, path: ask?.path ?? 'unknown' };
		if (acknowledged === 'late' || acknowledged === 'lost') {
			metrics.count('discord_interactions_total', { kind, outcome: acknowledged });
			return log.warn(
				{ ...context, acknowledged },
				'a command was dropped unanswered: it could not be acknowledged in time',
			);
		}
		if (!(await isOurs(interaction.id, acknowledged))) {
			metrics.count('discord_interactions_total', { kind, outcome: 'taken' });
			return log.info(context, 'a command was answered elsewhere');
		}
		const t = createTranslate(toLanguage(interaction.locale));
		const { view, outcome } = await run(interaction, ask, t, context);
		metrics.count('discord_interactions_total', { kind, outcome });
		await answer(interaction, view, t, context);
	};

	/** A request that was acknowledged twice is run by whoever claims it; without a store only a sole acknowledger runs. */
	const isOurs = (id: string, acknowledged: 'ours' | 'taken') =>
		deps.claims.claim(`interaction-${id}`).catch(() => acknowledged === 'ours');

	const run = async (interaction: Asked, ask: Ask | undefined, t: Translate, context: Record<string, string>) => {
		const command = deps.commands.find((candidate) => candidate.path === ask?.path);
		if (command === undefined || ask === undefined) {
			const view: View = {
				content: t(interaction.isChatInputCommand() ? 'refused.unknownCommand' : 'refused.oldButton'),
			};
			return { view, outcome: 'refused' };
		}
		try {
			const { discord } = commandDeps.settings();
			const person = toPerson(interaction, discord.guildId);
			if (command.action !== undefined && !canDo(command.action, person, discord).allowed) {
				log.info({ ...context, action: command.action }, 'refused: not allowed');
				return { view: { content: t('refused.permission') }, outcome: 'refused' };
			}
			const language = toLanguage(interaction.locale);
			const request: CommandRequest = {
				person,
				language,
				t,
				channelId: interaction.channelId,
				text: ask.text,
				number: ask.number,
			};
			const result = await command.run(request, commandDeps);
			deps.onDone();
			return isRefusal(result)
				? { view: { content: t(result.refused, result.vars) }, outcome: 'refused' }
				: { view: result, outcome: 'done' };
		} catch (error) {
			const id = createErrorId(deps.random);
			log.error({ ...context, error, errorId: id }, 'a command failed');
			return {
				view: { content: t(isStoreError(error) ? 'error.store' : 'error.unexpected', { id }) },
				outcome: 'failed',
			};
		}
	};

	const answer = async (interaction: Asked, view: View, t: Translate, context: Record<string, string>) => {
		try {
			await interaction.editReply(toPayload(view));
		} catch (error) {
			const { reason } = toDiscordFailure(error);
			log.warn({ ...context, error, reason }, 'a command was done but could not be answered in private');
			if (!['interaction_expired', 'interaction_late', 'gone'].includes(reason)) return;
			const channel = interaction.channel;
			if (channel?.isSendable())
				await channel.send(toPayload({ content: t('error.late', { command: `\`/${context['path']}\`` }) }));
		}
	};

	const take = async (interaction: Interaction) => {
		if (interaction.isChatInputCommand()) return serve(interaction, 'command');
		if (interaction.isMessageComponent()) return serve(interaction, 'component');
		if (interaction.isAutocomplete())
			return interaction.respond(autocompleteRooms(commandDeps.settings().rooms, interaction.options.getFocused()));
	};

	return {
		attach(client) {
			client.on(Events.InteractionCreate, (interaction) => {
				if (isStopped) return;
				const work = take(interaction)
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
		text: (option) => options.getString(option) ?? undefined,
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

/** Stores name their failures with codes such as `redis_unavailable`. */
function isStoreError(error: unknown): boolean {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('redis_');
}
