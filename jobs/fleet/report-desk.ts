import type { FleetSettings } from '../../config/fleet.ts';
import { applyReports } from '../../core/fleet/apply-reports.ts';
import { questionId } from '../../core/fleet/question.ts';
import type { ReportOrigin, SessionReport } from '../../core/fleet/report.ts';
import type { ReportDesk, TakenReports } from '../../core/fleet/report-desk.ts';
import { sessionId } from '../../core/fleet/session.ts';
import type { SessionTable, WatchStore } from '../../core/fleet/stores.ts';
import type { Clock } from '../../core/ports.ts';

/** One session was written by others again and again; the reports are to be sent once more. */
class ReportConflict extends Error {
	override readonly name = 'ReportConflict';
	readonly code = 'report_conflict';
}

export interface ReportDeskDeps {
	readonly sessions: SessionTable;
	readonly watches: Pick<WatchStore, 'bySession'>;
	settings(): Pick<FleetSettings, 'timeZone'>;
	readonly clock: Clock;
}

const TRIES = 20;

type Names = ReadonlyMap<string, string>;

/** Takes reports in: by session, each in one step, computed anew when somebody wrote in between. */
export function createReportDesk(deps: ReportDeskDeps): ReportDesk {
	const { sessions, watches, clock } = deps;
	/** Those who were in each other's way once go one after the other: many sessions may want the same name at once. */
	let turnstile: Promise<unknown> = Promise.resolve();
	/** Ends of what runs in this process, by session: batches of one session need not run into each other. */
	const ends = new Map<string, Promise<unknown>>();

	async function inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
		const mine = (ends.get(id) ?? Promise.resolve()).then(act);
		const end = mine.catch(() => undefined);
		ends.set(id, end);
		try {
			return await mine;
		} finally {
			if (ends.get(id) === end) ends.delete(id);
		}
	}

	async function takeOne(group: Group, origin: ReportOrigin, names: Names): Promise<TakenReports> {
		const first = await tryOne(group, origin, names);
		if (first !== undefined) return first;
		const mine = turnstile.then(async () => {
			for (let tries = 0; tries < TRIES; tries += 1) {
				const done = await tryOne(group, origin, await sessions.names());
				if (done !== undefined) return done;
			}
			throw new ReportConflict(`given up after ${TRIES} tries`);
		});
		turnstile = mine.catch(() => undefined);
		return mine;
	}

	async function tryOne(
		{ id, nativeId, reports }: Group,
		origin: ReportOrigin,
		names: Names,
	): Promise<TakenReports | undefined> {
		const ids = reports.map(({ eventId }) => eventId);
		const refs = reports.flatMap(({ data }) => [data.ref, data.question?.ref]);
		const questionIds = refs.flatMap((ref) => (ref === undefined ? [] : [questionId(id, ref)]));
		const view = await sessions.load(id, ids, questionIds);
		// Read after the session: one that fired with an earlier change is gone by now, or this change conflicts.
		const set = await watches.bySession(id);
		const now = clock.now();
		const { timeZone } = deps.settings();
		const change = applyReports({ view, reports, origin, names, watches: set, timeZone, now });
		const session = change?.session ?? view.session;
		if (session === undefined) throw new ReportConflict('its reports are known and it is not');
		const done = { sessionId: id, nativeId, name: session.name, lastReport: session.lastReport };
		if (change === undefined) return { ...done, taken: [] };
		const result = await sessions.commit(change);
		return result.kind === 'stored' ? { ...done, taken: change.reportIds } : undefined;
	}

	return {
		async take(origin, reports) {
			const groups = new Map<string, Group>();
			for (const report of reports) {
				const { nativeId } = report.session;
				const group = groups.get(nativeId);
				if (group) group.reports.push(report);
				else groups.set(nativeId, { id: sessionId(origin.source, origin.host, nativeId), nativeId, reports: [report] });
			}
			const names = await sessions.names();
			return Promise.all([...groups.values()].map((group) => inTurn(group.id, () => takeOne(group, origin, names))));
		},
	};
}

interface Group {
	readonly id: string;
	readonly nativeId: string;
	readonly reports: SessionReport[];
}
