import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { IntakeDesk } from '../../core/intake/intake-desk.ts';
import type { IntakeStore } from '../../core/intake/intake-store.ts';
import type { SurfaceOutbox } from '../../core/intake/surface.ts';

/** A card as it stands on Discord. */
export interface CardRecord {
	readonly messageId: string;
	/** Hash of what it shows. */
	readonly hash: string;
}

/** Remembers which message is which card of a session, over restarts and processes. No conversation is in it. */
export interface CardMemory {
	get(sessionId: string, card: string): Promise<CardRecord | undefined>;
	/** `undefined` forgets it. */
	set(sessionId: string, card: string, record: CardRecord | undefined): Promise<void>;
}

/** What the Discord surface of the intake needs from the rest of the house. */
export interface IntakePorts {
	readonly desk: IntakeDesk;
	readonly store: IntakeStore;
	readonly surface: Pick<SurfaceOutbox, 'consume'>;
	readonly audit: Pick<IntakeAudit, 'query'>;
	readonly cards: CardMemory;
}
