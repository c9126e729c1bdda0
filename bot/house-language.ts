import type { Client } from 'discord.js';
import { type Language, toLanguage } from './catalogue.ts';
import type { BotSettings } from './deps.ts';

/**
 * The language of posts that no interaction asked for, and so nobody's own: as set, else as the server says of itself;
 * English without either.
 */
export function houseLanguage(
	{ language, discord }: Pick<BotSettings, 'language' | 'discord'>,
	client: Client | undefined,
): Language {
	if (language !== undefined) return language;
	const guilds = client?.guilds.cache;
	const guild = discord.guildId === undefined ? guilds?.first() : guilds?.get(discord.guildId);
	return toLanguage(guild?.preferredLocale);
}
