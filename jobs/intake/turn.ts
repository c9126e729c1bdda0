import type { IntakeSettings } from '../../config/intake.ts';
import type { Effect } from '../../core/intake/effect.ts';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import { type Committed, type IntakeWork, isWorkEffect, type NextTurn } from '../../core/intake/intake-work.ts';
import { freshSession, type IntakeSession } from '../../core/intake/session.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import { measureEntry } from './measure-entry.ts';
import type { IntakeMind } from './mind.ts';

export interface TurnDeps {
	work: IntakeWork;
	audit: IntakeAudit;
	mind: Pick<IntakeMind, 'step' | 'wakeAt'>;
	settings(): IntakeSettings;
	/** Has a worker carry out an effect; a wake-up that gets lost costs a moment. */
	carryOut(sessionId: string, effectId: string): Promise<void>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
}

/** Far above what one session ever has waiting; a session that does not come to rest must not hold a worker. */
const MAX_STEPS = 500;

/**
 * Works off what waits for a session, one event after the other. Any number of workers may do this for the same session at
 * once: state, effects and the used-up event are written in one step, and only by the one that read the newest of each.
 */
export function createTurn(deps: TurnDeps): (sessionId: string, signal: AbortSignal) => Promise<string> {
	const { work, audit, mind, clock, log, metrics } = deps;

	async function commit(
		before: IntakeSession,
		after: IntakeSession,
		effects: readonly Effect[],
		seq: number | undefined,
		event: IntakeEvent['kind'],
	): Promise<Committed> {
		const done = await work.commit({
			session: after,
			expectedRevision: before.revision,
			effects,
			...(seq === undefined ? {} : { seq }),
		});
		if (done === 'lost') return done;
		metrics.count('intake_events_total', { kind: event });
		for (const effect of effects) await begin(after, effect);
		return done;
	}

	/** What is written down is done here; what takes time is handed to another worker; the rest is for people. */
	async function begin(session: IntakeSession, effect: Effect): Promise<void> {
		if (effect.kind === 'log') {
			log.info(
				{ session: session.id, from: effect.from, to: effect.to, cause: effect.cause, round: session.roundCount },
				`${effect.from} => ${effect.to}`,
			);
			metrics.count('intake_transitions_total', { to: effect.to });
		} else if (effect.kind === 'audit') {
			measureEntry(metrics, effect.entry);
			try {
				await audit.append({ id: effect.id, sessionId: session.id, entry: effect.entry });
				await work.ackEffect(session.id, effect.id);
			} catch (error) {
				log.warn({ session: session.id, effect: effect.id, error }, 'not in the trail yet; tried again');
			}
		} else if (effect.kind === 'error') {
			metrics.count('intake_errors_total', { code: effect.code });
			log.warn({ session: session.id, code: effect.code }, 'an expected failure');
		} else if (effect.kind === 'unavailable') {
			metrics.count('intake_unavailable_total', { reason: effect.reason });
			log.warn({ session: session.id, reason: effect.reason }, 'the assistant is unavailable');
		} else if (isWorkEffect(effect)) {
			await deps
				.carryOut(session.id, effect.id)
				.catch((error) => log.warn({ session: session.id, effect: effect.id, error }, 'not queued; found again later'));
		}
	}

	/** The newest state is damaged: goes on from the last good one, or ends honestly. */
	async function mend(id: string, { loaded, remains }: NextTurn): Promise<void> {
		log.error({ session: id, kind: loaded.kind }, 'the stored state is damaged');
		if (loaded.kind === 'recovered') {
			const { session } = loaded;
			const next = {
				...session,
				revision: session.revision + 1,
				lastError: { code: 'E15' as const, at: clock.now() },
			};
			await commit(
				session,
				next,
				[{ id: `${id}:e15.${next.revision}`, kind: 'error', code: 'E15' }],
				undefined,
				'tick',
			);
			return;
		}
		if (!remains) return;
		const now = clock.now();
		const closed: IntakeSession = {
			...freshSession(remains, now),
			revision: remains.revision + 1,
			state: 'CANCELLED',
			cancelReason: 'state_corrupt',
			lastError: { code: 'E15', at: now },
		};
		await commit(
			{ ...closed, revision: remains.revision },
			closed,
			[
				{ id: `${id}:e15.${closed.revision}`, kind: 'error', code: 'E15' },
				{ id: `${id}:done.${closed.revision}`, kind: 'done', state: 'CANCELLED' },
			],
			undefined,
			'tick',
		);
	}

	/** Whether time is an event already. Time that changed nothing is no reason to look again at once. */
	function isDue(session: IntakeSession, settings: IntakeSettings, last: IntakeEvent): boolean {
		const at = mind.wakeAt(session, settings);
		return last.kind !== 'tick' && at !== undefined && at <= clock.now();
	}

	return async (id, signal) => {
		for (let steps = 0; steps < MAX_STEPS && !signal.aborted; steps += 1) {
			const next = await work.next(id);
			const { loaded, entry } = next;
			if (loaded.kind === 'missing') return 'no such session';
			if (loaded.kind !== 'found') {
				await mend(id, next);
				if (loaded.kind === 'corrupt' && !next.remains) return 'lost';
				continue;
			}
			if (entry && !entry.event) {
				await work.skip(id, entry.seq);
				continue;
			}
			const { session } = loaded;
			const now = clock.now();
			const isTime = next.wakeAt !== undefined && next.wakeAt <= now;
			const event: IntakeEvent | undefined = entry?.event ?? (isTime ? { kind: 'tick' } : undefined);
			if (!event) return 'done';
			const settings = deps.settings();
			const { state, effects } = mind.step(session, event, settings, now);
			const done = await commit(session, state, effects, entry?.seq, event.kind);
			if (done === 'done' && !isDue(state, settings, event)) return 'done';
		}
		return 'more';
	};
}
