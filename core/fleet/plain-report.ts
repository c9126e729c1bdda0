import { cutText } from '../chat/sanitise.ts';
import { localDay } from '../local-day.ts';
import { ago, shortTime } from './age.ts';
import { isNews } from './digest.ts';
import type { FeedEvent, FeedKind } from './feed-event.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import type { FleetSession } from './session.ts';
import { costOn } from './session-cost.ts';
import { bySession, byUrgency } from './session-line.ts';

const LINES_MAX = 20;
const TEXT_MAX = 1_800;

export interface PlainInput {
	readonly sessions: readonly FleetSession[];
	readonly questions: readonly Question[];
	readonly now: number;
	readonly timeZone: string;
}

/** The fleet for people, made without any model: what needs somebody first. */
export function plainFleet(input: PlainInput): string {
	const { now } = input;
	const questions = bySession(input.questions);
	const day = localDay(now, input.timeZone);
	const sessions = [...input.sessions].sort(byUrgency);
	if (sessions.length === 0) return 'No sessions are known.';
	const lines = sessions.slice(0, LINES_MAX).map((session) => {
		const [asked] = questions.get(session.id) ?? [];
		const stale = session.staleSince === undefined ? '' : `, silent for ${shortTime(now - session.reportedAt)}`;
		const words =
			asked !== undefined
				? ` asks ${quoted(asked.text, 120)}`
				: session.state === 'failed' && session.runReason !== undefined
					? ` ${quoted(session.runReason, 120)}`
					: session.summary === undefined
						? ''
						: ` ${quoted(session.summary, 80)}`;
		const cost = costOn(session.cost, day);
		return `- ${bare(session.name, 60)}: ${session.state} for ${shortTime(now - session.stateAt)}${stale}${words}${cost > 0 ? ` · $${cost.toFixed(2)} today` : ''}`;
	});
	const more = sessions.length > LINES_MAX ? [`- and ${sessions.length - LINES_MAX} more`] : [];
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
	const { now } = input;
	const told = input.events.filter((event) => isNews(event, input.ownId) && TOLD.has(event.kind)).slice(-8);
	const lines = told.map(
		(event) =>
			`- ${bare(event.sessionName ?? 'fleet', 60)} ${event.kind} ${ago(event.at, now)}: ${bare(event.text, 160)}`,
	);
	const happened = lines.length === 0 ? '' : `\nWhat happened:\n${lines.join('\n')}`;
	return cutText(
		`The concierge's model failed ${input.failures} times in a row (${input.code}). Until it works again this list is made by code.${happened}\nThe fleet:\n${plainFleet(input)}`,
		TEXT_MAX,
	);
}
