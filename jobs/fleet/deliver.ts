import type { InboxDraft, InboxItem } from '../../core/fleet/inbox-item.ts';
import type { Question } from '../../core/fleet/question.ts';
import { type FleetSession, hasEnded } from '../../core/fleet/session.ts';
import type { DeliveryResult, SessionControl } from '../../core/fleet/session-control.ts';
import { deliveryDone } from '../../core/fleet/settle-question.ts';
import type { QuestionStore, SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import type { DecisionJournal, Leases } from '../../core/overseer/stores.ts';
import type { Log } from '../../core/ports.ts';
import type { KillSwitch } from '../kill-switch.ts';
import { outlastStore } from '../outlast-store.ts';
import { answerItemId } from './settle-item.ts';

export interface DeliverDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly questions: QuestionStore;
	readonly inbox: SessionInbox;
	readonly journal: Pick<DecisionJournal, 'note' | 'keepNote'>;
	readonly leases: Leases;
	/** While everything is paused nothing goes into a session: it would begin to work. */
	readonly killSwitch: Pick<KillSwitch, 'isPaused'>;
	/** The way into a session that runs here. Others fetch their inbox themselves, or the process that runs them does. */
	controlOf(session: FleetSession): SessionControl | undefined;
	/** Tells whoever runs the session, if somebody does, that something waits for it. */
	call(session: FleetSession): Promise<void>;
	settle(session: FleetSession, item: InboxItem, result: DeliveryResult): Promise<void>;
	readonly log: Log;
}

const LEASE_MS = 60_000;
const BEGUN = 'begun';
const HALF_WAY: DeliveryResult = {
	kind: 'failed',
	why: 'the process that delivered it ended half-way; whether it arrived is not known',
};

/**
 * Brings answers into the inbox of their session, and what lies there into sessions that run here; in order, one after the
 * other. What was begun is never begun again by itself: a person decides that. Gives `busy` while another process is at it.
 */
export function createDeliver(deps: DeliverDeps): (sessionId: string, signal: AbortSignal) => Promise<string> {
	const { sessions, questions, inbox, journal, leases, log } = deps;
	/** Ends of what runs in this process, by session: a lease holds off other processes only. */
	const ends = new Map<string, Promise<unknown>>();

	async function done(question: Question, result: DeliveryResult): Promise<void> {
		const next = deliveryDone(question, result);
		// Written by somebody meanwhile: the next look finds it as it then is.
		if (next !== undefined) await questions.save(next, []);
	}

	async function putAnswers(session: FleetSession | undefined, sessionId: string): Promise<void> {
		const pending = (await questions.bySession(sessionId))
			.filter(({ state, delivery }) => state === 'answered' && delivery === 'pending')
			.sort((left, right) => (left.settledAt ?? 0) - (right.settledAt ?? 0));
		for (const question of pending) {
			if (session === undefined || hasEnded(session)) {
				await done(question, { kind: 'gone', why: 'the session has ended' });
				continue;
			}
			const put = await inbox.put(sessionId, answerDraft(question));
			if (put.kind === 'full') await done(question, { kind: 'failed', why: 'too many messages wait for the session' });
		}
	}

	async function bring(control: SessionControl, session: FleetSession, item: InboxItem, signal: AbortSignal) {
		const note = `fleet-item:${session.id}:${item.seq}`;
		if ((await journal.note(note, BEGUN)) === true) return HALF_WAY;
		if (hasEnded(session)) return { kind: 'gone', why: 'the session has ended' } as const;
		// Not delivered yet, so a mark that may be stored or not is simply set again.
		await outlastStore(() => journal.keepNote(note, BEGUN, true), signal);
		try {
			return await control.deliver(session, item, signal);
		} catch (error) {
			log.error({ session: session.id, item: item.id, error }, 'the way into a session is broken');
			return { kind: 'failed', why: 'the way into the session is broken' } as const;
		}
	}

	async function run(sessionId: string, signal: AbortSignal): Promise<string> {
		const lease = `fleet-deliver-${sessionId}`;
		if (!(await leases.hold(lease, LEASE_MS))) return 'busy';
		let elsewhere: FleetSession | undefined;
		try {
			const { session } = await sessions.load(sessionId, [], []);
			await putAnswers(session, sessionId);
			if (session === undefined) return 'there is no such session';
			for (;;) {
				// Asked anew for each: a machine may change hands in between.
				const control = deps.controlOf(session);
				if (control === undefined) {
					elsewhere = session;
					return 'waits to be fetched';
				}
				const [item] = await inbox.read(sessionId, 0, 1, 0, signal);
				if (item === undefined) return 'done';
				if (startsWork(item) && (await deps.killSwitch.isPaused())) return 'paused';
				if (signal.aborted) return 'broken off';
				await leases.hold(lease, LEASE_MS);
				const result = await bring(control, session, item, signal);
				// How it fared is known here and nowhere else; the mark alone would say that it may be there or not.
				await outlastStore(async () => {
					await deps.settle(session, item, result);
					await inbox.ack(sessionId, item.seq);
				}, signal);
			}
		} finally {
			await leases.release(lease).catch(() => undefined);
			if (elsewhere !== undefined)
				await deps
					.call(elsewhere)
					.catch((error: Error) =>
						log.warn({ session: sessionId, problem: error.message }, 'not called; looked at again'),
					);
		}
	}

	return async (sessionId, signal) => {
		const before = ends.get(sessionId) ?? Promise.resolve();
		const mine = before.then(() => outlastStore(() => run(sessionId, signal), signal));
		const end = mine.catch(() => undefined);
		ends.set(sessionId, end);
		try {
			return await mine;
		} finally {
			if (ends.get(sessionId) === end) ends.delete(sessionId);
		}
	};
}

/** Stopping goes through even in a pause, unless words wait before it: an inbox keeps its order. */
function startsWork({ kind }: InboxItem): boolean {
	return kind !== 'abort' && kind !== 'stop';
}

function answerDraft(question: Question): InboxDraft {
	const by = question.answeredBy ?? { who: '', whoId: '' };
	return {
		id: answerItemId(question),
		at: question.settledAt ?? question.openedAt,
		kind: 'answer',
		from: { role: 'person', ...by },
		mode: 'queue',
		questionId: question.id,
		ref: question.ref,
		...(question.answer === undefined ? {} : { answer: question.answer }),
	};
}
