import { cutText, oneLine, visible } from '../chat/sanitise.ts';
import { bare } from './quote.ts';
import type { ReportOrigin, SessionReport } from './report.ts';
import { type FleetSession, sessionId, TAIL_LINES, type TailLine } from './session.ts';
import { NO_COST, withTotal } from './session-cost.ts';
import { cleanName, nameOfDirectory } from './session-name.ts';
import type { SessionState } from './session-state.ts';

const TAIL_LINE_MAX = 600;
const SUMMARY_MAX = 400;
const SCREEN_MAX = 4_000;
const RUNNING_MAX = 200;
const NONE = -1;

export interface ReportContext {
	readonly origin: ReportOrigin;
	/** Calendar date of now in the fleet's time zone. */
	readonly day: string;
	readonly now: number;
}

/** A session nobody reported before. Its name is given by `applyReports`, which knows the others. */
export function newSession(report: SessionReport, { origin, day, now }: ReportContext): FleetSession {
	const { nativeId, directory } = report.session;
	const id = sessionId(origin.source, origin.host, nativeId);
	// What it cost before we knew it was not spent today.
	const before = report.kind === 'started' ? (report.data.totalUsd ?? 0) : 0;
	return {
		id,
		name: '',
		wantedName: nameOfDirectory(directory) ?? cleanName(`${origin.source}-${id.slice(1, 5)}`) ?? id,
		source: origin.source,
		host: origin.host,
		nativeId,
		...(origin.ownerId === undefined ? {} : { ownerId: origin.ownerId }),
		state: 'starting',
		run: 'starting',
		openQuestions: [],
		closings: [],
		cost: { ...NO_COST, day, totalUsd: before, dayBaseUsd: before },
		tail: [],
		startedAt: now,
		stateAt: now,
		reportedAt: now,
		updatedAt: now,
		lastReport: 0,
		lastAt: 0,
		order: { run: NONE, end: NONE, name: NONE, place: NONE, summary: NONE, screen: NONE, close: NONE },
	};
}

/**
 * Where a report stands among those of its session: its number where the reporter counts, its time where it does not. A
 * reporter that counts from 1 again, later by its own clock, was started anew: everything known before is older.
 */
export function orderOf(session: FleetSession, report: SessionReport): { session: FleetSession; order: number } {
	const counts = session.lastReport > 0;
	if (report.n === undefined) return { session, order: counts ? session.lastReport : report.at };
	const restarted = counts && report.n < session.lastReport && report.kind === 'started' && report.at > session.lastAt;
	if (counts && !restarted) return { session, order: report.n };
	const hadOrders = Object.values(session.order).some((order) => order > NONE);
	if (!hadOrders) return { session, order: report.n };
	const order = { run: 0, end: 0, name: 0, place: 0, summary: 0, screen: 0, close: 0 };
	const tail = session.tail.map((line, index) => ({ ...line, n: index - session.tail.length }));
	const running = session.running === undefined ? {} : { running: { ...session.running, order: 0 } };
	return { session: { ...session, ...running, order, tail, closings: [], lastReport: 0 }, order: report.n };
}

/** Everything of a report but its questions and the state that results (`withState`). An older report than what is known changes only what it is newest for. */
export function withReport(
	given: FleetSession,
	report: SessionReport,
	order: number,
	context: ReportContext,
): FleetSession {
	const { now, origin, day } = context;
	const { data } = report;
	// Ours alone until it is handed out: what follows writes into it, since copies are what a report mostly costs.
	const next: FleetSession = {
		...given,
		cost: withTotal(given.cost, data.totalUsd, day),
		order: { ...given.order },
		reportedAt: now,
		updatedAt: now,
		lastReport: Math.max(given.lastReport, report.n ?? 0),
		lastAt: Math.max(given.lastAt, report.at),
	};
	if (given.ownerId === undefined && origin.ownerId !== undefined) next.ownerId = origin.ownerId;
	takePlace(next, report, order);
	takeName(next, report, order);
	takeRunning(next, report, order, now);
	const ran = withRun(next, report, order);
	if (data.text !== undefined) takeText(ran, report, data.text, order);
	if (ran.staleSince === undefined) return ran;
	const { staleSince: _, ...fresh } = ran;
	return fresh;
}

function takePlace(next: FleetSession, { session: from }: SessionReport, order: number): void {
	if (order < next.order.place) return;
	const { directory, file, model } = from;
	if (directory === undefined && file === undefined && model === undefined) return;
	if (directory !== undefined) next.directory = oneLine(directory, 400);
	if (file !== undefined) next.file = file;
	if (model !== undefined) next.model = oneLine(model, 100);
	next.order.place = order;
}

function takeName(next: FleetSession, { session: from }: SessionReport, order: number): void {
	const named = from.name === undefined ? undefined : cleanName(from.name);
	// A name of its own outranks the one made from its folder, whenever that was reported.
	const wanted = named ?? (next.order.name === NONE ? nameOfDirectory(from.directory) : undefined);
	if (wanted === undefined || (named !== undefined && order < next.order.name)) return;
	next.wantedName = wanted;
	if (named !== undefined) next.order.name = order;
}

/** Whatever ran within a turn is over with it. */
const TURN_ENDS: ReadonlySet<SessionReport['kind']> = new Set([
	'started',
	'idle',
	'finished',
	'failed',
	'aborted',
	'ended',
]);

function takeRunning(next: FleetSession, { kind, data, at }: SessionReport, order: number, now: number): void {
	const what = TURN_ENDS.has(kind) ? '' : data.running;
	if (what === undefined || order < (next.running?.order ?? NONE)) return;
	const running = oneLine(what, RUNNING_MAX);
	next.running = running === '' ? { order } : { order, what: running, since: Math.min(at, now) };
}

const RUNS = {
	started: 'starting',
	working: 'working',
	// It asks from within a run, so it is there and in one.
	question: 'working',
	idle: 'idle',
	aborted: 'idle',
	finished: 'finished',
	failed: 'failed',
} as const;

function withRun(next: FleetSession, report: SessionReport, order: number): FleetSession {
	const { kind, data } = report;
	const reason = data.reason ?? (kind === 'failed' ? data.text : undefined);
	if (kind === 'ended') {
		if (order < next.order.end) return next;
		next.order.end = order;
		const { endReason: _, ...rest } = next;
		return reason === undefined ? rest : { ...rest, endReason: oneLine(reason, SUMMARY_MAX) };
	}
	if (!Object.hasOwn(RUNS, kind) || order < next.order.run) return next;
	next.order.run = order;
	next.run = RUNS[kind as keyof typeof RUNS];
	if (reason === undefined && next.runReason === undefined) return next;
	const { runReason: _, ...rest } = next;
	return reason === undefined ? rest : { ...rest, runReason: oneLine(reason, SUMMARY_MAX) };
}

function takeText(next: FleetSession, report: SessionReport, text: string, order: number): void {
	if (report.kind === 'text') {
		const line = { n: order, at: report.at, role: report.data.role ?? 'agent', text: oneLine(text, TAIL_LINE_MAX) };
		next.tail = withLine(next.tail, line);
	} else if (report.kind === 'screen') {
		if (order < next.order.screen) return;
		next.screen = cutText(visible(text), SCREEN_MAX);
		next.order.screen = order;
	} else if (order >= next.order.summary) {
		next.summary = bare(text, SUMMARY_MAX);
		next.summaryAt = report.at;
		next.order.summary = order;
	}
}

/** Newest lines in their order, whatever the order they came in. */
function withLine(tail: readonly TailLine[], said: TailLine): TailLine[] {
	const last = tail.at(-1);
	if (last !== undefined && said.n < last.n) {
		const joined = [...tail, said];
		joined.sort((left, right) => left.n - right.n || left.at - right.at || (left.text < right.text ? -1 : 1));
		return joined.slice(-TAIL_LINES);
	}
	return [...tail.slice(1 - TAIL_LINES), said];
}

/** The state that run, end and open questions amount to. */
export function withState(session: FleetSession, now: number): FleetSession {
	const isGone = session.order.end > NONE && session.order.end >= session.order.run;
	const state = stateOf(session, isGone);
	const next = isGone ? { ...session, endedAt: session.endedAt ?? now } : withoutEnd(session);
	return state === session.state ? next : { ...next, state, stateAt: now };
}

/** Most reports leave it as it is, and a copy is what they would mostly cost. */
function withoutEnd(session: FleetSession): FleetSession {
	if (session.endedAt === undefined) return session;
	const { endedAt: _, ...living } = session;
	return living;
}

function stateOf({ run, openQuestions }: FleetSession, isGone: boolean): SessionState {
	if (isGone) return run === 'finished' || run === 'failed' ? run : 'stopped';
	return openQuestions.length > 0 ? 'waiting' : run;
}
