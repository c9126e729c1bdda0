import {
	type APIApplicationCommand,
	type APIInteractionDataResolved,
	ApplicationCommandType,
	ComponentType,
	InteractionType,
	PermissionFlagsBits,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { fillOptions, type OptionValues, resolveThing, resolveUser } from '../interactions/command-options.ts';
import { commandData, sendInteraction } from '../interactions/interaction-sender.ts';
import type { Interaction } from '../interactions/interaction-store.ts';
import { type FieldValue, fillModal } from '../interactions/modal-fields.ts';
import { isSelect, type LooseComponent, walkComponents } from '../messages/component-rules.ts';
import type { Account, Channel, Message } from '../state/model.ts';
import { channelPermissions } from '../state/permissions.ts';
import { renderMessage } from '../state/render.ts';
import { findNamed } from '../state/world.ts';
import { ControlError } from './control-error.ts';
import { accountOf, botOf, channelByName, messageById, personOf } from './lookups.ts';
import { type ControlServices, fileInput, number, operation, toUpload } from './operation.ts';
import { type SeenInteraction, seenInteraction } from './seen.ts';
import { waitUntil } from './waits.ts';

const as = z.string();
const waiting = {
	/** `acknowledged` returns at the first answer, `complete` when a deferred answer has its text, `sent` at once. */
	until: z.enum(['sent', 'acknowledged', 'complete']).default('acknowledged'),
	timeoutMs: number.default(5000),
};
const optionValue = z.union([z.string(), z.number(), z.boolean(), fileInput]);

type Until = 'sent' | 'acknowledged' | 'complete';

/** Waits as asked and tells how the interaction stands then; running out of time is no error. */
async function settle(
	{ world, interactions }: ControlServices,
	interaction: Interaction,
	{ until, timeoutMs }: { until: Until; timeoutMs: number },
): Promise<SeenInteraction> {
	const isSettled = (): true | undefined => {
		if (until === 'sent' || interactions.isOverdue(interaction)) return true;
		const done = until === 'complete' ? interaction.completedAtMs : interaction.answeredAtMs;
		return done === undefined ? undefined : true;
	};
	await waitUntil(isSettled, [interactions.onChange], timeoutMs);
	return seenInteraction(world, interactions, interaction);
}

function demandCommands(
	services: ControlServices,
	person: Account,
	channel: Channel,
	command?: APIApplicationCommand,
): void {
	const { world } = services;
	const bits = channelPermissions(world, person.id, channel);
	const needed = BigInt(command?.default_member_permissions ?? 0);
	const closed = command?.default_member_permissions === '0';
	const isAdmin = (bits & PermissionFlagsBits.Administrator) !== 0n;
	const inGuild = channel.recipientIds === undefined;
	const mayUse = !inGuild || (bits & PermissionFlagsBits.UseApplicationCommands) !== 0n;
	if (isAdmin) return;
	if (!mayUse || (inGuild && ((bits & needed) !== needed || closed))) {
		throw new ControlError('not-allowed', `${person.name} may not use this command here`);
	}
}

/** Finds a command by its first word; names with spaces are context-menu commands and match whole. */
function findCommand(
	services: ControlServices,
	botName: string | undefined,
	type: ApplicationCommandType,
	text: string,
) {
	const { world, commands } = services;
	const bots = botName === undefined ? [...world.applications.values()] : [botOf(world, botName)];
	const words = text.replace(/^\//, '').trim().split(/\s+/);
	const wanted = type === ApplicationCommandType.ChatInput ? words[0] : text.trim();
	for (const bot of bots) {
		const command = commands.visible(bot.id).find((one) => one.type === type && one.name === wanted);
		if (command !== undefined) return { bot, command, path: words.slice(1) };
	}
	throw new ControlError('unknown', `no command is called "${text}"`);
}

function uploadOptions(options: Record<string, z.output<typeof optionValue>>): OptionValues {
	return Object.fromEntries(
		Object.entries(options).map(([name, value], index) => [
			name,
			typeof value === 'object' ? toUpload(value, index) : value,
		]),
	);
}

/** The usable component of a message with that custom id or label. */
function findComponent(message: Message, wanted: string, accept: (one: LooseComponent) => boolean): LooseComponent {
	const all = [...walkComponents(message.components)].filter(accept);
	const component =
		all.find((one) => one.custom_id === wanted) ??
		all.find((one) => one.label === wanted || one.placeholder === wanted || one.emoji?.name === wanted);
	if (component === undefined) {
		throw new ControlError(
			'unknown',
			`the message has none of these: ${wanted}; it has ${all.map((one) => one.custom_id).join(', ') || 'nothing'}`,
		);
	}
	if (component.disabled === true) throw new ControlError('disabled', `"${wanted}" is disabled`);
	if (component.custom_id === undefined) throw new ControlError('invalid', `"${wanted}" only opens a link`);
	return component;
}

function useComponent(
	services: ControlServices,
	asName: string,
	messageId: string,
	pick: (message: Message) => { component: LooseComponent; data: object },
) {
	const { world, interactions } = services;
	const person = personOf(world, asName);
	const { message, channel } = messageById(world, messageId, person.id);
	const { component, data } = pick(message);
	return sendInteraction(world, interactions, {
		type: InteractionType.MessageComponent,
		applicationId: message.applicationId ?? message.authorId,
		userId: person.id,
		channel,
		label: component.custom_id ?? '',
		source: message,
		data: { custom_id: component.custom_id, component_type: component.type, id: component.id ?? 0, ...data },
	});
}

export const interactionOperations = {
	/** Runs a slash command: `command: 'room state'`, options by name. */
	command: operation(
		z.object({
			as,
			channel: z.string(),
			command: z.string(),
			options: z.record(z.string(), optionValue).default({}),
			bot: z.string().optional(),
			...waiting,
		}),
		async (services, input): Promise<SeenInteraction> => {
			const { world, interactions } = services;
			const person = personOf(world, input.as);
			const channel = channelByName(world, input.channel, person.id);
			const { bot, command, path } = findCommand(services, input.bot, ApplicationCommandType.ChatInput, input.command);
			demandCommands(services, person, channel, command);
			const filled = fillOptions(world, channel.id, command, path, uploadOptions(input.options));
			const interaction = sendInteraction(world, interactions, {
				type: InteractionType.ApplicationCommand,
				applicationId: bot.id,
				userId: person.id,
				channel,
				label: [command.name, ...path].join(' '),
				data: commandData(command, filled),
			});
			return settle(services, interaction, input);
		},
	),
	/** Asks for suggestions for the option `focused`, with what has been typed so far in `options`. */
	autocomplete: operation(
		z.object({
			as,
			channel: z.string(),
			command: z.string(),
			options: z.record(z.string(), optionValue).default({}),
			focused: z.string(),
			bot: z.string().optional(),
			...waiting,
		}),
		async (services, input): Promise<SeenInteraction> => {
			const { world, interactions } = services;
			const person = personOf(world, input.as);
			const channel = channelByName(world, input.channel, person.id);
			const { bot, command, path } = findCommand(services, input.bot, ApplicationCommandType.ChatInput, input.command);
			demandCommands(services, person, channel, command);
			const filled = fillOptions(world, channel.id, command, path, uploadOptions(input.options), input.focused);
			const interaction = sendInteraction(world, interactions, {
				type: InteractionType.ApplicationCommandAutocomplete,
				applicationId: bot.id,
				userId: person.id,
				channel,
				label: [command.name, ...path].join(' '),
				data: commandData(command, filled),
			});
			return settle(services, interaction, input);
		},
	),
	/** Runs a context-menu command on a message. */
	messageCommand: operation(
		z.object({ as, message: z.string(), command: z.string(), bot: z.string().optional(), ...waiting }),
		async (services, input): Promise<SeenInteraction> => {
			const { world, interactions } = services;
			const person = personOf(world, input.as);
			const { message, channel } = messageById(world, input.message, person.id);
			const { bot, command } = findCommand(services, input.bot, ApplicationCommandType.Message, input.command);
			demandCommands(services, person, channel, command);
			const resolved = { messages: { [message.id]: renderMessage(world, message, bot.id) } };
			const interaction = sendInteraction(world, interactions, {
				type: InteractionType.ApplicationCommand,
				applicationId: bot.id,
				userId: person.id,
				channel,
				label: command.name,
				targetMessageId: message.id,
				data: commandData(command, { resolved: resolved as APIInteractionDataResolved, targetId: message.id }),
			});
			return settle(services, interaction, input);
		},
	),
	/** Runs a context-menu command on a person. */
	userCommand: operation(
		z.object({
			as,
			channel: z.string(),
			user: z.string(),
			command: z.string(),
			bot: z.string().optional(),
			...waiting,
		}),
		async (services, input): Promise<SeenInteraction> => {
			const { world, interactions } = services;
			const person = personOf(world, input.as);
			const channel = channelByName(world, input.channel, person.id);
			const target = accountOf(world, input.user);
			const { bot, command } = findCommand(services, input.bot, ApplicationCommandType.User, input.command);
			demandCommands(services, person, channel, command);
			const resolved: APIInteractionDataResolved = {};
			resolveUser(world, resolved, target.id, channel.id);
			const interaction = sendInteraction(world, interactions, {
				type: InteractionType.ApplicationCommand,
				applicationId: bot.id,
				userId: person.id,
				channel,
				label: command.name,
				data: commandData(command, { resolved, targetId: target.id }),
			});
			return settle(services, interaction, input);
		},
	),
	/** Presses a button, named by custom id or label. */
	button: operation(
		z.object({ as, message: z.string(), button: z.string(), ...waiting }),
		async (services, input): Promise<SeenInteraction> => {
			const interaction = useComponent(services, input.as, input.message, (message) => ({
				component: findComponent(message, input.button, (one) => one.type === ComponentType.Button),
				data: {},
			}));
			return settle(services, interaction, input);
		},
	),
	/** Chooses in a select, named by custom id or placeholder; values by value, label, name or id. */
	select: operation(
		z.object({ as, message: z.string(), select: z.string(), values: z.array(z.string()), ...waiting }),
		async (services, input): Promise<SeenInteraction> => {
			const { world } = services;
			const interaction = useComponent(services, input.as, input.message, (message) => {
				const component = findComponent(message, input.select, isSelect);
				const least = component.min_values ?? 1;
				const most = component.max_values ?? 1;
				if (input.values.length < least || input.values.length > most) {
					throw new ControlError('invalid-option', `choose between ${least} and ${most}`);
				}
				const resolved: APIInteractionDataResolved = {};
				const values = input.values.map((text) => {
					if (component.type === ComponentType.StringSelect) {
						const options = component.options ?? [];
						const option = options.find((one) => one.value === text) ?? options.find((one) => one.label === text);
						if (option?.value === undefined) throw new ControlError('invalid-option', `there is no option "${text}"`);
						return option.value;
					}
					const account = findNamed(world.accounts.values(), text);
					const found = account ?? findNamed(world.roles.values(), text) ?? findNamed(world.channels.values(), text);
					if (found === undefined) throw new ControlError('invalid-option', `nothing is called "${text}"`);
					if (account !== undefined) resolveUser(world, resolved, account.id, message.channelId);
					else resolveThing(world, resolved, found.id);
					return found.id;
				});
				return { component, data: { values, ...(Object.keys(resolved).length > 0 ? { resolved } : {}) } };
			});
			return settle(services, interaction, input);
		},
	),
	/** Fills in the modal that the interaction `interaction` opened, and sends it. */
	modal: operation(
		z.object({
			as,
			interaction: z.string(),
			fields: z
				.record(z.string(), z.union([z.string(), z.boolean(), z.null(), z.array(z.string()), z.array(fileInput)]))
				.default({}),
			...waiting,
		}),
		async (services, input): Promise<SeenInteraction> => {
			const { world, interactions } = services;
			const person = personOf(world, input.as);
			const opener = interactions.get(input.interaction);
			if (opener?.modal === undefined || opener.userId !== person.id) {
				throw new ControlError('unknown', `no modal of ${input.interaction} is open for ${person.name}`);
			}
			const channel = channelByName(world, opener.channelId, person.id);
			const values = Object.fromEntries(
				Object.entries(input.fields).map(([name, value]): [string, FieldValue] => {
					const isFiles = Array.isArray(value) && typeof value[0] === 'object';
					return [name, isFiles ? (value as z.output<typeof fileInput>[]).map(toUpload) : (value as FieldValue)];
				}),
			);
			const submission = fillModal(world, channel.id, opener.modal, values);
			const interaction = sendInteraction(world, interactions, {
				type: InteractionType.ModalSubmit,
				applicationId: opener.applicationId,
				userId: person.id,
				channel,
				label: opener.modal.custom_id,
				source: world.messages.get(opener.sourceMessageId ?? ''),
				data: {
					custom_id: opener.modal.custom_id,
					components: submission.components,
					...(Object.keys(submission.resolved).length > 0 ? { resolved: submission.resolved } : {}),
				},
			});
			return settle(services, interaction, input);
		},
	),
	/** How an earlier interaction stands, waiting if asked. */
	interaction: operation(
		z.object({ id: z.string(), ...waiting, until: waiting.until.default('sent') }),
		async (services, input): Promise<SeenInteraction> => {
			const interaction = services.interactions.get(input.id);
			if (interaction === undefined) throw new ControlError('unknown', `there is no interaction ${input.id}`);
			return settle(services, interaction, input);
		},
	),
};
