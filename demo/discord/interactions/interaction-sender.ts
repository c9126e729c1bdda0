import {
	type APIApplicationCommand,
	type APIInteractionDataResolved,
	ApplicationIntegrationType,
	ChannelType,
	InteractionContextType,
	type InteractionType,
} from 'discord-api-types/v10';
import type { Channel, Message } from '../state/model.ts';
import { channelPermissions } from '../state/permissions.ts';
import { renderChannel, renderMemberWithUser, renderMessage, renderUser } from '../state/render.ts';
import type { World } from '../state/world.ts';
import type { FilledOption } from './command-options.ts';
import type { Interaction, InteractionStore } from './interaction-store.ts';

export interface InteractionDraft {
	type: InteractionType;
	applicationId: string;
	userId: string;
	channel: Channel;
	label: string;
	data: object;
	/** Message whose component was used. */
	source?: Message;
	targetMessageId?: string;
}

/** Opens an interaction and hands it to the bot's sessions as INTERACTION_CREATE. */
export function sendInteraction(world: World, store: InteractionStore, draft: InteractionDraft): Interaction {
	const { channel, source } = draft;
	const interaction = store.open({
		type: draft.type,
		applicationId: draft.applicationId,
		userId: draft.userId,
		channelId: channel.id,
		label: draft.label,
		sourceMessageId: source?.id,
		targetMessageId: draft.targetMessageId,
	});
	const inGuild = channel.type !== ChannelType.DM;
	const account = world.accounts.get(draft.userId);
	const permissions = channelPermissions(world, draft.userId, channel).toString();
	const payload = {
		id: interaction.id,
		application_id: interaction.applicationId,
		type: interaction.type,
		token: interaction.token,
		version: 1,
		channel_id: channel.id,
		channel: { ...renderChannel(world, channel, draft.applicationId), permissions },
		...(inGuild
			? {
					guild_id: world.guildId,
					guild: { id: world.guildId, locale: 'en-US', features: [] },
					guild_locale: 'en-US',
					member: account === undefined ? undefined : { ...renderMemberWithUser(account), permissions },
				}
			: { user: account === undefined ? undefined : renderUser(account) }),
		data: draft.data,
		...(source === undefined ? {} : { message: renderMessage(world, source, draft.applicationId) }),
		locale: 'en-US',
		app_permissions: channelPermissions(world, draft.applicationId, channel).toString(),
		entitlements: [],
		authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: inGuild ? world.guildId : '0' },
		context: inGuild ? InteractionContextType.Guild : InteractionContextType.BotDM,
		attachment_size_limit: 10_485_760,
	};
	store.touch(interaction);
	world.events.publish({
		type: 'INTERACTION_CREATE',
		scope: { kind: 'users', userIds: [draft.applicationId], channelId: channel.id },
		render: () => payload,
	});
	return interaction;
}

/** `data` of a slash command, of its autocomplete, or of a context-menu command. */
export function commandData(
	command: APIApplicationCommand,
	filled: { options?: FilledOption[]; resolved: APIInteractionDataResolved; targetId?: string },
): object {
	const hasResolved = Object.keys(filled.resolved).length > 0;
	return {
		id: command.id,
		name: command.name,
		type: command.type,
		...(command.guild_id === undefined ? {} : { guild_id: command.guild_id }),
		...(filled.options === undefined || filled.options.length === 0 ? {} : { options: filled.options }),
		...(hasResolved ? { resolved: filled.resolved } : {}),
		...(filled.targetId === undefined ? {} : { target_id: filled.targetId }),
	};
}
