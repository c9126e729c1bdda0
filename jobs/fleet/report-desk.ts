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

/** Takes reports in: by session, each in one step, computed anew when somebody wrote in between. */
export function createReportDesk(deps: ReportDeskDeps): ReportDesk {
	const { sessions, watches, clock } = deps;
	/** Those who were in each other's way once go one after the other: many sessions may want the same name at once. */
	let turnstile: Promise<unknown> = Promise.resolve();

	async function takeOne(
		id: string,
		nativeId: string,
		origin: ReportOrigin,
		reports: readonly SessionReport[],
	): Promise<TakenReports> {
		const first = await tryOne(id, nativeId, origin, reports, 1);
		if (first !== undefined) return first;
		const mine = turnstile.then(() => tryOne(id, nativeId, origin, reports, TRIES));
		turnstile = mine.catch(() => undefined);
		const done = await mine;
		if (done === undefined) throw new ReportConflict(`given up after ${TRIES} tries`);
		return done;
	}

	async function tryOne(
		id: string,
		nativeId: string,
		origin: ReportOrigin,
		reports: readonly SessionReport[],
		times: number,
	): Promise<TakenReports | undefined> {
		const ids = reports.map(({ eventId }) => eventId);
		const refs = reports.flatMap(({ data }) => [data.ref, data.question?.ref]);
		const questionIds = refs.flatMap((ref) => (ref === undefined ? [] : [questionId(id, ref)]));
		for (let tries = 0; tries < times; tries += 1) {
			const [view, names, watching] = await Promise.all([
				sessions.load(id, ids, questionIds),
				sessions.names(),
				watches.bySession(id),
			]);
			const now = clock.now();
			const { timeZone } = deps.settings();
			const change = applyReports({ view, reports, origin, names, watches: watching, timeZone, now });
			const session = change?.session ?? view.session;
			if (session === undefined) throw new ReportConflict('its reports are known and it is not');
			const done = { sessionId: id, nativeId, name: session.name, lastReport: session.lastReport };
			if (change === undefined) return { ...done, taken: [] };
			const result = await sessions.commit(change);
			if (result.kind === 'stored') return { ...done, taken: change.reportIds };
		}
		return undefined;
	}

	return {
		async take(origin, reports) {
			const groups = new Map<string, SessionReport[]>();
			for (const report of reports) {
				const { nativeId } = report.session;
				const group = groups.get(nativeId);
				if (group) group.push(report);
				else groups.set(nativeId, [report]);
			}
			return Promise.all(
				[...groups].map(([nativeId, group]) =>
					takeOne(sessionId(origin.source, origin.host, nativeId), nativeId, origin, group),
				),
			);
		},
	};
}
