import { type FleetSettings, fleetSettings } from '../../../../config/fleet.ts';
import { applyReports } from '../../../../core/fleet/apply-reports.ts';
import type { ConciergeModel } from '../../../../core/fleet/budget.ts';
import type { FeedDraft, FeedEvent } from '../../../../core/fleet/feed-event.ts';
import type { Question } from '../../../../core/fleet/question.ts';
import { type SessionReport, sessionReport } from '../../../../core/fleet/report.ts';
import type { FleetSession } from '../../../../core/fleet/session.ts';
import type { SessionView } from '../../../../core/fleet/stores.ts';
import { localDay } from '../../../../core/local-day.ts';

/** 2026-11-30T12:00:00Z */
export const T0 = Date.UTC(2026, 10, 30, 12);
const ZONE = 'UTC';
export const OWN_ID = 'J7';
export const ALEX = { who: 'alex', whoId: '111111111111111111' };
export const SAM = { who: 'sam', whoId: '222222222222222222' };
export const LOCAL: ConciergeModel = { id: 'ollama/small', isLocal: true, price: undefined };
export const PAID: ConciergeModel = {
	id: 'anthropic/claude-haiku-4-5',
	isLocal: false,
	price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};

type Loose<T> = { [Key in keyof T]?: T[Key] extends object ? Loose<T[Key]> : T[Key] };

export function settingsOf(change: Loose<FleetSettings> = {}): FleetSettings {
	return fleetSettings.parse({ channelId: '123456789012345678', ...change });
}

let nextId = 0;

export type ReportChange = Partial<Omit<SessionReport, 'session' | 'data'>> & {
	session?: Partial<SessionReport['session']>;
	data?: Partial<SessionReport['data']>;
};

/** A report of the session `native-1`, with an event id of its own unless one is given. */
export function report(kind: SessionReport['kind'], change: ReportChange = {}): SessionReport {
	nextId += 1;
	const { session, data, ...rest } = change;
	return sessionReport.parse({
		eventId: `e${nextId}`,
		at: T0,
		kind,
		...rest,
		session: { nativeId: 'native-1', ...session },
		data: data ?? {},
	});
}

export function asked(ref = 'r1', change: Partial<SessionReport['data']['question']> = {}) {
	return {
		question: {
			ref,
			kind: 'choice' as const,
			text: 'Which schema should I use?',
			choices: [
				{ label: 'v1 (keep)', value: 'v1' },
				{ label: 'v2 (migrate)', value: 'v2' },
			],
			multi: false,
			freeText: false,
			...change,
		},
	};
}

/** What a store would hold after these reports, for one session. */
export interface Kept {
	session: FleetSession | undefined;
	questions: Question[];
	known: Set<string>;
	version: number;
	events: FeedDraft[];
}

export const nothing = (): Kept => ({ session: undefined, questions: [], known: new Set(), version: 0, events: [] });

/** Applies reports one call at a time or as one batch, like the store would. */
export function play(
	kept: Kept,
	reports: readonly SessionReport[],
	options: { now?: number; names?: ReadonlyMap<string, string>; source?: string; host?: string } = {},
): Kept {
	const view: SessionView = {
		session: kept.session,
		version: kept.version,
		questions: kept.questions,
		known: kept.known,
	};
	const change = applyReports({
		view,
		reports,
		origin: { source: options.source ?? 'script', host: options.host ?? 'den' },
		names: options.names ?? new Map(),
		day: localDay(options.now ?? T0, ZONE),
		now: options.now ?? T0,
	});
	if (change === undefined) return kept;
	const questions = new Map(kept.questions.map((question) => [question.id, question]));
	for (const question of change.questions) {
		const before = questions.get(question.id);
		if (question.revision !== (before?.revision ?? 0) + 1) throw new Error('a revision was skipped');
		questions.set(question.id, question);
	}
	return {
		session: change.session,
		questions: [...questions.values()],
		known: new Set([...kept.known, ...change.reportIds]),
		version: kept.version + 1,
		events: [...kept.events, ...change.events],
	};
}

/** A session as these reports leave it. */
export function sessionOf(name: string, reports: readonly SessionReport[] = [report('started')], now = T0): Kept {
	const named = reports.map((entry) => ({ ...entry, session: { ...entry.session, nativeId: name, name } }));
	return play(nothing(), named, { now });
}

export function numbered(drafts: readonly FeedDraft[], from = 1): FeedEvent[] {
	return drafts.map((draft, index) => ({ ...draft, seq: from + index }));
}

export function feedEvent(seq: number, change: Partial<FeedEvent> = {}): FeedEvent {
	return {
		seq,
		at: T0,
		kind: 'state',
		sessionId: 's1',
		sessionName: 'api-fix',
		cause: { role: 'session', who: 'api-fix', whoId: 's1' },
		text: 'idle → working',
		...change,
	};
}
