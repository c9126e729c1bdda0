import type { FeedCause, FeedKind } from '../feed-event.ts';
import type { SessionState } from '../session-state.ts';

/**
 * What code says to people about the fleet, in one language. Arguments are ready to be shown: texts of sessions are quoted
 * or bared before, moments are told already.
 */
export interface FleetWording {
	/** A length of time in its largest unit, ms. */
	time(ms: number): string;
	/** A moment, seen from now; epoch ms. */
	ago(at: number, now: number): string;
	state(state: SessionState): string;
	readonly noReason: string;

	/** Parts of the status line. */
	readonly off: string;
	readonly noModel: string;
	noPrice(model: string): string;
	overBudget(usd: number): string;
	modelFailed(code: string, times: number): string;
	held(wakes: number): string;
	needsYou(words: string, ago: string, more: number): string;
	failed(name: string, reason: string): string;
	asks(name: string, question: string): string;
	works(count: number): string;
	costToday(usd: number): string;
	fresh(count: number): string;
	/** Its short forms, for the presence. */
	shortWorks(count: number): string;
	shortNeed(name: string, more: number): string;

	/** Lines of a thread's header. */
	readonly endedMark: string;
	noReportSince(when: string): string;
	runs(what: string, when: string): string;
	asksThis(question: string): string;
	failedWith(reason: string): string;
	endedWith(reason: string): string;
	lastWords(summary: string): string;
	where(source: string, host: string): string;
	costs(todayUsd: number, totalUsd: number): string;
	readonly muted: string;

	/** Lines of `/session list` and `/session show`. */
	silentSince(when: string): string;
	startedAt(started: string, reported: string, number: number): string;
	runsFor(time: string): string;
	file(path: string): string;
	nativeId(id: string): string;

	/** Causes in the log. */
	causedBy(who: string, role: FeedCause['role']): string;
	readonly byConcierge: string;
	askedBy(who: string): string;
	wokenBy(name: string, kind: FeedKind, more: number): string;
	readonly wokenByClock: string;
	readonly wokenByStart: string;

	/** Posts. */
	stillWaits(name: string, time: string, question: string): string;
	readonly noSessions: string;
	stateFor(state: SessionState, time: string): string;
	runsSince(what: string, when: string): string;
	silentFor(time: string): string;
	asksInline(question: string): string;
	andMore(count: number): string;
	readonly fleet: string;
	happened(name: string, kind: FeedKind, ago: string, text: string): string;
	modelNotice(failures: number, code: string): string;
	readonly whatHappened: string;
	readonly theFleet: string;
	asItStands(why: string): string;
	readonly notAnswered: string;
	readonly switchedOff: string;
	modelFailedOnce(code: string): string;
	/** `why` is the guard's own text; `at` when it may be asked again. */
	limited(why: string, at: string): string;
}
