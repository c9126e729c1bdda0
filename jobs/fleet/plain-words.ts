import type { FleetSettings } from '../../config/fleet.ts';
import type { PendingAsk } from '../../core/fleet/concierge-state.ts';
import { noticePosted } from '../../core/fleet/failed-wake.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import { plainFleet, plainNotice } from '../../core/fleet/plain-report.ts';
import type { ConciergeStore, FeedStore, QuestionStore, SessionTable } from '../../core/fleet/stores.ts';
import type { Clock } from '../../core/ports.ts';
import { changeConcierge, SESSIONS_MAX } from './wake-scene.ts';

export interface PlainWordsDeps {
	readonly concierge: ConciergeStore;
	readonly feed: Pick<FeedStore, 'readBack'>;
	readonly sessions: Pick<SessionTable, 'list'>;
	readonly questions: Pick<QuestionStore, 'unsettled'>;
	readonly outbox: Pick<FleetOutbox, 'add'>;
	settings(): FleetSettings;
	readonly clock: Clock;
}

const QUESTIONS_MAX = 500;
const RECENT = 200;

/** What is told by code when no model tells it. */
export interface PlainWords {
	/** The fleet as it stands. */
	fleet(): Promise<string>;
	/** Answers a person; only the first answer to a question counts. */
	reply(ask: PendingAsk, text: string): Promise<void>;
	/** Why there is no better answer, and the fleet as it stands. */
	apologise(ask: PendingAsk, why: string): Promise<void>;
	/** Posts the notice that is owed after failures in a row, if one is. */
	settleNotice(): Promise<void>;
}

export function createPlainWords(deps: PlainWordsDeps): PlainWords {
	const { concierge, outbox, clock } = deps;

	async function plain() {
		const [sessions, questions] = await Promise.all([
			deps.sessions.list(SESSIONS_MAX),
			deps.questions.unsettled(QUESTIONS_MAX),
		]);
		return { sessions, questions, now: clock.now(), timeZone: deps.settings().timeZone };
	}

	const reply = (ask: PendingAsk, text: string) =>
		outbox.add({ id: `reply:${ask.id}`, at: clock.now(), kind: 'reply', ask, text });
	const fleet = async () => plainFleet(await plain());

	return {
		fleet,
		reply,
		apologise: async (ask, why) => reply(ask, `${why} The fleet as it stands:\n${await fleet()}`),
		async settleNotice() {
			const { state } = await concierge.read();
			const { notice } = state;
			if (notice === undefined) return;
			const page = await deps.feed.readBack(undefined, RECENT);
			const events = page.events.filter(({ seq }) => seq > state.cursor).reverse();
			const { code } = notice;
			const text = plainNotice({ ...(await plain()), events, ownId: state.id, code, failures: state.failures });
			const mention = [...deps.settings().ownerUserIds];
			await outbox.add({ id: `notice:${notice.id}`, at: clock.now(), kind: 'notice', text, mention });
			await changeConcierge(concierge, (now) => noticePosted(now, notice.id));
		},
	};
}
