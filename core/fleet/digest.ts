import { promptText } from '../chat/sanitise.ts';
import { localDay } from '../local-day.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import { ago } from './age.ts';
import { type FeedEvent, type FeedKind, isCausedBy } from './feed-event.ts';
import type { Question } from './question.ts';
import { bare } from './quote.ts';
import type { FleetSession } from './session.ts';
import { bySession, byUrgency, type LineContext, sessionLine, urgency } from './session-line.ts';

export interface DigestInput {
	readonly why: 'events' | 'heartbeat';
	/** Events after the cursor up to the end of this digest, oldest first. */
	readonly events: readonly FeedEvent[];
	/** Older events that are not among these: dropped from the feed before anybody read them, or too many to be read. */
	readonly missed: number;
	readonly sessions: readonly FleetSession[];
	readonly questions: readonly Question[];
	/** The concierge's own id: its doings are no news. */
	readonly ownId: string;
	/** When it was last told, epoch ms; 0 = never. */
	readonly since: number;
	readonly now: number;
	readonly timeZone: string;
	/** Estimated tokens at most; at least a few lines are always kept. */
	readonly maxTokens: number;
}

export interface Digest {
	readonly text: string;
	/** Events and sessions that had no room. */
	readonly cutEvents: number;
	readonly cutSessions: number;
	/** Events in it, own ones not counted. */
	readonly news: number;
}

const TAG = 'roost-digest';
const EVENT_MAX = 700;
/** Share of the room that events may take when both lists are long. */
const EVENTS_SHARE = 0.55;
const LEAST_LINES = 3;

/** How much an event matters when not all have room, most first. */
const WEIGHT: Readonly<Record<FeedKind, number>> = {
	question: 0,
	failed: 1,
	watch_fired: 1,
	message: 2,
	finished: 2,
	stale: 2,
	stopped: 3,
	answered: 3,
	question_closed: 3,
	back: 4,
	started: 4,
	summary: 5,
	state: 6,
	cost: 7,
	concierge_said: 8,
	concierge_sent: 8,
	concierge_did: 8,
	on: 8,
	off: 8,
};

/**
 * What the concierge is woken with: the events, one line each, then the fleet, one line each, inside one block that no text
 * of a session can close. Where it grows too long the newest and most urgent lines stay, and the rest is counted.
 */
export function buildDigest(input: DigestInput): Digest {
	const { now, why, since } = input;
	const byWeight = newsByWeight(input.events, input.ownId);
	const context: LineContext = {
		questions: bySession(input.questions),
		day: localDay(now, input.timeZone),
		now,
	};
	const sessions = [...input.sessions].sort(byUrgency);
	const spared = Math.max(0, input.maxTokens - 120);
	const eventRoom = sessions.length > 0 ? Math.floor(spared * EVENTS_SHARE) : spared;
	const events = fill(byWeight, (event) => eventLine(event, now), eventRoom);
	const fleet = fill(sessions, (session) => sessionLine(session, context), spared - events.tokens);
	const shownEvents = [...events.taken].sort((left, right) => left.item.seq - right.item.seq);
	const sinceText = since > 0 ? ` since ${ago(since, now)}` : '';

	const lines = [`<${TAG} why="${why}">`];
	if (input.missed > 0)
		lines.push(
			`${input.missed} older events are left out: more happened than is kept or can be told. Look at the fleet below.`,
		);
	if (byWeight.length === 0) lines.push(`nothing happened${sinceText}`);
	else lines.push(`events${sinceText} (${byWeight.length}):`, ...shownEvents.map(({ line }) => `- ${line}`));
	if (events.left.length > 0)
		lines.push(`- … ${events.left.length} more events left out: ${countBy(events.left, ({ kind }) => kind)}`);
	lines.push(`fleet (${sessions.length}):`, ...fleet.taken.map(({ line }) => `- ${line}`));
	if (sessions.length === 0) lines.push('- no sessions');
	if (fleet.left.length > 0)
		lines.push(`- … ${fleet.left.length} more sessions left out: ${countBy(fleet.left, stateWord)}`);
	lines.push(`</${TAG}>`);
	return {
		text: lines.join('\n'),
		cutEvents: events.left.length,
		cutSessions: fleet.left.length,
		news: byWeight.length,
	};
}

/** Whether a digest tells it: own doings and the switch are no news. */
export function isNews(event: FeedEvent, ownId: string): boolean {
	return !isCausedBy(event, ownId) && event.kind !== 'on' && event.kind !== 'off';
}

/** What is news to it, what matters most and then what is newest first. */
export function newsByWeight(events: readonly FeedEvent[], ownId: string): FeedEvent[] {
	const news = events.filter((event) => isNews(event, ownId));
	return news.sort((left, right) => WEIGHT[left.kind] - WEIGHT[right.kind] || right.seq - left.seq);
}

/** One event on one line: number, age, session, what, words. */
export function eventLine(event: FeedEvent, now: number): string {
	const name = event.sessionName === undefined ? 'fleet' : bare(event.sessionName, 60);
	const by = event.cause.role === 'person' ? ` by ${bare(event.cause.who, 40)} (person)` : '';
	return `${event.seq} · ${ago(event.at, now)} · ${name} · ${event.kind}${by} · ${promptText(event.text, EVENT_MAX)}`;
}

interface Filled<Item> {
	readonly taken: readonly { readonly item: Item; readonly line: string }[];
	readonly left: readonly Item[];
	readonly tokens: number;
}

/** Lines in the given order while there is room; the first few always. Lines without room are not even made. */
function fill<Item>(items: readonly Item[], lineOf: (item: Item) => string, room: number): Filled<Item> {
	const taken: { item: Item; line: string }[] = [];
	let tokens = 0;
	for (const [at, item] of items.entries()) {
		const line = lineOf(item);
		const cost = estimateTokens(line) + 2;
		if (tokens + cost > room && at >= LEAST_LINES) return { taken, left: items.slice(at), tokens };
		taken.push({ item, line });
		tokens += cost;
	}
	return { taken, left: [], tokens };
}

function countBy<Item>(items: readonly Item[], wordOf: (item: Item) => string): string {
	const counts = new Map<string, number>();
	for (const item of items) counts.set(wordOf(item), (counts.get(wordOf(item)) ?? 0) + 1);
	return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

function stateWord(session: FleetSession): string {
	return urgency(session) === 3 ? 'stale' : session.state;
}
