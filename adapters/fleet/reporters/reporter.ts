import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import type { SessionReport } from '../../../core/fleet/report.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import { createReportQueue, type QueuedReport, type ReportQueue } from '../report-queue.ts';
import { pauseFor } from '../until-aborted.ts';
import { type FleetClient, FleetRefused } from './fleet-client.ts';
import { createOpenQuestions, createTakenItems, type OpenQuestions } from './open-questions.ts';

/** What became of an item that was handed to the agent. */
export type Handed = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Reports the sessions of one agent on this machine and brings them what people send. Nothing of it throws. */
export interface Reporter {
	report(session: SessionReport['session'], reports: readonly QueuedReport[]): void;
	/** Resolves when everything was taken, or after `deadlineMs` with false. */
	drained(deadlineMs: number): Promise<boolean>;
	close(): Promise<void>;
}

export interface ReporterDeps {
	readonly client: FleetClient;
	readonly source: string;
	readonly clock: Clock;
	readonly log: Log;
	readonly newId: () => string;
	/** Hands an item to the agent; absent: nothing is fetched. */
	readonly onItem?: (nativeId: string, item: InboxItem, signal: AbortSignal) => Promise<Handed>;
	readonly pollMs?: number;
	readonly retryMs?: number;
}

interface Reported {
	readonly queue: ReportQueue;
	readonly stop: AbortController;
	/** As the agent last told of itself. */
	session: SessionReport['session'];
	/** Questions that the agent still waits for, as reported. */
	readonly open: OpenQuestions<QueuedReport['data']>;
	/** The house has heard of it before. */
	isKnown: boolean;
	loop?: Promise<void>;
}

export function createReporter(deps: ReporterDeps): Reporter {
	const { client, log } = deps;
	const sessions = new Map<string, Reported>();
	/** Of sessions that ended, with their last reports still on the way. */
	const leaving = new Set<ReportQueue>();

	function open(session: SessionReport['session']): Reported {
		const { nativeId } = session;
		const known = sessions.get(nativeId);
		if (known !== undefined) return known;
		const stop = new AbortController();
		const queue = createReportQueue({
			origin: { source: deps.source, host: '' },
			clock: deps.clock,
			log,
			runId: deps.newId(),
			...(deps.retryMs === undefined ? {} : { retryMs: deps.retryMs }),
			sink: async (_origin, reports) => {
				try {
					const { sessions: answered, refused } = await client.post(reports);
					for (const { problems } of refused) log.warn({ problems }, 'a report was refused');
					const [taken] = answered;
					if (taken === undefined) return;
					if (taken.isNew === true) tellAgain(nativeId);
					made.isKnown = true;
					listen(nativeId, taken.sessionId);
				} catch (error) {
					if (!(error instanceof FleetRefused && error.isFinal && !error.message.startsWith('401'))) throw error;
					log.warn({ problem: error.message }, 'reports were refused and are dropped');
				}
			},
		});
		const made: Reported = { queue, stop, session, open: createOpenQuestions(), isKnown: false };
		sessions.set(nativeId, made);
		return made;
	}

	/** The house has lost what it knew: what was asked before is asked anew, under the same name. */
	function tellAgain(nativeId: string): void {
		const reported = sessions.get(nativeId);
		if (reported?.isKnown !== true) return;
		for (const data of reported.open.all()) reported.queue.push({ kind: 'question', data }, reported.session);
	}

	function listen(nativeId: string, sessionId: string): void {
		const reported = sessions.get(nativeId);
		if (reported === undefined || reported.loop !== undefined || deps.onItem === undefined) return;
		reported.loop = poll(nativeId, sessionId, deps.onItem, reported.stop.signal).catch((error: unknown) =>
			log.error({ err: error }, 'the inbox of a session is not read any more'),
		);
	}

	async function poll(
		nativeId: string,
		sessionId: string,
		onItem: NonNullable<ReporterDeps['onItem']>,
		signal: AbortSignal,
	): Promise<void> {
		// By their ids: numbers begin anew when the house has lost what it knew.
		const taken = createTakenItems();
		while (!signal.aborted) {
			try {
				for (const item of await client.inbox(sessionId, 0, deps.pollMs ?? 10_000, signal)) {
					const handed = taken.has(item.id) ? undefined : await onItem(nativeId, item, signal);
					// What ended the session was taken all the same.
					if (signal.aborted && item.kind !== 'stop') return;
					taken.add(item.id);
					if (handed?.ok === false) await client.refuse(sessionId, item.id, handed.why);
					await client.ack(sessionId, item.seq);
				}
			} catch (error) {
				if (signal.aborted) return;
				log.warn({ problem: error instanceof Error ? error.message : String(error) }, 'an inbox could not be read');
				await pauseFor(deps.retryMs ?? 5_000, signal);
			}
		}
	}

	return {
		report(session, reports) {
			const reported = open(session);
			// Later reports need not say again what it is called and where it runs.
			reported.session = { ...reported.session, ...session };
			for (const report of reports) {
				reported.open.note(report.kind, report.data);
				reported.queue.push(report, reported.session);
			}
			if (reports.at(-1)?.kind !== 'ended') return;
			const ended = sessions.get(session.nativeId);
			sessions.delete(session.nativeId);
			if (ended === undefined) return;
			ended.stop.abort();
			leaving.add(ended.queue);
			void ended.queue.drained(60_000).then(() => {
				ended.queue.close();
				leaving.delete(ended.queue);
			});
		},
		async drained(deadlineMs) {
			const queues = [...[...sessions.values()].map(({ queue }) => queue), ...leaving];
			const all = await Promise.all(queues.map((queue) => queue.drained(deadlineMs)));
			return all.every(Boolean);
		},
		async close() {
			const all = [...sessions.values()];
			sessions.clear();
			for (const queue of leaving) queue.close();
			for (const { stop, queue } of all) {
				stop.abort();
				queue.close();
			}
			await Promise.all(all.map(({ loop }) => loop));
		},
	};
}
