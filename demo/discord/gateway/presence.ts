import { PresenceUpdateStatus } from 'discord-api-types/v10';
import type { World } from '../state/world.ts';

export interface PresenceWish {
	status?: string;
	activities?: { name: string; type: number; state?: string | null }[];
}

/** Sets the status line of a bot and tells everybody. Without a wish the bot is simply online again. */
export function announcePresence(world: World, userId: string, wish: PresenceWish = {}): void {
	const account = world.accounts.get(userId);
	if (account === undefined) return;
	const activity = wish.activities?.[0];
	account.status = (wish.status as PresenceUpdateStatus | undefined) ?? PresenceUpdateStatus.Online;
	if (wish.activities !== undefined) {
		account.activity = activity === undefined ? null : (activity.state ?? activity.name);
	}
	world.events.publish({
		type: 'PRESENCE_UPDATE',
		scope: { kind: 'guild' },
		render: () => ({
			user: { id: account.id },
			guild_id: world.guildId,
			status: account.status,
			activities: wish.activities ?? [],
			client_status: { web: account.status },
		}),
	});
}
