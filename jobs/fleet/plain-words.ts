import type { FleetSettings } from '../../config/fleet.ts';
import type { PendingAsk } from '../../core/fleet/concierge-state.ts';
import { noticePosted } from '../../core/fleet/failed-wake.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import { plainFleet, plainNotice } from '../../core/fleet/plain-report.ts';
import type { ConciergeStore, FeedStore, QuestionStore, SessionTable } from '../../core/fleet/stores.ts';
import type { FleetWording } from '../../core/fleet/wording/fleet-wording.ts';
import { inAllLanguages } from '../../core/fleet/wording/wording-of.ts';
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

/** One text in every language of the house. */
type CodeTexts = ReturnType<typeof inAllLanguages>;

/** What is told by code when no model tells it. */
export interface PlainWords {
	/** The fleet as it stands, in every language of the house. */
	fleet(): Promise<CodeTexts>;
	/** Answers a person; only the first answer to a question counts. A string is in the language of whoever said it. */
	reply(ask: PendingAsk, text: string | CodeTexts): Promise<void>;
	/** Why there is no better answer, and the fleet as it stands. */
	apologise(ask: PendingAsk, why: (words: FleetWording) => string): Promise<void>;
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

	const reply = (ask: PendingAsk, said: string | CodeTexts) => {
		const words = typeof said === 'string' ? { text: said } : { text: said.en, texts: said };
		return outbox.add({ id: `reply:${ask.id}`, at: clock.now(), kind: 'reply', ask, ...words });
	};
	const fleet = async () => {
		const input = await plain();
		return inAllLanguages((words) => plainFleet({ ...input, words }));
	};

	return {
		fleet,
		reply,
		async apologise(ask, why) {
			const input = await plain();
			const texts = inAllLanguages((words) => `${words.asItStands(why(words))}\n${plainFleet({ ...input, words })}`);
			await reply(ask, texts);
		},
		async settleNotice() {
			const { state } = await concierge.read();
			const { notice } = state;
			if (notice === undefined) return;
			const page = await deps.feed.readBack(undefined, RECENT);
			const events = page.events.filter(({ seq }) => seq > state.cursor).reverse();
			const { code } = notice;
			const input = { ...(await plain()), events, ownId: state.id, code, failures: state.failures };
			const texts = inAllLanguages((words) => plainNotice({ ...input, words }));
			const mention = [...deps.settings().ownerUserIds];
			await outbox.add({ id: `notice:${notice.id}`, at: clock.now(), kind: 'notice', text: texts.en, texts, mention });
			await changeConcierge(concierge, (now) => noticePosted(now, notice.id));
		},
	};
}
