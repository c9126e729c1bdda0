import type { FleetSettings } from '../../config/fleet.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import type { Question } from '../../core/fleet/question.ts';
import { reminderAt, reminderText, withReminder } from '../../core/fleet/reminder.ts';
import { type FleetSession, hasEnded } from '../../core/fleet/session.ts';
import type { SessionControl } from '../../core/fleet/session-control.ts';
import { isForgotten, markStale } from '../../core/fleet/stale.ts';
import type { FleetPlaces, QuestionStore, SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import { mentionsFor } from '../../core/fleet/trust.ts';
import { inAllLanguages } from '../../core/fleet/wording/wording-of.ts';
import type { Leases } from '../../core/overseer/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { createLostHosts } from './lost-hosts.ts';
import { SESSIONS_MAX } from './wake-scene.ts';

export interface UpkeepDeps {
	readonly sessions: SessionTable;
	readonly questions: QuestionStore;
	readonly inbox: Pick<SessionInbox, 'pending'>;
	readonly places: Pick<FleetPlaces, 'card' | 'places' | 'removePlaces'>;
	readonly outbox: Pick<FleetOutbox, 'add'>;
	/** Drops what the bounds of the feed do not keep. */
	trimFeed(now: number): Promise<void>;
	readonly hosts: Pick<HostRegister, 'offers' | 'known'>;
	readonly controls: readonly SessionControl[];
	deliver(sessionId: string): Promise<void>;
	readonly leases: Leases;
	settings(): FleetSettings;
	readonly clock: Clock;
	readonly log: Log;
	/** How often it is done; ten seconds when absent. */
	readonly everyMs?: number;
}

const EVERY_MS = 10_000;
const TRIM_EVERY_MS = 60_000;
const QUESTIONS_MAX = 1_000;
const LEASE = 'fleet-upkeep';

/**
 * Looks after the fleet with time: marks silent sessions, forgets ended ones, bounds the feed, brings open questions up again
 * and finds answers whose way was interrupted. One process at a time.
 */
export function startUpkeep(deps: UpkeepDeps): { stop(): Promise<void> } {
	const { sessions, questions, clock, log } = deps;
	const markLost = createLostHosts(deps);
	const everyMs = deps.everyMs ?? EVERY_MS;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> = Promise.resolve();
	let stopped = false;
	let trimmedAt = Number.NEGATIVE_INFINITY;

	async function lookAfter(session: FleetSession, now: number): Promise<void> {
		if (isForgotten(session, deps.settings(), now)) {
			log.info({ session: session.id }, 'an ended session leaves the list');
			await sessions.remove(session.id);
			return deps.places.removePlaces([session.id]);
		}
		if (markStale(session, deps.settings(), now) === undefined) return;
		const view = await sessions.load(session.id, [], []);
		const stale = view.session && markStale(view.session, deps.settings(), now);
		// When it reports in this moment, the commit conflicts, and rightly so.
		if (stale) await sessions.commit({ ...stale, version: view.version, questions: [], reportIds: [] });
	}

	/** Places of sessions that are not there any more: noted as they left, or left over by a process that died. */
	async function tidyPlaces(): Promise<void> {
		const places = await deps.places.places();
		if (places.length === 0) return;
		const known = await sessions.names();
		await deps.places.removePlaces(places.flatMap(({ sessionId }) => (known.has(sessionId) ? [] : [sessionId])));
	}

	async function remind(question: Question, session: FleetSession | undefined, now: number): Promise<void> {
		if (question.state !== 'open' || session === undefined) return;
		const card = await deps.places.card(question.id);
		const dueAt = reminderAt(question, card?.postedAt, session.muted === true, deps.settings());
		if (dueAt === undefined || now < dueAt) return;
		const next = withReminder(question, now);
		if (!(await questions.save(next, []))) return;
		const texts = inAllLanguages((words) => reminderText(next, now, words));
		await deps.outbox.add({
			id: `reminder:${question.id}:${question.openedAt}:${next.reminders}`,
			at: now,
			kind: 'notice',
			text: texts.en,
			texts,
			mention: [...mentionsFor(session, deps.settings())],
			sessionId: session.id,
		});
	}

	/** What lost its worker, or waits for a process that serves its kind of session. */
	async function resume(fleet: readonly FleetSession[], unsettled: readonly Question[], now: number): Promise<void> {
		const own = new Set(deps.controls.map(({ source }) => source));
		const ids = new Set(
			unsettled
				.filter(({ delivery, settledAt }) => delivery === 'pending' && now - (settledAt ?? 0) > everyMs)
				.map(({ sessionId }) => sessionId),
		);
		for (const session of fleet)
			if (own.has(session.source) && !hasEnded(session) && (await deps.inbox.pending(session.id)) > 0)
				ids.add(session.id);
		for (const id of ids) await deps.deliver(id);
	}

	async function look(): Promise<void> {
		if (!(await deps.leases.hold(LEASE, everyMs * 3 + 2_000))) return;
		const now = clock.now();
		const fleet = await sessions.list(SESSIONS_MAX);
		for (const session of fleet) await lookAfter(session, now);
		await markLost(fleet, now);
		const unsettled = await questions.unsettled(QUESTIONS_MAX);
		const byId = new Map(fleet.map((session) => [session.id, session]));
		for (const question of unsettled) await remind(question, byId.get(question.sessionId), now);
		await resume(fleet, unsettled, now);
		if (now - trimmedAt < TRIM_EVERY_MS) return;
		trimmedAt = now;
		await deps.trimFeed(now);
		await tidyPlaces();
	}

	function next(delayMs: number): void {
		if (stopped) return;
		timer = setTimeout(() => {
			running = look()
				.catch((error) => log.warn({ error }, 'the fleet was not looked after this time'))
				.finally(() => next(everyMs));
		}, delayMs);
		timer.unref();
	}
	// At once: what a dead process left is taken up with the start.
	next(0);

	return {
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await running;
			await deps.leases.release(LEASE).catch(() => undefined);
		},
	};
}
