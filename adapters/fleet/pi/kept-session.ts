import type { Relisted } from '../../../core/fleet/relist.ts';
import type { ReportedQuestion } from '../../../core/fleet/report.ts';
import type { DeliveryResult, SessionControl } from '../../../core/fleet/session-control.ts';
import { createReportQueue, type ReportQueue } from '../report-queue.ts';
import { pauseFor } from '../until-aborted.ts';
import { type LaunchWish, launchPi } from './launch-pi.ts';
import { PI_TIMING, type PiDeps, type PiTiming } from './pi-deps.ts';
import type { PiSession, PiStateAnswer } from './pi-session.ts';
import { readSessionFile } from './session-file.ts';

export type InboxThing = Parameters<SessionControl['deliver']>[1];

/** A session under supervision: its process may change, its identity does not. */
export interface KeptSession {
	readonly nativeId: string;
	readonly name: string;
	deliver(item: InboxThing): Promise<DeliveryResult>;
	openQuestions(): readonly ReportedQuestion[];
	/** Reports anew what is still open, and still not. */
	recall(relisted: Relisted): void;
	transcript(lines: number): Promise<readonly string[] | undefined>;
	/** Ends it for good, with a word why. */
	stop(reason: string): Promise<void>;
	/** Ends its process: the service goes and takes the session up again later. What it asks is lost. */
	leave(): Promise<void>;
	/** Settles when the fleet knows of it, or after some seconds. */
	readonly known: Promise<unknown>;
	/** Settles when it has ended for good and its reports were handed over or given up. */
	readonly over: Promise<void>;
}

export interface KeepWish extends LaunchWish {
	readonly name: string;
	readonly ownerId?: string;
	readonly lastReport: number;
	readonly runId: string;
}

const SEEN_MAX = 500;
const DRAIN_MS = 5_000;

/** Keeps a session that is ready: reports for it, hands things to it, takes it up again by its file when it crashes. */
export function keepSession(deps: PiDeps, wish: KeepWish, first: PiSession, firstState: PiStateAnswer): KeptSession {
	const timing: PiTiming = { ...PI_TIMING, ...deps.timing };
	const log = deps.log.child({ session: wish.name });
	const nativeId = firstState.sessionId;
	const stopping = new AbortController();
	const leaving = new AbortController();
	let stopReason: string | undefined;
	let live: PiSession | undefined;
	let name = wish.name;
	let state = firstState;
	const crashes: number[] = [];
	const seen = new Map<string, Promise<DeliveryResult>>();
	let settleOver: () => void = () => undefined;
	const over = new Promise<void>((resolve) => {
		settleOver = resolve;
	});

	const queue: ReportQueue = createReportQueue({
		origin: { source: 'pi', host: deps.host, ...(wish.ownerId === undefined ? {} : { ownerId: wish.ownerId }) },
		sink: deps.sink,
		clock: deps.clock,
		log,
		runId: wish.runId,
		lastReport: wish.lastReport,
	});
	const about = () => ({
		nativeId,
		name,
		directory: wish.directory,
		...(state.sessionFile === undefined ? {} : { file: state.sessionFile }),
		...(state.model === undefined ? {} : { model: state.model.id.slice(0, 200) }),
		...(live?.process.pid === undefined ? {} : { pid: live.process.pid }),
	});
	const report: Parameters<PiSession['begin']>[0] = (draft) => {
		if (draft.name !== undefined) {
			if (draft.name === name) return;
			name = draft.name;
		}
		queue.push({ kind: draft.kind, data: draft.data }, about());
	};

	async function run(session: PiSession): Promise<void> {
		live = session;
		const totalUsd = await session.cost();
		report({ kind: 'started', data: totalUsd === undefined ? {} : { totalUsd } });
		if (state.sessionName !== name) await session.setName(name);
		report({ kind: 'idle', data: {} });
		session.begin(report);
	}

	/** Looks after one process until it is gone; true when the session is to be taken up again. */
	async function watch(session: PiSession): Promise<boolean> {
		const timer = setInterval(() => {
			void session.isAlive(timing.aliveMs).then((isAlive) => {
				if (isAlive && live === session) report({ kind: 'alive', data: {} });
			});
		}, timing.aliveMs);
		const exit = await session.process.exit;
		clearInterval(timer);
		if (stopReason === undefined && isOutsideEnd(exit)) await pauseFor(timing.leaveMs, leaving.signal);
		live = undefined;
		if (leaving.signal.aborted) return false;
		const how = exit.signal === null ? `pi ended with code ${exit.code}` : `pi was ended by ${exit.signal}`;
		report({ kind: 'ended', data: { reason: stopReason ?? how } });
		if (stopReason !== undefined) return false;
		log.warn({ code: exit.code, signal: exit.signal, said: exit.said }, 'a pi session ended unasked');
		const now = deps.clock.now();
		crashes.push(now);
		return crashes.filter((at) => at > now - timing.crashWindowMs).length <= timing.maxCrashes;
	}

	async function takeUp(): Promise<PiSession | undefined> {
		// pi writes the file with the first answer; before that there is nothing to take up.
		const file = state.sessionFile === undefined ? undefined : await readSessionFile(state.sessionFile);
		if (file === undefined) return undefined;
		await pauseFor(timing.resumeMs * 2 ** (crashes.length - 1), stopping.signal);
		if (stopping.signal.aborted) return undefined;
		const again = await launchPi(deps, { ...wish, file: file.path, nativeId }, timing.endGraceMs, stopping.signal);
		if (again.kind === 'ready') {
			state = again.state;
			return again.session;
		}
		log.warn({ code: again.code, why: again.why }, 'a pi session could not be taken up again');
		return undefined;
	}

	async function supervise(): Promise<void> {
		for (let session: PiSession | undefined = first; session !== undefined; ) {
			const isToResume: boolean = await watch(session);
			session = isToResume ? await takeUp() : undefined;
			if (session !== undefined) await run(session);
		}
		await queue.drained(DRAIN_MS);
		queue.close();
		settleOver();
	}

	const begun = run(first);
	const known = begun.then(() => queue.drained(DRAIN_MS)).catch(() => undefined);
	void begun.then(supervise).catch((error: unknown) => {
		log.error({ err: error }, 'the keeper of a pi session failed');
		settleOver();
	});

	async function hand(item: InboxThing): Promise<DeliveryResult> {
		if (item.kind === 'stop') {
			await stop(`stopped by ${item.from.who}`);
			return { kind: 'delivered' };
		}
		if (live === undefined) return { kind: 'failed', why: 'pi ended and is being taken up again' };
		switch (item.kind) {
			case 'message':
				if (!item.text?.trim()) return { kind: 'refused', why: 'there are no words in it' };
				return live.say(
					item.text,
					item.from.role === 'concierge' ? 'queue' : item.mode,
					item.from.role === 'concierge',
				);
			case 'answer':
				if (item.ref === undefined || item.answer === undefined) {
					return { kind: 'refused', why: 'it names no question' };
				}
				return live.answer(item.ref, item.answer);
			case 'abort':
				return live.abort();
		}
	}

	async function stop(reason: string): Promise<void> {
		stopReason ??= reason;
		stopping.abort();
		await live?.end(timing.endGraceMs);
	}

	return {
		nativeId,
		get name() {
			return name;
		},
		known,
		over,
		deliver(item) {
			const before = seen.get(item.id);
			if (before !== undefined) return before;
			const result = hand(item);
			seen.set(item.id, result);
			for (const id of [...seen.keys()].slice(0, Math.max(0, seen.size - SEEN_MAX))) seen.delete(id);
			// What did not arrive may be tried again under the same id.
			void result.then(({ kind }) => {
				if (kind !== 'delivered' && kind !== 'queued') seen.delete(item.id);
			});
			return result;
		},
		openQuestions: () => live?.questions() ?? [],
		recall({ announce, lost }) {
			const open = new Map((live?.questions() ?? []).map((question) => [question.ref, question]));
			for (const { ref } of announce) {
				const question = open.get(ref);
				if (question !== undefined) report({ kind: 'question', data: { question } });
			}
			for (const ref of lost) if (!open.has(ref)) report({ kind: 'question_closed', data: { ref, how: 'lost' } });
		},
		transcript: async (lines) => live?.transcript(lines),
		stop,
		async leave() {
			leaving.abort();
			stopping.abort();
			for (const { ref } of live?.questions() ?? []) report({ kind: 'question_closed', data: { ref, how: 'lost' } });
			await live?.end(timing.endGraceMs);
		},
	};
}

/** Ended by somebody else, perhaps together with this process: then a word from us is about to come. */
function isOutsideEnd({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): boolean {
	return signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP' || [129, 130, 143].includes(code ?? 0);
}
