import { MessageType } from 'discord-api-types/v10';
import { refusal } from '../discord-error.ts';
import type { Channel, Message } from '../state/model.ts';
import { isGuildChannel } from '../state/render.ts';
import type { World } from '../state/world.ts';
import { postSystemMessage } from '../threads/thread-maker.ts';
import { announceUpdate } from './poster.ts';

const maxPins = 250;

/** Newest pin first. */
export function pinnedMessages(world: World, channel: Channel): Message[] {
	return channel.messageIds
		.flatMap((id) => world.messages.get(id) ?? [])
		.filter((one) => one.pinnedAtMs !== null)
		.sort((a, b) => (b.pinnedAtMs ?? 0) - (a.pinnedAtMs ?? 0));
}

export function setPinned(world: World, channel: Channel, message: Message, userId: string, pinned: boolean): void {
	if (channel.thread?.archived === true) throw refusal('threadArchived');
	if ((message.pinnedAtMs !== null) === pinned) return;
	if (pinned && pinnedMessages(world, channel).length >= maxPins) throw refusal('tooManyPins');
	message.pinnedAtMs = pinned ? world.now() : null;
	announceUpdate(world, message);
	world.events.publish({
		type: 'CHANNEL_PINS_UPDATE',
		scope: { kind: 'channel', channelId: channel.id },
		render: () => ({
			channel_id: channel.id,
			...(isGuildChannel(world, channel.id) ? { guild_id: world.guildId } : {}),
			last_pin_timestamp: pinned ? new Date(world.now()).toISOString() : null,
		}),
	});
	if (!pinned) return;
	postSystemMessage(world, channel, userId, MessageType.ChannelPinnedMessage, '', {
		messageId: message.id,
		channelId: channel.id,
	});
}
