import type { InboxDraft, InboxItem } from '../../core/fleet/inbox-item.ts';
import type { Question } from '../../core/fleet/question.ts';
import { type FleetSession, hasEnded } from '../../core/fleet/session.ts';
import type { DeliveryResult, SessionControl } from '../../core/fleet/session-control.ts';
import { deliveryDone } from '../../core/fleet/settle-question.ts';
import type { QuestionStore, SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import type { DecisionJournal, Leases } from '../../core/overseer/stores.ts';
import type { Log } from '../../core/ports.ts';
import { answerItemId } from './settle-item.ts';

export interface DeliverDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly questions: QuestionStore;
	readonly inbox: SessionInbox;
	readonly journal: Pick<DecisionJournal, 'note' | 'keepNote'>;
	readonly leases: Leases;
	/** Ways into sessions that run here. Sessions of other sources fetch their inbox themselves. */
	readonly controls: readonly SessionControl[];
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
		await journal.keepNote(note, BEGUN, true);
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
		try {
			const { session } = await sessions.load(sessionId, [], []);
			await putAnswers(session, sessionId);
			const control = deps.controls.find(({ source }) => source === session?.source);
			if (session === undefined || control === undefined) return 'waits to be fetched';
			for (;;) {
				const [item] = await inbox.read(sessionId, 0, 1, 0, signal);
				if (item === undefined) return 'done';
				if (signal.aborted) return 'broken off';
				await leases.hold(lease, LEASE_MS);
				const result = await bring(control, session, item, signal);
				await deps.settle(session, item, result);
				await inbox.ack(sessionId, item.seq);
			}
		} finally {
			await leases.release(lease).catch(() => undefined);
		}
	}

	return async (sessionId, signal) => {
		const before = ends.get(sessionId) ?? Promise.resolve();
		const mine = before.then(() => run(sessionId, signal));
		const end = mine.catch(() => undefined);
		ends.set(sessionId, end);
		try {
			return await mine;
		} finally {
			if (ends.get(sessionId) === end) ends.delete(sessionId);
		}
	};
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
