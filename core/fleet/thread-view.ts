import { localDay } from '../local-day.ts';
import type { Question } from './question.ts';
import { bare, quoted } from './quote.ts';
import { runningCall } from './running-call.ts';
import { type FleetSession, hasEnded } from './session.ts';
import type { DeliveryResult, SessionAbilities } from './session-control.ts';
import { costOn } from './session-cost.ts';
import { transcriptLines } from './transcript.ts';
import { ENGLISH } from './wording/english.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

export interface HeaderInput {
	readonly session: FleetSession;
	readonly questions: readonly Question[];
	readonly now: number;
	readonly timeZone: string;
	/** How a moment is told; the edge may put a stamp that counts by itself. */
	readonly ago?: (at: number) => string;
	/** Takes the mark-up out of a text of the session's, where what is made here is read as mark-up. */
	readonly plain?: (text: string) => string;
	/** English when absent. */
	readonly words?: FleetWording;
}

const ICONS = {
	starting: '🟡',
	working: '🔵',
	waiting: '🟠',
	idle: '⚪',
	finished: '🟢',
	failed: '🔴',
	stopped: '⚫',
} as const;

/** What a session's thread shows on top. Equal texts mean that nothing has to be edited. */
export function threadHeader(input: HeaderInput): string {
	const { session, questions, now, timeZone, plain = (text: string) => text, words = ENGLISH } = input;
	const when = input.ago ?? ((at: number) => words.ago(at, now));
	const state = `${ICONS[session.state]} ${words.state(session.state)}${hasEnded(session) && session.state !== 'stopped' ? `, ${words.endedMark}` : ''}`;
	const open = questions.filter((question) => question.sessionId === session.id && question.state === 'open');
	const lines = [`**${plain(bare(session.name, 60))}** · ${state} · ${when(session.stateAt)}`];
	if (session.staleSince !== undefined) lines.push(`⚠ ${words.noReportSince(when(session.reportedAt))}`);
	const call = runningCall(session);
	// Shown only once the feed has heard of it: with the end of such a call it hears again, and this is looked at anew.
	if (call !== undefined && session.running?.isTold === true)
		lines.push(words.runs(plain(quoted(call.what, 200)), when(call.since)));
	for (const question of open.slice(0, 3)) lines.push(words.asksThis(plain(quoted(question.text, 300))));
	if (session.state === 'failed') lines.push(words.failedWith(plain(quoted(session.runReason ?? words.noReason, 300))));
	if (hasEnded(session) && session.endReason !== undefined)
		lines.push(words.endedWith(plain(quoted(session.endReason, 200))));
	if (session.summary !== undefined) lines.push(words.lastWords(plain(quoted(session.summary, 300))));
	const today = costOn(session.cost, localDay(now, timeZone));
	const place = [session.directory, words.where(session.source, session.host), session.model]
		.filter((part) => part !== undefined)
		.map((part) => plain(bare(part, 120)));
	lines.push(`${place.join(' · ')} · ${words.costs(today, session.cost.totalUsd)} · id ${session.id}`);
	if (session.muted === true) lines.push(words.muted);
	return lines.join('\n');
}

/** Title of the thread. A person's own title is kept by the edge. */
export function threadTitle(session: Pick<FleetSession, 'name'>): string {
	return bare(session.name, 90);
}

/** The transcript for people. `full`: lines that the agent itself gave, newest last; the stored tail otherwise. */
export function transcriptView(session: FleetSession, full: readonly string[] | undefined, count: number): string {
	const lines = full?.slice(-count) ?? transcriptLines(session.tail, count);
	if (lines.length === 0) return 'No transcript yet.';
	return lines.join('\n');
}

/** What a person's message to a session may be, asked before it is put on its way. */
export function messageFault(
	session: FleetSession,
	mode: 'queue' | 'interrupt',
	can: SessionAbilities,
): string | undefined {
	if (hasEnded(session)) return `${session.name} has ended and takes no messages any more.`;
	if (!can.message) return `Sessions of ${session.source} take no messages.`;
	if (mode === 'interrupt' && !can.interrupt)
		return `Sessions of ${session.source} cannot be interrupted; queue the message instead.`;
	return undefined;
}

/** How a message fared, under it. */
export function deliveryText(result: DeliveryResult | 'sending', mode: 'queue' | 'interrupt'): string {
	if (result === 'sending') return 'sending…';
	switch (result.kind) {
		case 'delivered':
			return mode === 'interrupt' ? 'delivered, breaking into its turn' : 'delivered';
		case 'queued':
			return 'queued: it is read when the session fetches it';
		default:
			return `not delivered: ${result.why}`;
	}
}

/** One session for `/session show`, in the order people ask for. */
export function sessionDetails(input: HeaderInput): string {
	const { session, now, plain = (text: string) => text, words = ENGLISH } = input;
	const lines = [
		// With the number of the newest report, where its reporter counts.
		words.startedAt(words.ago(session.startedAt, now), words.ago(session.reportedAt, now), session.lastReport),
		words.runsFor(words.time((session.endedAt ?? now) - session.startedAt)),
		...(session.file === undefined ? [] : [words.file(plain(bare(session.file, 300)))]),
		words.nativeId(plain(bare(session.nativeId, 120))),
	];
	return [threadHeader(input), ...lines].join('\n');
}
