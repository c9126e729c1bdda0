import { createHash } from 'node:crypto';
import type { ConciergeSettings, FleetSettings } from '../../config/fleet.ts';
import { type ConciergeModel, isOverBudget, lacksPrice } from './budget.ts';
import type { ConciergeState } from './concierge-state.ts';
import type { Question } from './question.ts';
import type { FleetSession } from './session.ts';

/** Something that a person must see: an open question, or a run that failed. */
export interface Need {
	/** Id of the question, or made from the failed run: the same as long as it is the same need. */
	readonly id: string;
	readonly kind: 'question' | 'failed';
	readonly session: FleetSession;
	readonly question?: Question;
	/** Since when, epoch ms. */
	readonly since: number;
}

/** Id of a session's failed run. */
export function failureId(session: Pick<FleetSession, 'id' | 'order' | 'startedAt'>): string {
	const hash = createHash('sha256').update(JSON.stringify([session.id, session.order.run, session.startedAt]));
	return `f${hash.digest('hex').slice(0, 15)}`;
}

/** Everything that needs somebody, oldest first. No model is involved, so nobody waits unseen. */
export function needsOf(sessions: readonly FleetSession[], questions: readonly Question[]): Need[] {
	const byId = new Map(sessions.map((session) => [session.id, session]));
	const asked = questions.flatMap((question): Need[] => {
		const session = byId.get(question.sessionId);
		if (question.state !== 'open' || session === undefined) return [];
		return [{ id: question.id, kind: 'question', session, question, since: question.openedAt }];
	});
	const failed = sessions
		.filter(({ state }) => state === 'failed')
		.map((session): Need => ({ id: failureId(session), kind: 'failed', session, since: session.stateAt }));
	return [...asked, ...failed].sort((left, right) => left.since - right.since || (left.id < right.id ? -1 : 1));
}

export interface CardsInput {
	readonly needs: readonly Need[];
	/** Ids of needs that have a card. */
	readonly shown: ReadonlySet<string>;
	readonly concierge: ConciergeState;
	readonly model: ConciergeModel;
	readonly settings: Pick<FleetSettings, 'cardAfterMs'> & { readonly concierge: ConciergeSettings };
	readonly now: number;
}

export interface CardsDue {
	readonly post: readonly Need[];
	/** When the next one is due, epoch ms, should nothing happen before. */
	readonly dueAt: number | undefined;
}

/**
 * The cards that code posts now. The concierge has the first word on a need for a moment; when it is off, held back, out of
 * money or broken, or simply silent, the card comes all the same.
 */
export function dueCards({ needs, shown, concierge, model, settings, now }: CardsInput): CardsDue {
	const waitMs = canWord(concierge, model, settings.concierge, now) ? settings.cardAfterMs : 0;
	const open = needs.filter(({ id, session }) => !shown.has(id) && session.muted !== true);
	const post = open.filter(({ since }) => now >= since + waitMs);
	const later = open.filter(({ since }) => now < since + waitMs).map(({ since }) => since + waitMs);
	return { post, dueAt: later.length === 0 ? undefined : Math.min(...later) };
}

/** Whether the concierge may be expected to speak within its usual time. */
function canWord(state: ConciergeState, model: ConciergeModel, settings: ConciergeSettings, now: number): boolean {
	if (!state.on || model.id === undefined || lacksPrice(model, settings.dailyBudgetUsd)) return false;
	if (state.failures > 0 || now < state.retryAt) return false;
	return !isOverBudget(state.spend, settings.dailyBudgetUsd);
}
