import { oneLine } from '../chat/sanitise.ts';
import type { ConciergeState } from './concierge-state.ts';
import type { FeedDraft } from './feed-event.ts';
import { namedSessions } from './named-sessions.ts';
import { type Need, needsOf } from './needs.ts';
import type { Question } from './question.ts';
import { quoted } from './quote.ts';
import { conciergeCause } from './relay.ts';
import type { FleetSession } from './session.ts';

export interface NoticeInput {
	readonly text: string;
	readonly level: 'info' | 'need';
	/** Session given with the call. */
	readonly session: FleetSession | undefined;
	readonly sessions: readonly FleetSession[];
	readonly questions: readonly Question[];
	/** Ids of needs that have a card already. */
	readonly shown: ReadonlySet<string>;
	/** What it called people for by itself: `ConciergeState.calls`. */
	readonly calls: NonNullable<ConciergeState['calls']>;
	readonly ownId: string;
	readonly now: number;
}

/** Plain posts about one session, or about none, in an hour; after them only the status line and the feed show it. */
const CALLS_MAX = 3;
const HOUR_MS = 3_600_000;

export interface Notice {
	/** For `ConciergeState.lastSaid`. */
	readonly said: NonNullable<ConciergeState['lastSaid']>;
	readonly event: FeedDraft;
	/** `need`: cards to post now with these words above them; those that have one are not repeated. */
	readonly cards: readonly Need[];
	/** `need` about no session that needs anybody: a plain post that mentions the owner, a few times an hour. */
	readonly isPlainPost: boolean;
	/** For `ConciergeState.calls`. */
	readonly calls: NonNullable<ConciergeState['calls']>;
	/** Word for the model. */
	readonly result: string;
}

/** What `hub_notify` comes to. `info` goes to the status line and the feed, and nowhere else. */
export function noticeOf(input: NoticeInput): Notice {
	const { level, ownId, now } = input;
	const text = oneLine(input.text, 400);
	const needs = level === 'need' ? meantNeeds(input, text) : [];
	const about = input.session ?? needs[0]?.session;
	const cards = needs.filter(({ id, session }) => !input.shown.has(id) && session.muted !== true);
	const called = input.calls.filter(({ at }) => now - at < HOUR_MS);
	const isCall = level === 'need' && needs.length === 0;
	const isPlainPost = isCall && called.filter((call) => call.about === (about?.id ?? '')).length < CALLS_MAX;
	const calls = isPlainPost ? [...called, { at: now, about: about?.id ?? '' }] : called;
	const event: FeedDraft = {
		at: now,
		kind: 'concierge_said',
		...(about === undefined ? {} : { sessionId: about.id, sessionName: about.name }),
		cause: conciergeCause(ownId),
		text: quoted(text, 400),
		data: { level },
	};
	const said = { at: now, level, text, ...(about === undefined ? {} : { sessionId: about.id }) };
	const isOld = level === 'need' && !isPlainPost && cards.length === 0;
	const result = isOld ? 'People have been told of this already; the status line shows it.' : 'Told.';
	return { said, event, cards, isPlainPost, calls, result };
}

/** The needs that a notice is about: of the session given with it, else of those that it names. */
function meantNeeds({ session, sessions, questions }: NoticeInput, text: string): Need[] {
	const needs = needsOf(sessions, questions);
	if (session !== undefined) return needs.filter((need) => need.session.id === session.id);
	const named = namedSessions(text, sessions);
	return needs.filter((need) => named.has(need.session.id));
}

/** The answer to a person, in the feed. */
export function answeredEvent(
	answer: string,
	ask: { who: string; text: string },
	ownId: string,
	at: number,
): FeedDraft {
	return {
		at,
		kind: 'concierge_said',
		cause: conciergeCause(ownId),
		text: `to ${quoted(ask.who, 40)} who asked ${quoted(ask.text, 160)}: ${quoted(answer, 400)}`,
		data: { level: 'answer' },
	};
}

/** What else it did (read, watched, was refused), for its own log. */
export function didEvent(
	did: {
		readonly tool: string;
		readonly ok: boolean;
		readonly code: string;
		readonly session?: FleetSession | undefined;
		readonly note?: string;
	},
	ownId: string,
	at: number,
): FeedDraft {
	const { session } = did;
	return {
		at,
		kind: 'concierge_did',
		...(session === undefined ? {} : { sessionId: session.id, sessionName: session.name }),
		cause: conciergeCause(ownId),
		text: `${did.tool}${did.ok ? '' : ` refused: ${did.code}`}${did.note === undefined ? '' : ` ${quoted(did.note, 160)}`}`,
		data: { tool: did.tool, code: did.code },
	};
}
