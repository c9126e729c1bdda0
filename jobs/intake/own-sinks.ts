import { readAsAnalyst } from '../../core/intake/analyst-reading.ts';
import type { InboxSink } from '../../core/intake/inbox.ts';
import type { IntakeStore } from '../../core/intake/intake-store.ts';
import type { SurfaceOutbox } from '../../core/intake/surface.ts';

/** Name of the built-in business analyst among the sinks. */
export const ANALYST = 'analyst';

/** The business analyst: acknowledges a packet where its session lives and says what is clear, missing and assumed. */
export function createAnalyst(deps: {
	surface: Pick<SurfaceOutbox, 'add'>;
	store: Pick<IntakeStore, 'load'>;
}): InboxSink {
	return {
		name: ANALYST,
		async deliver(packet) {
			const loaded = await deps.store.load(packet.sessionId);
			// Deleted meanwhile: then nobody is there to be told.
			const surface = 'session' in loaded ? loaded.session.place.kind : undefined;
			if (surface)
				await deps.surface.add(packet.sessionId, surface, {
					id: `${packet.id}:reading`,
					kind: 'reading',
					packetId: packet.id,
					reading: readAsAnalyst(packet),
				});
			return { ok: true };
		},
	};
}

/** A Discord channel: the bot shows the packet there. */
export function createChannelSink(deps: {
	name: string;
	channelId: string;
	surface: Pick<SurfaceOutbox, 'add'>;
}): InboxSink {
	return {
		name: deps.name,
		async deliver(packet) {
			await deps.surface.add(packet.sessionId, 'discord', {
				id: `${packet.id}:channel:${deps.name}`,
				kind: 'handoff',
				channelId: deps.channelId,
				packet,
			});
			return { ok: true };
		},
	};
}
