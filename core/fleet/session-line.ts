import { ago, shortTime } from './age.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import { questionText } from './report-events.ts';
import { longCall } from './running-call.ts';
import type { FleetSession } from './session.ts';
import { costOn } from './session-cost.ts';

export interface LineContext {
	/** Open questions by session id, oldest first. */
	readonly questions: ReadonlyMap<string, readonly Question[]>;
	/** Calendar date of the budget's zone. */
	readonly day: string;
	readonly now: number;
}

/** Open questions by their session. */
export function bySession(questions: readonly Question[]): ReadonlyMap<string, readonly Question[]> {
	const map = new Map<string, Question[]>();
	for (const question of questions) {
		if (question.state !== 'open') continue;
		const list = map.get(question.sessionId);
		if (list === undefined) map.set(question.sessionId, [question]);
		else list.push(question);
	}
	return map;
}

/** How much a session needs a person, most first. */
export function urgency(session: FleetSession): number {
	if (session.endedAt !== undefined) return session.state === 'failed' ? 2 : 7;
	if (session.state === 'waiting') return 0;
	if (session.state === 'failed') return 1;
	if (session.staleSince !== undefined && session.state !== 'idle' && session.state !== 'finished') return 3;
	return { working: 4, starting: 4, finished: 5, idle: 6, stopped: 7 }[session.state];
}

/** Most urgent first; of two alike the one that changed last. */
export function byUrgency(left: FleetSession, right: FleetSession): number {
	return urgency(left) - urgency(right) || right.stateAt - left.stateAt || (left.id < right.id ? -1 : 1);
}

/** One session on one line, whatever its texts hold. */
export function sessionLine(session: FleetSession, { questions, day, now }: LineContext): string {
	const parts = [
		bare(session.name, 60),
		`id ${session.id}`,
		`${session.state}${session.endedAt === undefined ? '' : ' (ended)'} for ${shortTime(now - session.stateAt)}`,
	];
	if (session.staleSince !== undefined) parts.push(`STALE, last report ${ago(session.reportedAt, now)}`);
	const call = longCall(session, now);
	if (call !== undefined) parts.push(`runs ${quoted(call.what, 120)}, begun ${ago(call.since, now)}`);
	const asked = questions.get(session.id) ?? [];
	const [first] = asked;
	if (first !== undefined) {
		const more = asked.length > 1 ? ` (and ${asked.length - 1} more)` : '';
		parts.push(`asks ${questionText(first)}${more}, open for ${shortTime(now - first.openedAt)}`);
	} else if (session.state === 'waiting') parts.push('waits, its answer is on the way');
	if (session.state === 'failed' && session.runReason !== undefined)
		parts.push(`reason ${quoted(session.runReason, 160)}`);
	if (session.summary !== undefined) parts.push(`last ${quoted(session.summary, 160)}`);
	parts.push(`${session.source} on ${bare(session.host, 40)}`);
	parts.push(`$${costOn(session.cost, day).toFixed(2)} today`);
	return parts.join(' · ');
}
