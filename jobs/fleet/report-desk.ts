import type { FleetSettings } from '../../config/fleet.ts';
import { applyReports, wantsName } from '../../core/fleet/apply-reports.ts';
import { questionId } from '../../core/fleet/question.ts';
import type { ReportOrigin, SessionReport } from '../../core/fleet/report.ts';
import type { ReportDesk, TakenReports } from '../../core/fleet/report-desk.ts';
import { sessionId } from '../../core/fleet/session.ts';
import type { SessionChange, SessionTable, SessionView, WatchStore } from '../../core/fleet/stores.ts';
import { createLocalDay } from '../../core/local-day.ts';
import type { Clock } from '../../core/ports.ts';

/** One session was written by others again and again; the reports are to be sent once more. */
class ReportConflict extends Error {
	override readonly name = 'ReportConflict';
	readonly code = 'report_conflict';
}

export interface ReportDeskDeps {
	readonly sessions: SessionTable;
	readonly watches: Pick<WatchStore, 'list'>;
	settings(): Pick<FleetSettings, 'timeZone'>;
	readonly clock: Clock;
}

const TRIES = 20;
const IDS_MAX = 5_000;

interface Group {
	readonly id: string;
	readonly nativeId: string;
	readonly reports: SessionReport[];
}

/** Takes reports in: each session's in one step, all of a batch on one way to the store, anew where somebody wrote in between. */
export function createReportDesk(deps: ReportDeskDeps): ReportDesk {
	const { sessions, watches, clock } = deps;
	const localDay = createLocalDay();
	const idOf = createSessionIds();
	/** Those who were in each other's way once go one after the other: many processes may want the same name at once. */
	let turnstile: Promise<unknown> = Promise.resolve();
	/** Ends of what runs in this process, by session: batches of one session need not run into each other. */
	const ends = new Map<string, Promise<unknown>>();

	async function inTurn<T>(ids: readonly string[], act: () => Promise<T>): Promise<T> {
		const before = new Set(ids.flatMap((id) => ends.get(id) ?? []));
		const mine = before.size === 0 ? act() : Promise.all(before).then(act);
		const end = mine.catch(() => undefined);
		for (const id of ids) ends.set(id, end);
		try {
			return await mine;
		} finally {
			for (const id of ids) if (ends.get(id) === end) ends.delete(id);
		}
	}

	async function takeAll(groups: readonly Group[], origin: ReportOrigin): Promise<TakenReports[]> {
		let done: (TakenReports | undefined)[] = groups.map(() => undefined);
		const tryLeft = async (from: 'memory' | 'store') => {
			const more = await tryAll(
				groups.filter((_, index) => done[index] === undefined),
				origin,
				from,
			);
			done = done.map((one) => one ?? more.shift());
			return !done.includes(undefined);
		};
		// What this process remembers is mostly what is stored; where it is not, the store says so and is asked.
		if ((await tryLeft('memory')) || (await tryLeft('store'))) return done as TakenReports[];
		const mine = turnstile.then(async () => {
			for (let tries = 0; tries < TRIES; tries += 1) if (await tryLeft('store')) return done as TakenReports[];
			throw new ReportConflict(`given up after ${TRIES} tries`);
		});
		turnstile = mine.catch(() => undefined);
		return mine;
	}

	async function viewsOf(groups: readonly Group[], from: 'memory' | 'store'): Promise<SessionView[]> {
		const asks = groups.map(({ id, reports }) => ({ id, ...idsOf(id, reports) }));
		const recalled = asks.map((ask) => (from === 'memory' ? sessions.recall(ask) : undefined));
		const loaded = [...(await sessions.loadMany(asks.filter((_, index) => recalled[index] === undefined)))];
		return recalled.map((view) => view ?? (loaded.shift() as SessionView));
	}

	/** Undefined for each session that somebody else wrote meanwhile. */
	async function tryAll(
		groups: readonly Group[],
		origin: ReportOrigin,
		from: 'memory' | 'store',
	): Promise<(TakenReports | undefined)[]> {
		const [views, set] = await Promise.all([viewsOf(groups, from), watches.list()]);
		const asksName = groups.some(({ reports }, index) => wantsName(views[index]!, reports));
		const names = new Map(asksName ? await sessions.names() : []);
		const now = clock.now();
		const day = localDay(now, deps.settings().timeZone);
		const changes: SessionChange[] = [];
		const taken = groups.map(({ id, nativeId, reports }, index) => {
			const view = views[index]!;
			const own = set.length === 0 ? set : set.filter((watch) => watch.sessionId === id);
			const change = applyReports({ view, reports, origin, names, watches: own, day, now });
			const session = change?.session ?? view.session;
			if (session === undefined) throw new ReportConflict('its reports are known and it is not');
			// The next of this batch sees the name as given away.
			names.set(id, session.name.toLowerCase());
			if (change !== undefined) changes.push(change);
			const { name, lastReport } = session;
			const isNew = view.session === undefined;
			return { sessionId: id, nativeId, name, lastReport, isNew, taken: change?.reportIds ?? [] };
		});
		const results = await sessions.commitMany(changes);
		const lost = new Set(
			changes.flatMap(({ session }, index) => (results[index]?.kind === 'stored' ? [] : session.id)),
		);
		return taken.map((one) => (lost.has(one.sessionId) ? undefined : one));
	}

	return {
		async take(origin, reports) {
			const groups = new Map<string, Group>();
			for (const report of reports) {
				const { nativeId } = report.session;
				const group = groups.get(nativeId);
				if (group) group.reports.push(report);
				else groups.set(nativeId, { id: idOf(origin, nativeId), nativeId, reports: [report] });
			}
			const all = [...groups.values()];
			if (all.length === 0) return [];
			return inTurn(
				all.map(({ id }) => id),
				() => takeAll(all, origin),
			);
		},
	};
}

function idsOf(id: string, reports: readonly SessionReport[]) {
	const questionIds = new Set<string>();
	for (const { data } of reports) {
		for (const ref of [data.ref, data.question?.ref]) if (ref !== undefined) questionIds.add(questionId(id, ref));
	}
	return { reportIds: reports.map(({ eventId }) => eventId), questionIds: [...questionIds] };
}

/** Ids of sessions that report again and again: each is a hash, and that costs as much as taking a report in. */
function createSessionIds(): (origin: ReportOrigin, nativeId: string) => string {
	const known = new Map<string, string>();
	return ({ source, host }, nativeId) => {
		// A line break is in no name of a source or host, so nothing reads like something else.
		const key = `${source}\n${host}\n${nativeId}`;
		const id = known.get(key) ?? sessionId(source, host, nativeId);
		if (known.size >= IDS_MAX) known.clear();
		known.set(key, id);
		return id;
	};
}
