import type { FeedDraft } from '../../core/fleet/feed-event.ts';
import type { FeedStore } from '../../core/fleet/stores.ts';
import type { DecisionJournal } from '../../core/overseer/stores.ts';

/** Where in which turn something is done; its key is the same when the turn is run again. */
export interface CallPlace {
	readonly wakeId: string;
	readonly key: string;
	/** Number of the newest event when this run of the turn began: what it does comes after. */
	readonly since: number;
}

const EVENTS_SEARCHED = 1_000;

/** Appends an event of a turn once, however often the turn is run: what came of an earlier try is looked for where it began. */
export function createAppendOnce(deps: {
	readonly feed: Pick<FeedStore, 'read' | 'append'>;
	readonly journal: Pick<DecisionJournal, 'note' | 'keepNote'>;
}): (draft: FeedDraft, place: CallPlace) => Promise<void> {
	const { feed, journal } = deps;
	return async (draft, { wakeId, key, since }) => {
		const tried = await journal.note(wakeId, `told:${key}`);
		if (typeof tried === 'number') {
			const { events } = await feed.read(tried, EVENTS_SEARCHED);
			if (events.some(({ data }) => data?.['callId'] === key)) return;
		} else await journal.keepNote(wakeId, `told:${key}`, since);
		await feed.append([{ ...draft, data: { ...draft.data, callId: key } }]);
	};
}
