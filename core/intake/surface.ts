import type { AnalystReading } from './analyst-reading.ts';
import type { Effect } from './effect.ts';
import type { HandoffPacket } from './handoff-packet.ts';
import type { IntakeSession } from './session.ts';

/** Where something is shown: the threads and channels of Discord, or the answers of the machine interface. */
export type SurfaceName = 'discord' | 'cxp';

export const SHOWN_EFFECTS = ['ask', 'notice', 'error', 'unavailable', 'review', 'notify_admin', 'done'] as const;
export type ShownEffect = Extract<Effect, { kind: (typeof SHOWN_EFFECTS)[number] }>;

/** One thing to show. `id` is stable: show the same id again by doing nothing, or by the same message (nonce). */
export type SurfaceItem =
	| ShownEffect
	/** What the business analyst made of the packet. */
	| { readonly id: string; readonly kind: 'reading'; readonly packetId: string; readonly reading: AnalystReading }
	/** The packet itself, for a channel that is a sink of the inbox. */
	| { readonly id: string; readonly kind: 'handoff'; readonly channelId: string; readonly packet: HandoffPacket };

export interface Showing {
	readonly item: SurfaceItem;
	/** State at this moment, which may be further on than when the item was made. Absent: deleted or unreadable. */
	readonly session: IntakeSession | undefined;
	readonly sessionId: string;
}

export type Shown =
	| { readonly kind: 'shown' }
	/** Not now (thread locked, rate limit): this and all later items of the session wait so long. */
	| { readonly kind: 'later'; readonly afterMs: number }
	/** Can never be shown (thread deleted). */
	| { readonly kind: 'dropped'; readonly reason: string };

/**
 * What sessions want to say, durably kept until it was shown. Items of one session come one after the other and in order;
 * different sessions do not wait for each other. A process that dies while it shows one leaves it to the next, which gets
 * the same item with the same id.
 */
export interface SurfaceOutbox {
	/** Shows until removed; any number of processes may. A `show` that rejects is tried again, later each time. */
	consume(surface: SurfaceName, show: (showing: Showing) => Promise<Shown>): () => Promise<void>;
	/** Adds an item that no step of the session made. Adding the same id again changes nothing. */
	add(sessionId: string, surface: SurfaceName, item: SurfaceItem): Promise<void>;
}

/** Reads what a session put out and nobody took off: the machine interface answers from this list and takes nothing off. */
export interface SurfaceItems {
	/** Oldest first. `item` undefined: it cannot be read. */
	items(
		sessionId: string,
		surface: SurfaceName,
	): Promise<readonly { readonly id: string; readonly item: SurfaceItem | undefined }[]>;
}
