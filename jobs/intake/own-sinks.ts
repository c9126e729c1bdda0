import { readAsAnalyst } from '../../core/intake/analyst-reading.ts';
import type { InboxSink } from '../../core/intake/inbox.ts';
import type { IntakeStore } from '../../core/intake/intake-store.ts';
import type { SurfaceOutbox } from '../../core/intake/surface.ts';
import { pause } from '../pause.ts';

/** Name of the built-in business analyst among the sinks. */
export const ANALYST = 'analyst';

const LAST_CARD_MS = 3_000;

/** The business analyst: acknowledges a packet where its session lives and says what is clear, missing and assumed. */
export function createAnalyst(deps: {
	surface: Pick<SurfaceOutbox, 'add'>;
	store: Pick<IntakeStore, 'load'>;
}): InboxSink {
	/** So that the person reads first that it was handed over, then what was made of it. */
	async function afterHandover(sessionId: string, signal: AbortSignal) {
		const end = performance.now() + LAST_CARD_MS;
		for (;;) {
			const loaded = await deps.store.load(sessionId);
			const isUnderWay = 'session' in loaded && loaded.session.state === 'HANDOVER';
			if (!isUnderWay || signal.aborted || performance.now() > end) return loaded;
			await pause(50, signal);
		}
	}

	return {
		name: ANALYST,
		async deliver(packet, signal) {
			const loaded = await afterHandover(packet.sessionId, signal);
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
