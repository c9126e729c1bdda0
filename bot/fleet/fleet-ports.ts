import type { ConciergeModel } from '../../core/fleet/budget.ts';
import type { ConciergeDesk } from '../../core/fleet/concierge-desk.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import type { MessageDesk, QuestionDesk } from '../../core/fleet/question-desk.ts';
import type { StartDesk } from '../../core/fleet/start-desk.ts';
import type {
	ConciergeStore,
	FeedStore,
	FleetPlaces,
	MemoryStore,
	QuestionStore,
	SessionTable,
} from '../../core/fleet/stores.ts';

/** What the Discord surface of the fleet needs from the rest of the house. */
export interface FleetPorts {
	readonly sessions: SessionTable;
	readonly questions: QuestionStore;
	readonly feed: FeedStore;
	readonly concierge: ConciergeStore;
	readonly memory: Pick<MemoryStore, 'read'>;
	readonly places: FleetPlaces;
	readonly outbox: Pick<FleetOutbox, 'consume'>;
	readonly questionDesk: QuestionDesk;
	readonly messageDesk: MessageDesk;
	readonly conciergeDesk: ConciergeDesk;
	/** Absent: nothing can be started from Discord. */
	readonly startDesk?: StartDesk;
	/** The concierge's model as configured now. */
	price(): ConciergeModel;
	/** More transcript than the stored tail; undefined when there is none. Absent: only the stored tail is shown. */
	transcript?(sessionId: string, lines: number, signal: AbortSignal): Promise<readonly string[] | undefined>;
}
