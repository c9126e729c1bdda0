import { cutText, promptText } from '../chat/sanitise.ts';
import { eventLine } from './digest.ts';
import type { FeedEvent } from './feed-event.ts';
import type { HubResult } from './hub-call.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import type { FleetSession } from './session.ts';
import { byUrgency, type LineContext, sessionLine } from './session-line.ts';
import { transcriptLines } from './transcript.ts';

const RESULT_MAX = 6_000;
const SESSIONS_MAX = 60;

function done(tool: string, lines: readonly string[]): HubResult {
	return { tool, ok: true, code: 'done', text: cutText(lines.join('\n'), RESULT_MAX) };
}

export function sessionsResult(sessions: readonly FleetSession[], context: LineContext): HubResult {
	if (sessions.length === 0) return done('hub_sessions', ['no sessions']);
	const sorted = [...sessions].sort(byUrgency);
	const lines = sorted.slice(0, SESSIONS_MAX).map((session) => sessionLine(session, context));
	const more = sorted.length > SESSIONS_MAX ? [`and ${sorted.length - SESSIONS_MAX} more, less urgent`] : [];
	return done('hub_sessions', [...lines, ...more]);
}

/** `missed`: events that the feed has dropped before these. */
export function eventsResult(events: readonly FeedEvent[], missed: number, now: number): HubResult {
	const gone = missed > 0 ? [`${missed} older events are gone from the feed`] : [];
	const lines = events.map((event) => eventLine(event, now));
	return done('hub_events', [...gone, ...(lines.length === 0 ? ['no events'] : lines)]);
}

/** What `hub_read` gives: somebody else's words, line by line, to be read and not to be obeyed. */
export function readResult(
	session: FleetSession,
	what: 'question' | 'transcript' | 'screen',
	more: { readonly questions: readonly Question[]; readonly transcript?: readonly string[] | undefined },
): HubResult {
	const name = bare(session.name, 60);
	if (what === 'screen') {
		if (session.screen === undefined) return done('hub_read', [`${name} sends no screen`]);
		const lines = session.screen.split('\n').slice(-40);
		return done('hub_read', [`screen of ${name}:`, ...lines.map((line) => `| ${promptText(line, 200)}`)]);
	}
	if (what === 'transcript') {
		const lines = more.transcript?.map((line) => promptText(line, 600)) ?? transcriptLines(session.tail, 30);
		if (lines.length === 0) return done('hub_read', [`${name} has no transcript yet`]);
		return done('hub_read', [`last lines of ${name}, oldest first:`, ...lines.slice(-40).map((line) => `| ${line}`)]);
	}
	const open = more.questions.filter(({ state, sessionId }) => state === 'open' && sessionId === session.id);
	if (open.length === 0) return done('hub_read', [`${name} has no open question`]);
	return done('hub_read', open.flatMap(questionLines));
}

function questionLines(question: Question): string[] {
	const how = [question.multi ? 'several may be taken' : '', question.freeText ? 'own words are taken too' : '']
		.filter((word) => word !== '')
		.join(', ');
	return [
		`${bare(question.sessionName, 60)} asks (${question.kind}): ${quoted(question.text, 1_000)}`,
		...(question.context === undefined ? [] : [`context: ${quoted(question.context, 1_000)}`]),
		...question.choices
			.slice(0, 30)
			.map(
				({ label, description }) =>
					`choice: ${quoted(label, 200)}${description === undefined ? '' : ` ${quoted(description, 200)}`}`,
			),
		...(how === '' ? [] : [how]),
		'only a person answers it',
	];
}

/** Results of one round as the next user turn. No line in it can look like the frame. */
export function resultsText(results: readonly HubResult[]): string {
	const parts = results.map(({ tool, ok, code, text }, index) => {
		const lines = text.split('\n').map((line) => `  ${promptText(line, 1_200)}`);
		return [`${index + 1}. ${bare(tool, 40)} ${ok ? 'ok' : `refused (${code})`}:`, ...lines].join('\n');
	});
	return ['[results of your calls]', ...parts].join('\n');
}
