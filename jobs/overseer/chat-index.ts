import type { ChatBus } from '../../core/chat/bus-port.ts';
import type { RoomStore } from '../../core/overseer/room-store.ts';
import type { RoomNudges } from '../../core/overseer/stores.ts';
import type { Log } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';

/**
 * Copies each line on the bus into its room's transcript and nudges the gate. Lines of places that are no rooms are left
 * to others. Returns the remover.
 */
export function startChatIndex(deps: {
	bus: ChatBus;
	store: RoomStore;
	nudges: RoomNudges;
	roomIds(): readonly string[];
	log: Log;
	tracer: Tracer;
}): () => Promise<void> {
	return deps.bus.consume('rooms', async (message) => {
		if (!deps.roomIds().includes(message.room)) return;
		const marks = { messageId: message.id };
		const isNew = await deps.tracer.step('room.transcript', { parent: message.trace, kind: 'consumer', marks }, () =>
			deps.store.addMessage(message),
		);
		if (!isNew || message.bot) return;
		await deps.nudges
			.send(message.room)
			.catch((error: Error) => deps.log.debug({ room: message.room, error }, 'nudge lost; the tick looks anyway'));
	});
}
