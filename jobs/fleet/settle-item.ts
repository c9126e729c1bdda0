import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import type { ReportDesk } from '../../core/fleet/report-desk.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { DeliveryResult } from '../../core/fleet/session-control.ts';
import { deliveryDone } from '../../core/fleet/settle-question.ts';
import type { QuestionStore } from '../../core/fleet/stores.ts';
import type { Clock } from '../../core/ports.ts';

export interface SettleItemDeps {
	readonly questions: QuestionStore;
	readonly reports: ReportDesk;
	readonly outbox: FleetOutbox;
	readonly clock: Clock;
}

/** Id under which an answer is in the inbox: a retry is another item. */
export function answerItemId(question: { id: string; deliveryTries: number; settledAt?: number | undefined }): string {
	return `${question.id}:${question.settledAt ?? 0}:${question.deliveryTries}`;
}

const TRIES = 20;

/**
 * Writes down how an item fared: an answer in its question, a person's message over the outbox. An answer that arrived ends
 * the wait of its session as well. Safe to repeat; do it before the item leaves the inbox.
 */
export function createSettleItem(
	deps: SettleItemDeps,
): (session: FleetSession, item: InboxItem, result: DeliveryResult) => Promise<void> {
	const { questions, reports, outbox, clock } = deps;

	async function settleAnswer(session: FleetSession, item: InboxItem, result: DeliveryResult): Promise<void> {
		for (let tries = 0; tries < TRIES; tries += 1) {
			const question = item.questionId === undefined ? undefined : await questions.read(item.questionId);
			if (question === undefined || answerItemId(question) !== item.id) return;
			const done = deliveryDone(question, result);
			if (done !== undefined && !(await questions.save(done, []))) continue;
			// One that was refused before stays so, whatever is acknowledged afterwards.
			if ((done ?? question).delivery !== 'delivered') return;
			const { source, host, nativeId } = session;
			const report = {
				v: 1 as const,
				eventId: `answered:${item.id}`,
				at: clock.now(),
				session: { nativeId },
				kind: 'question_closed' as const,
				data: { ref: question.ref, how: 'answered' as const },
			};
			await reports.take({ source, host }, [report]);
			return;
		}
		throw new Error('the question is written by others all the time');
	}

	return async (session, item, result) => {
		if (item.kind === 'answer') return settleAnswer(session, item, result);
		if (item.from.role !== 'person') return;
		await outbox.add({
			// The first word about it stands: what was refused is not delivered by being acknowledged.
			id: `delivery:${session.id}:${item.seq}`,
			at: clock.now(),
			kind: 'delivery',
			sessionId: session.id,
			itemId: item.id,
			result,
		});
	};
}
