import { ChannelType } from 'discord-api-types/v10';
import { directChannel } from '../state/direct-channel.ts';
import type { Account, BotApplication, Channel, Message } from '../state/model.ts';
import { canView } from '../state/permissions.ts';
import { findNamed, type World } from '../state/world.ts';
import { ControlError } from './control-error.ts';

/** A person (not a bot) by name or id. */
export function personOf(world: World, nameOrId: string): Account {
	const person = findNamed(world.accounts.values(), nameOrId, (one) => !one.isBot);
	if (person === undefined) throw new ControlError('unknown', `nobody is called "${nameOrId}"`);
	return person;
}

/** A person or bot by name or id. */
export function accountOf(world: World, nameOrId: string): Account {
	const account = findNamed(world.accounts.values(), nameOrId);
	if (account === undefined) throw new ControlError('unknown', `nobody is called "${nameOrId}"`);
	return account;
}

export function botOf(world: World, nameOrId: string | undefined): BotApplication {
	const bots = [...world.applications.values()];
	const bot = nameOrId === undefined ? bots[0] : findNamed(bots, nameOrId);
	if (bot === undefined) throw new ControlError('unknown', `no bot is called "${nameOrId}"`);
	return bot;
}

/**
 * A channel or thread by id or name, or `dm:majordomo` for a direct message with a bot.
 * With `viewerId`, one that this person does not see is as good as unknown.
 */
export function channelByName(world: World, nameOrId: string, viewerId?: string): Channel {
	const partner = /^dm:(.+)$/.exec(nameOrId)?.[1];
	if (partner !== undefined && viewerId !== undefined) {
		return directChannel(world, botOf(world, partner).id, viewerId);
	}
	const speakable = (one: Channel): boolean => one.type !== ChannelType.GuildCategory;
	const visible = (one: Channel): boolean =>
		speakable(one) && (viewerId === undefined || canView(world, viewerId, one));
	const channel = findNamed([...world.channels.values()].reverse(), nameOrId, visible);
	if (channel !== undefined) return channel;
	if (findNamed(world.channels.values(), nameOrId, speakable) !== undefined) {
		throw new ControlError('not-allowed', `channel "${nameOrId}" is hidden from this person`);
	}
	throw new ControlError('unknown', `no channel is called "${nameOrId}"`);
}

/** A message by id with its channel, as far as the viewer sees it. */
export function messageById(world: World, id: string, viewerId?: string): { message: Message; channel: Channel } {
	const message = world.messages.get(id);
	const channel = world.channels.get(message?.channelId ?? '');
	const hidden =
		viewerId !== undefined &&
		message !== undefined &&
		channel !== undefined &&
		(!canView(world, viewerId, channel) || (message.audienceId !== undefined && message.audienceId !== viewerId));
	if (message === undefined || channel === undefined || hidden) {
		throw new ControlError('unknown', `no message ${id} is visible`);
	}
	return { message, channel };
}
