import type { CallAccount } from '../../core/model/model-port.ts';
import type { PendingDecision } from '../../core/overseer/trigger.ts';

/** Who a decision counts for: everybody it answers, and the room's channel. What nobody asked for counts for no person. */
export function accountOf(
	room: { readonly channelId: string },
	{ addresses }: Pick<PendingDecision, 'addresses'>,
): CallAccount {
	return { personIds: addresses.map(({ authorId }) => authorId), channelId: room.channelId };
}
