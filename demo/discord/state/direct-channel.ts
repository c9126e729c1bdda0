import { ChannelType } from 'discord-api-types/v10';
import type { Channel } from './model.ts';
import { blankChannel, type World } from './world.ts';

/** The direct-message channel between two users; made on first use. */
export function directChannel(world: World, oneId: string, otherId: string): Channel {
	for (const channel of world.channels.values()) {
		if (channel.type !== ChannelType.DM) continue;
		if (channel.recipientIds?.includes(oneId) === true && channel.recipientIds.includes(otherId)) return channel;
	}
	const channel = blankChannel(world, { name: '', type: ChannelType.DM, recipientIds: [oneId, otherId] });
	channel.name = `dm-${channel.id}`;
	world.channels.set(channel.id, channel);
	return channel;
}
