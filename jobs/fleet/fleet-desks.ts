import type { FleetSettings } from '../../config/fleet.ts';
import type { HostPost } from '../../core/fleet/host-post.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import type {
	ConciergeStore,
	FeedStore,
	FleetPlaces,
	MemoryStore,
	QuestionStore,
	SessionInbox,
	SessionTable,
	WatchStore,
} from '../../core/fleet/stores.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { Queues } from '../queues.ts';
import { createConciergeDesk } from './concierge-desk.ts';
import { createInboxDesk } from './inbox-desk.ts';
import { createMessageDesk } from './message-desk.ts';
import { createPlainWords } from './plain-words.ts';
import { createQuestionDesk } from './question-desk.ts';
import { createReportDesk } from './report-desk.ts';
import { createSettleItem } from './settle-item.ts';
import { createStartDesk } from './start-desk.ts';
import { createTranscriptDesk } from './transcript-desk.ts';

/** Every store of the fleet. */
export interface FleetParts {
	readonly feed: FeedStore & { trim(now: number): Promise<void> };
	readonly questions: QuestionStore;
	readonly sessions: SessionTable;
	readonly inbox: SessionInbox;
	readonly concierge: ConciergeStore;
	readonly memory: MemoryStore;
	readonly watches: WatchStore;
	readonly places: FleetPlaces;
	readonly outbox: FleetOutbox;
	readonly hosts: HostRegister;
	readonly hostPost: HostPost;
}

export interface FleetDeskDeps extends FleetParts {
	settings(): FleetSettings;
	readonly queues: Pick<Queues, 'add'>;
	/** Whether an admin has paused everything. */
	isPaused(): Promise<boolean>;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly tracer: Tracer;
}

/** A wake that was queued is queued again after this long at the earliest; taking it is what makes it one. */
const WAKE_AGAIN_MS = 500;

/** What every process of the house can do with the fleet, whatever its role. */
export function createFleetDesks(deps: FleetDeskDeps) {
	const deliver = (sessionId: string) =>
		deps.tracer.step('fleet.send', { kind: 'producer', marks: { session: sessionId } }, () =>
			deps.queues.add('fleet-deliver', { sessionId }),
		);
	const enqueue = (wakeId: string | undefined) => {
		const wake = wakeId ?? 'next';
		const deduplication = { id: `wake-${wake}`, ttl: WAKE_AGAIN_MS };
		return deps.tracer.step('fleet.due', { kind: 'producer', marks: { wake } }, () =>
			deps.queues.add('fleet-wake', { wake }, { deduplication }),
		);
	};
	const reports = createReportDesk(deps);
	const settle = createSettleItem({ ...deps, reports });
	const plain = createPlainWords(deps);
	return {
		reports,
		settle,
		plain,
		deliver,
		enqueue,
		inboxDesk: createInboxDesk({ ...deps, settle }),
		questionDesk: createQuestionDesk({ ...deps, deliver }),
		messageDesk: createMessageDesk({ ...deps, deliver }),
		conciergeDesk: createConciergeDesk({ ...deps, plain, enqueue }),
		startDesk: createStartDesk({ ...deps, readyTimeoutMs: () => deps.settings().pi.readyTimeoutMs }),
		transcript: createTranscriptDesk(deps),
	};
}

export type FleetDesks = ReturnType<typeof createFleetDesks>;
