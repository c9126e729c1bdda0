import { cutText } from '../chat/sanitise.ts';
import { localDay } from '../local-day.ts';
import { isNews } from './digest.ts';
import type { FeedEvent, FeedKind } from './feed-event.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import { longCall } from './running-call.ts';
import type { FleetSession } from './session.ts';
import { costOn } from './session-cost.ts';
import { bySession, byUrgency } from './session-line.ts';
import { ENGLISH } from './wording/english.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

const LINES_MAX = 20;
const TEXT_MAX = 1_800;

export interface PlainInput {
	readonly sessions: readonly FleetSession[];
	readonly questions: readonly Question[];
	readonly now: number;
	readonly timeZone: string;
	/** English when absent. */
	readonly words?: FleetWording;
}

/** The fleet for people, made without any model: what needs somebody first. */
export function plainFleet(input: PlainInput): string {
	const { now, words = ENGLISH } = input;
	const questions = bySession(input.questions);
	const day = localDay(now, input.timeZone);
	const sessions = [...input.sessions].sort(byUrgency);
	if (sessions.length === 0) return words.noSessions;
	const lines = sessions.slice(0, LINES_MAX).map((session) => {
		const [asked] = questions.get(session.id) ?? [];
		const stale = session.staleSince === undefined ? '' : words.silentFor(words.time(now - session.reportedAt));
		const told =
			asked !== undefined
				? words.asksInline(quoted(asked.text, 120))
				: session.state === 'failed' && session.runReason !== undefined
					? ` ${quoted(session.runReason, 120)}`
					: session.summary === undefined
						? ''
						: ` ${quoted(session.summary, 80)}`;
		const call = longCall(session, now);
		const runs = call === undefined ? '' : words.runsSince(quoted(call.what, 80), words.ago(call.since, now));
		const cost = costOn(session.cost, day);
		const state = words.stateFor(session.state, words.time(now - session.stateAt));
		return `- ${bare(session.name, 60)}: ${state}${runs}${stale}${told}${cost > 0 ? ` · ${words.costToday(cost)}` : ''}`;
	});
	const more = sessions.length > LINES_MAX ? [`- ${words.andMore(sessions.length - LINES_MAX)}`] : [];
	return cutText([...lines, ...more].join('\n'), TEXT_MAX);
}

/** Events that people are told of when no model sorts them out. */
const TOLD: ReadonlySet<FeedKind> = new Set([
	'question',
	'failed',
	'finished',
	'message',
	'stale',
	'stopped',
	'watch_fired',
	'answered',
]);

export interface PlainNoticeInput extends PlainInput {
	readonly events: readonly FeedEvent[];
	readonly ownId: string;
	/** Code of the failure. */
	readonly code: string;
	readonly failures: number;
}

/** The one plain notice after the model failed several times in a row: what happened, as it stands in the feed. */
export function plainNotice(input: PlainNoticeInput): string {
	const { now, words = ENGLISH } = input;
	const told = input.events.filter((event) => isNews(event, input.ownId) && TOLD.has(event.kind)).slice(-8);
	const lines = told.map(({ sessionName, kind, at, text }) => {
		const name = bare(sessionName ?? words.fleet, 60);
		return `- ${words.happened(name, kind, words.ago(at, now), bare(text, 160))}`;
	});
	const happened = lines.length === 0 ? '' : `\n${words.whatHappened}\n${lines.join('\n')}`;
	const head = words.modelNotice(input.failures, input.code);
	return cutText(`${head}${happened}\n${words.theFleet}\n${plainFleet(input)}`, TEXT_MAX);
}
