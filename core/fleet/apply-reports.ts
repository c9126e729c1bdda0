import { applyToQuestions } from './apply-questions.ts';
import { newSession, orderOf, type ReportContext, withReport, withState } from './apply-report.ts';
import type { FeedDraft } from './feed-event.ts';
import type { Question } from './question.ts';
import type { ReportOrigin, SessionReport } from './report.ts';
import { reportEvents } from './report-events.ts';
import type { FleetSession } from './session.ts';
import { freeName } from './session-name.ts';
import type { SessionChange, SessionView } from './stores.ts';
import type { Watch } from './watch.ts';
import { firedWatches } from './watch-rules.ts';

export interface ApplyInput {
	readonly view: SessionView;
	/** Reports of this one session, in the order they came. */
	readonly reports: readonly SessionReport[];
	readonly origin: ReportOrigin;
	/** Names in use, lower case, by session id: `SessionTable.names()`. Only looked at when `wantsName` says so. */
	readonly names: ReadonlyMap<string, string>;
	/** Watches set on this session. */
	readonly watches?: readonly Watch[];
	/** Calendar date of now in the fleet's time zone. */
	readonly day: string;
	readonly now: number;
}

/**
 * Applies reports to their session. Undefined when there is nothing new in them: none was given, or all were taken before.
 * Doubled and reordered reports end in the same session. Commit the result in one step; when somebody wrote in between, load
 * and apply again.
 */
export function applyReports(input: ApplyInput): SessionChange | undefined {
	const { view, origin, day, now } = input;
	const context: ReportContext = { origin, day, now };
	const seen = new Set(view.known);
	const fresh = input.reports.filter(({ eventId }) => !seen.has(eventId) && seen.add(eventId));
	const [first] = fresh;
	if (first === undefined) return undefined;

	let session = view.session ?? newSession(first, context);
	let questions: ReadonlyMap<string, Question> = new Map(view.questions.map((question) => [question.id, question]));
	const events: FeedDraft[] = [];
	for (const report of fresh) {
		const isNew = view.session === undefined && report === first;
		const placed = orderOf(session, report);
		const reported = withReport(placed.session, report, placed.order, context);
		const asked = applyToQuestions(reported, questions, report, placed.order, now);
		const named = withFreeName(asked.session, input.names);
		const after = withState(named, now);
		events.push(
			...reportEvents({ before: isNew ? undefined : session, after, report, order: placed.order, asked, now }),
		);
		session = after;
		questions = asked.questions;
	}
	const fired = firedWatches(input.watches ?? [], session, events, now);
	return {
		session,
		version: view.version,
		questions: changedQuestions(view.questions, questions, session.name),
		events: [...events, ...fired.events],
		reportIds: fresh.map(({ eventId }) => eventId),
		...(fired.ids.length === 0 ? {} : { firedWatchIds: fired.ids }),
		...(view.isRecalled === undefined ? {} : { isRecalled: view.isRecalled }),
	};
}

/** Whether these reports give their session a name, so that those of the others have to be known. */
export function wantsName({ session }: SessionView, reports: readonly SessionReport[]): boolean {
	if (session === undefined) return true;
	return reports.some(({ session: { name, directory } }) =>
		name === undefined ? directory !== undefined && directory !== session.directory : name !== session.wantedName,
	);
}

function withFreeName(session: FleetSession, names: ReadonlyMap<string, string>): FleetSession {
	const own = session.name.toLowerCase();
	const wanted = session.wantedName.toLowerCase();
	// A number behind the wanted name was put there because another one has it; it stays, so that names do not jump.
	const isKept = own === wanted || (own.startsWith(`${wanted}-`) && /^\d+$/.test(own.slice(wanted.length + 1)));
	// No other can have taken it: a name is held from the moment it is stored.
	if (session.name !== '' && isKept) return session;
	const others = new Set<string>();
	for (const [id, name] of names) if (id !== session.id) others.add(name);
	return { ...session, name: freeName(session.wantedName, (name) => others.has(name)) };
}

/** One revision up at most, however often a batch changed it; with the session's name as it is now. */
function changedQuestions(
	before: readonly Question[],
	after: ReadonlyMap<string, Question>,
	sessionName: string,
): Question[] {
	const stored = new Map(before.map((question) => [question.id, question]));
	const changed: Question[] = [];
	for (const question of after.values()) {
		const old = stored.get(question.id);
		if (old === question) continue;
		changed.push({ ...question, sessionName, revision: (old?.revision ?? 0) + 1 });
	}
	return changed;
}
