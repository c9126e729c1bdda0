import type { Message } from 'discord.js';
import { toDiscordFailure } from '../../discord-failure.ts';
import { isThreadId } from './thread-id.ts';

/** Whether a thread hangs on a header of ours: it was a session's, also when nothing of that is stored any more. */
export async function isSessionThread(channel: Message['channel']): Promise<boolean> {
	if (!channel.isThread()) return false;
	const header = await channel.fetchStarterMessage().catch((error: unknown) => {
		if (toDiscordFailure(error).isPermanent) return null;
		throw error;
	});
	if (header === null || header.author.id !== channel.client.user.id) return false;
	return header.components.some(
		(row) =>
			'components' in row && row.components.some((one) => 'customId' in one && isThreadId(String(one.customId ?? ''))),
	);
}
