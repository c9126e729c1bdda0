import {
	type APIApplicationCommandOptionChoice,
	type APIModalInteractionResponseCallbackData,
	InteractionResponseType,
	InteractionType,
	MessageFlags,
	MessageType,
} from 'discord-api-types/v10';
import { invalidForm, refusal } from '../discord-error.ts';
import type { MessageBody } from '../messages/message-body.ts';
import { checkMessageBody } from '../messages/message-rules.ts';
import { editMessage, type Origin, postMessage } from '../messages/poster.ts';
import type { Message } from '../state/model.ts';
import { renderMessage } from '../state/render.ts';
import type { World } from '../state/world.ts';
import type { Interaction, InteractionStore } from './interaction-store.ts';
import { checkModal } from './modal-rules.ts';

export interface CallbackBody {
	type?: number;
	data?: Partial<MessageBody> & { choices?: unknown; custom_id?: string };
	files: MessageBody['files'];
}

const { ChannelMessageWithSource, DeferredChannelMessageWithSource, DeferredMessageUpdate } = InteractionResponseType;
const { UpdateMessage, ApplicationCommandAutocompleteResult, Modal } = InteractionResponseType;

/** Which answers fit which kind of interaction. */
function allowedAnswers(interaction: Interaction): readonly number[] {
	const messages = [ChannelMessageWithSource, DeferredChannelMessageWithSource];
	const updates = [DeferredMessageUpdate, UpdateMessage];
	switch (interaction.type) {
		case InteractionType.ApplicationCommandAutocomplete:
			return [ApplicationCommandAutocompleteResult];
		case InteractionType.MessageComponent:
			return [...messages, ...updates, Modal];
		case InteractionType.ModalSubmit:
			return interaction.sourceMessageId === undefined ? messages : [...messages, ...updates];
		default:
			return [...messages, Modal];
	}
}

function originOf(world: World, interaction: Interaction, ephemeral: boolean, loading: boolean): Origin {
	const isCommand = interaction.type === InteractionType.ApplicationCommand;
	return {
		authorId: interaction.applicationId,
		applicationId: interaction.applicationId,
		skipPermissions: true,
		loading,
		audienceId: ephemeral ? interaction.userId : undefined,
		...(isCommand
			? {
					type:
						interaction.targetMessageId === undefined ? MessageType.ChatInputCommand : MessageType.ContextMenuCommand,
				}
			: { replyToId: world.messages.has(interaction.sourceMessageId ?? '') ? interaction.sourceMessageId : undefined }),
		interaction: {
			id: interaction.id,
			type: interaction.type,
			userId: interaction.userId,
			name: isCommand ? interaction.label : undefined,
			targetMessageId: isCommand ? interaction.targetMessageId : interaction.sourceMessageId,
		},
	};
}

function channelOf(world: World, interaction: Interaction) {
	const channel = world.channels.get(interaction.channelId);
	if (channel === undefined) throw refusal('unknownChannel');
	return channel;
}

function checkChoices(choices: unknown): APIApplicationCommandOptionChoice[] {
	if (!Array.isArray(choices)) throw invalidForm('data.choices', 'BASE_TYPE_REQUIRED', 'This field is required');
	if (choices.length > 25) throw invalidForm('data.choices', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
	for (const [index, choice] of (choices as { name?: unknown; value?: unknown }[]).entries()) {
		const at = `data.choices.${index}`;
		if (typeof choice.name !== 'string' || choice.name.length < 1 || choice.name.length > 100) {
			throw invalidForm(`${at}.name`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
		}
		if (typeof choice.value === 'string' && (choice.value.length < 1 || choice.value.length > 100)) {
			throw invalidForm(`${at}.value`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
		}
		if (typeof choice.value !== 'string' && typeof choice.value !== 'number') {
			throw invalidForm(`${at}.value`, 'BASE_TYPE_REQUIRED', 'This field is required');
		}
	}
	return choices as APIApplicationCommandOptionChoice[];
}

/**
 * Takes the first answer to an interaction.
 * Throws 10062 (unknown, or more than 3 s old), 40060 (answered before), 50035 (malformed, or unfit for its kind).
 * A refused answer leaves the interaction open.
 */
export function answerInteraction(
	world: World,
	store: InteractionStore,
	id: string,
	token: string,
	body: CallbackBody,
): { interaction: object; resource: object } {
	const interaction = store.get(id);
	if (interaction === undefined || interaction.token !== token) throw refusal('unknownInteraction');
	if (store.isOverdue(interaction)) throw refusal('unknownInteraction');
	if (interaction.answeredAtMs !== undefined) throw refusal('alreadyAcknowledged');
	const type = body.type;
	if (type === undefined || !allowedAnswers(interaction).includes(type)) {
		throw invalidForm(
			'type',
			'INTERACTION_RESPONSE_TYPE_INVALID',
			`Value must be one of {${allowedAnswers(interaction).join(', ')}}.`,
		);
	}
	const data: MessageBody = { ...body.data, files: body.files };
	let message: Message | undefined;
	const ephemeral = ((data.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
	switch (type) {
		case ChannelMessageWithSource:
		case DeferredChannelMessageWithSource: {
			const loading = type === DeferredChannelMessageWithSource;
			if (!loading) checkMessageBody(data);
			const settled: MessageBody = loading ? { files: [] } : data;
			message = postMessage(
				world,
				channelOf(world, interaction),
				settled,
				originOf(world, interaction, ephemeral, loading),
			);
			interaction.originalMessageId = message.id;
			interaction.ephemeral = ephemeral;
			break;
		}
		case DeferredMessageUpdate:
		case UpdateMessage: {
			const source = world.messages.get(interaction.sourceMessageId ?? '');
			if (source === undefined) throw refusal('unknownMessage');
			message = type === UpdateMessage ? editMessage(world, source, data) : source;
			interaction.originalMessageId = source.id;
			interaction.ephemeral = source.audienceId !== undefined;
			break;
		}
		case ApplicationCommandAutocompleteResult:
			interaction.choices = checkChoices(body.data?.choices);
			break;
		default:
			interaction.modal = checkModal(body.data as Partial<APIModalInteractionResponseCallbackData> | undefined);
	}
	interaction.answeredAtMs = world.now();
	interaction.answeredWith = type;
	if (type !== DeferredChannelMessageWithSource && type !== DeferredMessageUpdate) {
		interaction.completedAtMs = interaction.answeredAtMs;
	}
	store.touch(interaction);
	return {
		interaction: {
			id: interaction.id,
			type: interaction.type,
			...(message === undefined
				? {}
				: {
						response_message_id: message.id,
						response_message_loading: type === DeferredChannelMessageWithSource,
						response_message_ephemeral: interaction.ephemeral,
					}),
		},
		resource: {
			type,
			...(message === undefined ? {} : { message: renderMessage(world, message, interaction.applicationId) }),
		},
	};
}

/** The interaction a webhook path names. Throws 10015 (unknown or not yet answered) and 50027 (15 minutes are over). */
export function demandLiveToken(store: InteractionStore, applicationId: string, token: string): Interaction {
	const interaction = store.byToken(token);
	if (interaction === undefined || interaction.applicationId !== applicationId) throw refusal('unknownWebhook');
	if (store.isExpired(interaction)) throw refusal('invalidWebhookToken');
	if (interaction.answeredAtMs === undefined) throw refusal('unknownWebhook');
	return interaction;
}

/** The message `@original` or an id stands for. Throws 10008 when it is gone or of another interaction. */
export function findResponse(world: World, interaction: Interaction, which: string): Message {
	const id = which === '@original' ? interaction.originalMessageId : which;
	const own = id !== undefined && (id === interaction.originalMessageId || interaction.followUpIds.includes(id));
	const message = own ? world.messages.get(id) : undefined;
	if (message === undefined) throw refusal('unknownMessage');
	return message;
}

export function editResponse(
	world: World,
	store: InteractionStore,
	interaction: Interaction,
	message: Message,
	body: MessageBody,
): Message {
	const edited = editMessage(world, message, body);
	if (message.id === interaction.originalMessageId) interaction.completedAtMs ??= world.now();
	store.touch(interaction);
	return edited;
}

/** Posts a follow-up. The first one after a deferral fills the waiting answer instead, as at Discord. */
export function followUp(world: World, store: InteractionStore, interaction: Interaction, body: MessageBody): Message {
	const original = world.messages.get(interaction.originalMessageId ?? '');
	if (original !== undefined && (original.flags & MessageFlags.Loading) !== 0) {
		return editResponse(world, store, interaction, original, body);
	}
	const ephemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
	const origin = originOf(world, interaction, ephemeral, false);
	const message = postMessage(world, channelOf(world, interaction), body, {
		...origin,
		type: original === undefined ? MessageType.Default : MessageType.Reply,
		replyToId: original?.id,
	});
	interaction.followUpIds.push(message.id);
	store.touch(interaction);
	return message;
}
