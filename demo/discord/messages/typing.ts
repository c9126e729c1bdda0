import type { Channel } from '../state/model.ts';
import { isGuildChannel, renderMemberWithUser } from '../state/render.ts';
import type { World } from '../state/world.ts';

const shownForMs = 10_000;

/** Shows somebody as typing for ten seconds or until they speak. */
export function startTyping(world: World, channel: Channel, userId: string): void {
	const here = world.typing.get(channel.id) ?? new Map<string, number>();
	here.set(userId, world.now() + shownForMs);
	world.typing.set(channel.id, here);
	const account = world.accounts.get(userId);
	const inGuild = isGuildChannel(world, channel.id);
	world.events.publish({
		type: 'TYPING_START',
		scope: { kind: 'channel', channelId: channel.id },
		render: () => ({
			channel_id: channel.id,
			user_id: userId,
			timestamp: Math.floor(world.now() / 1000),
			...(inGuild && account !== undefined ? { guild_id: world.guildId, member: renderMemberWithUser(account) } : {}),
		}),
	});
}

export function typingUserIds(world: World, channelId: string): string[] {
	return [...(world.typing.get(channelId) ?? [])].filter(([, untilMs]) => untilMs > world.now()).map(([id]) => id);
}
