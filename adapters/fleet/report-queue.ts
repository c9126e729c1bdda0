import type { ReportOrigin, SessionReport } from '../../core/fleet/report.ts';
import type { Clock, Log } from '../../core/ports.ts';

/** Takes reports into the fleet, a batch of one session in order. Rejects while the store cannot be reached. */
export type ReportSink = (origin: ReportOrigin, reports: readonly SessionReport[]) => Promise<void>;

/** What one report says, apart from what its queue adds. */
export interface QueuedReport {
	readonly kind: SessionReport['kind'];
	readonly data: SessionReport['data'];
}

/** Reports of one session on their way into the fleet: numbered, in order, kept until they were taken. */
export interface ReportQueue {
	push(report: QueuedReport, session: SessionReport['session']): void;
	/** Resolves when all is taken, or false after `deadlineMs`. */
	drained(deadlineMs: number): Promise<boolean>;
	close(): void;
}

export interface ReportQueueDeps {
	readonly origin: ReportOrigin;
	readonly sink: ReportSink;
	readonly clock: Clock;
	readonly log: Log;
	/** Distinguishes the reports of this process from those of an earlier one. */
	readonly runId: string;
	/** Number of the newest report that was taken before; absent: reports are ordered by their time alone. */
	readonly lastReport?: number;
	readonly retryMs?: number;
}

const QUEUE_MAX = 1_000;
const BATCH_MAX = 50;
const RETRY_MAX_MS = 10_000;

export function createReportQueue(deps: ReportQueueDeps): ReportQueue {
	const { origin, sink, clock, log, runId } = deps;
	const firstRetryMs = deps.retryMs ?? 250;
	const isNumbered = deps.lastReport !== undefined;
	let n = deps.lastReport ?? 0;
	let lastAt = 0;
	let waiting: SessionReport[] = [];
	let isSending = false;
	let isClosed = false;
	let dropped = 0;
	let timer: NodeJS.Timeout | undefined;
	let retryMs = firstRetryMs;
	const idle = new Set<() => void>();

	async function send(): Promise<void> {
		if (isSending || isClosed) return;
		isSending = true;
		while (waiting.length > 0 && !isClosed) {
			const batch = waiting.slice(0, BATCH_MAX);
			try {
				await sink(origin, batch);
				waiting = waiting.slice(batch.length);
				retryMs = firstRetryMs;
			} catch (error) {
				log.warn({ err: error, waiting: waiting.length }, 'reports of a session could not be stored yet');
				timer = setTimeout(() => void send(), retryMs);
				retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
				break;
			}
		}
		isSending = false;
		if (waiting.length === 0) for (const tell of [...idle]) tell();
	}

	/** Transitions are kept; words and signs of life make room for them. The batch on its way stays as it is. */
	function makeRoom(): void {
		if (waiting.length < QUEUE_MAX) return;
		const index = waiting.findIndex(
			({ kind }, place) => place >= BATCH_MAX && (kind === 'text' || kind === 'alive' || kind === 'cost'),
		);
		waiting.splice(index === -1 ? BATCH_MAX : index, 1);
		if (++dropped % 100 === 1) log.warn({ dropped }, 'reports of a session were dropped: the store is away too long');
	}

	return {
		push(report, session) {
			if (isClosed) return;
			makeRoom();
			n += 1;
			// Times grow strictly, so that they order reports as well as numbers do.
			lastAt = Math.max(clock.now(), lastAt + 1);
			const number = isNumbered ? { n } : {};
			waiting.push({
				v: 1,
				eventId: `${runId}:${n}`,
				...number,
				at: lastAt,
				session,
				kind: report.kind,
				data: report.data,
			});
			if (timer === undefined || !isBackingOff()) void send();
		},
		drained(deadlineMs) {
			if (waiting.length === 0) return Promise.resolve(true);
			return new Promise((resolve) => {
				const finish = (isDone: boolean) => {
					clearTimeout(deadline);
					idle.delete(tell);
					resolve(isDone);
				};
				const tell = () => finish(true);
				const deadline = setTimeout(() => finish(false), deadlineMs);
				idle.add(tell);
			});
		},
		close() {
			isClosed = true;
			clearTimeout(timer);
		},
	};

	function isBackingOff(): boolean {
		return retryMs > firstRetryMs;
	}
}
