import type { IntakeSettings } from '../../config/intake.ts';
import type { IntakeDesk, SubmitOptions, Submitted } from '../../core/intake/intake-desk.ts';
import type { IntakeWork } from '../../core/intake/intake-work.ts';
import { freshSession } from '../../core/intake/session.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { Queues } from '../queues.ts';

interface DeskDeps {
	work: Pick<IntakeWork, 'open' | 'append' | 'isTaken' | 'onMove'>;
	queues: Pick<Queues, 'add'>;
	settings(): IntakeSettings;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

export interface RunningDesk extends IntakeDesk {
	/** Ends the waits and the listening. */
	close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

/** Why Redis could not be asked, as a person is told. */
function reasonOf(error: unknown): 'redis' | 'timeout' {
	return error instanceof Error && 'reason' in error && error.reason === 'timeout' ? 'timeout' : 'redis';
}

/** Takes in what people did, from any process, and says honestly when nobody works it off. */
export function createIntakeDesk(deps: DeskDeps): RunningDesk {
	const { work, log } = deps;
	/** Looks of those who wait for a session. */
	const waiting = new Map<string, Set<() => void>>();
	let unhear: (() => Promise<void>) | undefined;
	let closed = false;

	/** Resolves true as soon as a worker took it, false when the time is over. */
	function untilTaken(sessionId: string, seq: number, waitMs: number): Promise<boolean> {
		unhear ??= work.onMove((id) => {
			for (const look of waiting.get(id) ?? []) look();
		});
		return new Promise((resolve, reject) => {
			const looks = waiting.get(sessionId) ?? new Set();
			waiting.set(sessionId, looks);
			const end = performance.now() + waitMs;
			let isAsking = false;
			let failure: unknown;
			const look = (): void => {
				if (isAsking) return;
				isAsking = true;
				work
					.isTaken(sessionId, seq)
					.then(
						(taken) => {
							failure = undefined;
							if (taken) done(true);
						},
						(error) => {
							failure = error;
						},
					)
					.finally(() => {
						isAsking = false;
						if (closed || performance.now() >= end) done(false);
					});
			};
			const timer = setInterval(look, Math.min(LOOK_EVERY_MS, Math.max(10, waitMs)));
			const done = (taken: boolean): void => {
				clearInterval(timer);
				looks.delete(look);
				if (looks.size === 0) waiting.delete(sessionId);
				if (!taken && failure) reject(failure);
				else resolve(taken);
			};
			looks.add(look);
			look();
		});
	}

	const submit: IntakeDesk['submit'] = async (sessionId, event, options = {}) => {
		let seq: number;
		try {
			const appended = await work.append(sessionId, event);
			if (appended.kind !== 'appended') return appended;
			seq = appended.seq;
		} catch (error) {
			const reason = reasonOf(error);
			deps.metrics.count('intake_unavailable_total', { reason });
			log.warn({ session: sessionId, error }, 'what was said could not be stored');
			return { kind: 'unavailable', reason, kept: false };
		}
		return wakeAndWait(sessionId, seq, options);
	};

	/** It is stored: from here on nothing is lost, at most late. */
	async function wakeAndWait(sessionId: string, seq: number, options: SubmitOptions): Promise<Submitted> {
		await deps.tracer
			.step('intake.event', { kind: 'producer', marks: { session: sessionId } }, () =>
				deps.queues.add('intake-turn', { sessionId }),
			)
			.catch((error) => log.warn({ session: sessionId, error }, 'not queued; found again later'));
		const waitMs = options.waitMs ?? deps.settings().readinessMs;
		if (waitMs <= 0) return { kind: 'taken' };
		try {
			if (await untilTaken(sessionId, seq, waitMs)) return { kind: 'taken' };
			deps.metrics.count('intake_unavailable_total', { reason: 'worker' });
			log.warn({ session: sessionId }, 'no worker took what was said in time; it is kept');
			return { kind: 'unavailable', reason: 'worker', kept: true };
		} catch (error) {
			return { kind: 'unavailable', reason: reasonOf(error), kept: true };
		}
	}

	return {
		submit,
		async open(start, intent, onceId, options = {}) {
			let seq: number;
			try {
				const opened = await work.open(freshSession(start, deps.clock.now()), intent, onceId);
				if (opened.kind === 'exists') return opened;
				seq = opened.seq;
			} catch (error) {
				const reason = reasonOf(error);
				deps.metrics.count('intake_unavailable_total', { reason });
				log.warn({ error }, 'an intake could not be opened');
				return { kind: 'unavailable', reason, kept: false };
			}
			return { kind: 'opened', sessionId: start.id, first: await wakeAndWait(start.id, seq, options) };
		},
		async close() {
			closed = true;
			for (const looks of waiting.values()) for (const look of looks) look();
			await unhear?.();
		},
	};
}
