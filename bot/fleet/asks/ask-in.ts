import type { Message } from 'discord.js';
import { questionIn } from '../../../core/fleet/concierge-command.ts';
import type { BotSettings } from '../../deps.ts';
import { isForUs, wordsOf } from '../door/words-of.ts';

/**
 * What a message in the fleet channel asks the concierge: the words after `?`, or those of one that mentions us. Empty for a
 * bare mention, undefined for a message that is no question. Where the channel is also a room's, mentions are the room's.
 */
export function askIn(message: Message, settings: Pick<BotSettings, 'fleet' | 'rooms'>): string | undefined {
	if (message.channelId !== settings.fleet.channelId) return undefined;
	const asked = questionIn(message.content);
	if (asked !== undefined) return wordsOf(message, asked);
	if (settings.rooms.some(({ channelId }) => channelId === message.channelId) || !isForUs(message)) return undefined;
	const words = wordsOf(message);
	return questionIn(words) ?? words;
}
