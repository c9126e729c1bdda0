import { askQuestion, reopenQuestion } from './ask-question.ts';
import { type Question, questionId } from './question.ts';
import type { SessionReport } from './report.ts';
import type { FleetSession } from './session.ts';
import { closeQuestion } from './settle-question.ts';

export interface QuestionsAfter {
	readonly session: FleetSession;
	/** Every question known, in its newest form. */
	readonly questions: ReadonlyMap<string, Question>;
	readonly opened: readonly Question[];
	readonly closed: readonly Question[];
}

/** Kinds after which nothing that was asked before can still be open. */
const CLOSING: ReadonlySet<string> = new Set(['started', 'idle', 'finished', 'failed', 'aborted', 'ended']);
/** Of those, the ones where the asking process is gone rather than its run. */
const LOSING: ReadonlySet<string> = new Set(['started', 'ended']);
const CLOSINGS_MAX = 30;

/** What a report means for the questions of its session. Closings may come before the question they close. */
export function applyToQuestions(
	session: FleetSession,
	known: ReadonlyMap<string, Question>,
	report: SessionReport,
	order: number,
	now: number,
): QuestionsAfter {
	if (report.kind === 'question' && report.data.question !== undefined) {
		return ask(session, known, report.data.question, order, now);
	}
	const isOne = report.kind === 'question_closed' && report.data.ref !== undefined;
	if (!isOne && !CLOSING.has(report.kind) && report.kind !== 'question_closed') return unchanged(session, known);
	const how = report.data.how ?? (LOSING.has(report.kind) ? 'lost' : 'closed');
	const only = isOne ? questionId(session.id, report.data.ref as string) : undefined;
	const questions = new Map(known);
	const closed: Question[] = [];
	for (const question of known.values()) {
		if (only === undefined ? placeOf(question, session) > order : question.id !== only) continue;
		const next = closeQuestion(question, how, now);
		if (next === undefined) continue;
		questions.set(next.id, next);
		closed.push(next);
	}
	const closings =
		only === undefined ? session.closings : withClosing(session.closings, report.data.ref as string, order);
	const close = only === undefined ? Math.max(session.order.close, order) : session.order.close;
	const next = { ...session, closings, order: { ...session.order, close } };
	return { session: withOpen(next, questions), questions, opened: [], closed };
}

function withClosing(closings: FleetSession['closings'], ref: string, order: number): FleetSession['closings'] {
	const before = closings.find((entry) => entry.ref === ref);
	if (before !== undefined && before.order >= order) return closings;
	return [...closings.filter((entry) => entry !== before), { ref, order }].slice(-CLOSINGS_MAX);
}

function ask(
	session: FleetSession,
	known: ReadonlyMap<string, Question>,
	asked: NonNullable<SessionReport['data']['question']>,
	order: number,
	now: number,
): QuestionsAfter {
	const before = known.get(questionId(session.id, asked.ref));
	const closing = session.closings.find(({ ref }) => ref === asked.ref);
	const isOver = order < session.order.close || (closing !== undefined && order <= closing.order);
	const questions = new Map(known);
	if (before !== undefined) {
		const wronglyGone =
			(before.state === 'lost' || before.state === 'closed') && order > placeOf(before, session) && !isOver;
		if (!wronglyGone) {
			const isNewer = before.state === 'open' && !isOver && order > placeOf(before, session);
			if (!isNewer) return unchanged(session, known);
			// Listed anew, so a closing from before this report does not mean it.
			questions.set(before.id, { ...before, order, revision: before.revision + 1 });
			return unchanged(session, questions);
		}
		const again = reopenQuestion(before, order, now);
		questions.set(again.id, again);
		return { session: withOpen(session, questions), questions, opened: [again], closed: [] };
	}
	const opened = askQuestion(session, asked, order, now);
	// It was over before we heard of it: kept for the record, shown to nobody.
	const question: Question = isOver ? { ...opened, state: 'closed', settledAt: now } : opened;
	questions.set(question.id, question);
	return { session: withOpen(session, questions), questions, opened: isOver ? [] : [question], closed: [] };
}

function unchanged(session: FleetSession, known: ReadonlyMap<string, Question>): QuestionsAfter {
	return { session: withOpen(session, known), questions: known, opened: [], closed: [] };
}

/** Answered questions keep the session waiting until its own reports say that it went on. */
function withOpen(session: FleetSession, questions: ReadonlyMap<string, Question>): FleetSession {
	if (questions.size === 0 && session.openQuestions.length === 0) return session;
	const openQuestions = [...questions.values()]
		.filter((question) => isHoldingUp(question, session))
		.sort((left, right) => left.order - right.order || (left.id < right.id ? -1 : 1))
		.map(({ id }) => id);
	return { ...session, openQuestions };
}

function isHoldingUp(question: Question, session: FleetSession): boolean {
	const { state, delivery } = question;
	if (state !== 'answered') return state === 'open';
	return (delivery === 'pending' || delivery === 'failed') && placeOf(question, session) >= session.order.close;
}

/** A question that stands behind the newest report was asked before its reporter began to count anew. */
function placeOf(question: Question, session: FleetSession): number {
	return session.lastReport > 0 && question.order > session.lastReport ? 0 : question.order;
}
