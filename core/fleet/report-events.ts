import { cutText, visible } from '../chat/sanitise.ts';
import type { QuestionsAfter } from './apply-questions.ts';
import type { FeedDraft, FeedKind } from './feed-event.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import type { SessionReport } from './report.ts';
import { type FleetSession, isBusy } from './session.ts';
import { answerText } from './settle-question.ts';

export interface ReportStep {
	/** Undefined for a session nobody knew. */
	readonly before: FleetSession | undefined;
	readonly after: FleetSession;
	readonly report: SessionReport;
	readonly order: number;
	readonly asked: QuestionsAfter;
	readonly now: number;
}

const TEXT_MAX = 400;
/** What a session says to people is kept as it wrote it, so that they can read it in its thread. */
const WORDS_MAX = 4_000;

/** What the feed says about one report: transitions only. A report that changed nothing says nothing. */
export function reportEvents(step: ReportStep): FeedDraft[] {
	const { before, after, report, asked } = step;
	const events: FeedDraft[] = [];
	const add = (kind: FeedKind, text: string, data?: Record<string, unknown>) =>
		events.push(sessionEvent(after, kind, text, step.now, data));
	if (before === undefined) add('started', `${after.source} session on ${bare(after.host, 60)}${placeText(after)}`);
	if (before?.staleSince !== undefined && isBusy(before)) add('back', 'reports again');
	if (before?.running?.isTold === true && after.running?.isTold !== true && before.state === after.state)
		add('state', `went on after ${quoted(before.running.what ?? '', 120)}`);
	for (const question of asked.opened) add('question', questionText(question), { questionId: question.id });
	for (const question of asked.closed) addClosed(question, add);

	const isNewest = step.order === after.order.run;
	const words = report.data.text ?? report.data.reason ?? '';
	const said = words === '' ? '' : quoted(words, TEXT_MAX);
	const whole = said === '' ? {} : { words: cutText(visible(words), WORDS_MAX) };
	if (report.kind === 'finished' && isNewest) add('finished', said, { ...costData(after), ...whole });
	else if (report.kind === 'failed' && isNewest) add('failed', said === '' ? 'no reason given' : said, costData(after));
	else if (report.kind === 'aborted' && isNewest) add('state', 'aborted');
	else if (after.endedAt !== undefined && before?.endedAt === undefined && report.kind === 'ended') {
		add(
			'stopped',
			after.endReason === undefined ? 'the session ended' : quoted(after.endReason, TEXT_MAX),
			costData(after),
		);
	} else if (before !== undefined && before.state !== after.state && asked.opened.length === 0) {
		add('state', `${before.state} → ${after.state}`, { from: before.state, to: after.state });
	}
	if (report.kind === 'text' && report.data.toPerson === true && said !== '') {
		add('message', said, whole);
	}
	if (report.kind === 'summary' && before?.summary !== after.summary && said !== '') add('summary', said);
	if (report.kind === 'cost' && after.cost.totalUsd > (before?.cost.totalUsd ?? 0)) {
		add('cost', `$${after.cost.totalUsd.toFixed(2)} in all`, costData(after));
	}
	return events;
}

function addClosed(
	question: Question,
	add: (kind: FeedKind, text: string, data: Record<string, unknown>) => void,
): void {
	const data = { questionId: question.id, state: question.state, delivery: question.delivery };
	if (question.state === 'answered' && question.answeredBy === undefined) {
		add('answered', answerText(question), data);
	} else if (question.state === 'answered' && question.delivery === 'delivered') {
		add('question_closed', `the answer ${answerText(question)} arrived`, data);
	} else if (question.state === 'answered') {
		add('question_closed', `the answer ${answerText(question)} did not arrive: the session ended before`, data);
	} else
		add(
			'question_closed',
			question.state === 'lost' ? 'lost with its process, unanswered' : 'moved on, unanswered',
			data,
		);
}

/** A question as one line, its choices included. */
export function questionText(question: Pick<Question, 'text' | 'choices'>): string {
	const choices = question.choices.slice(0, 8).map(({ label }) => quoted(label, 60));
	const more = question.choices.length > 8 ? ` and ${question.choices.length - 8} more` : '';
	return `${quoted(question.text, TEXT_MAX)}${choices.length > 0 ? ` choices: ${choices.join(' | ')}${more}` : ''}`;
}

function placeText(session: FleetSession): string {
	return session.directory === undefined ? '' : ` in ${bare(session.directory, 120)}`;
}

function costData(session: FleetSession): Record<string, unknown> {
	return { totalUsd: session.cost.totalUsd };
}

/** An event that a session caused itself. */
function sessionEvent(
	session: Pick<FleetSession, 'id' | 'name'>,
	kind: FeedKind,
	text: string,
	at: number,
	data?: Record<string, unknown>,
): FeedDraft {
	return {
		at,
		kind,
		sessionId: session.id,
		sessionName: session.name,
		cause: { role: 'session', who: session.name, whoId: session.id },
		text,
		...(data === undefined ? {} : { data }),
	};
}
