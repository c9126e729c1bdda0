import type { IntakeSettings } from '../../config/intake.ts';
import type { Effect } from './effect.ts';
import type { IntakeEvent } from './event.ts';
import { callFailed } from './machine/call.ts';
import { change, type Draft, fail, notice, openDraft } from './machine/draft.ts';
import { editAnswer, takeMessageDeletion, takeMessageEdit } from './machine/edit.ts';
import { lock, takeDelivery, takeVerdict } from './machine/handover.ts';
import { cancel, isTerminal, resume, suspend } from './machine/pauses.ts';
import { askSpare, takeReply } from './machine/reply.ts';
import { sendPending, takeFinish, takeForm, takeIntent, takeMessage, takeSkip } from './machine/say.ts';
import { tick } from './machine/tick.ts';
import type { IntakeSession } from './session.ts';

export interface IntakeStep {
	/** The very same object when nothing changed. */
	readonly state: IntakeSession;
	readonly effects: readonly Effect[];
}

/** Ids of dealt-with events that are remembered. */
const SEEN_MAX = 5_000;

/**
 * One event in the life of an intake. Pure: the same arguments give the same result, so a step may be computed again after a
 * lost race. Never throws; an event that does not fit, comes twice, comes too late or comes from somebody else changes
 * nothing.
 */
export function stepIntake(
	session: IntakeSession,
	event: IntakeEvent,
	settings: IntakeSettings,
	now: number,
): IntakeStep {
	const unchanged: IntakeStep = { state: session, effects: [] };
	const isPersonal = 'author' in event && event.author !== undefined;
	if (isPersonal && !mayAct(session, event.author as { id: string; bot: boolean })) return unchanged;
	const isOnce = 'id' in event && event.kind !== 'message_edited';
	if (isOnce && session.seen.includes(event.id)) return unchanged;

	const draft = openDraft(session, settings, now);
	if (isOnce) change(draft, { seen: [...session.seen, event.id].slice(-SEEN_MAX) });
	const before = draft.session;
	if (isTerminal(session)) {
		// Only a person is told; a reply or tick that comes late is nobody's business.
		if (!isPersonal || event.kind === 'message_edited') return unchanged;
		fail(draft, 'E07', session.state);
	} else apply(draft, event);

	if (draft.session === before && draft.effects.length === 0 && !isOnce) return unchanged;
	const state = { ...draft.session, revision: session.revision + 1, updatedAt: now };
	return { state, effects: draft.effects };
}

/** The requester and whom they invited; never a program. */
function mayAct({ requesterId, coOwnerIds }: IntakeSession, author: { id: string; bot: boolean }): boolean {
	return !author.bot && (author.id === requesterId || coOwnerIds.includes(author.id));
}

/** In a locked thread only these mean anything; the rest waits or is told again later. */
const WHILE_SUSPENDED: ReadonlySet<IntakeEvent['kind']> = new Set([
	'message',
	'message_edited',
	'message_deleted',
	'finish_now',
	'cancel',
	'tick',
	'model_reply',
	'model_failed',
	'suspend',
	'resume',
	'invite',
	'governance',
	'delivered',
	'undeliverable',
]);

function apply(draft: Draft, event: IntakeEvent): void {
	const { session } = draft;
	if (session.state === 'SUSPENDED' && !WHILE_SUSPENDED.has(event.kind)) {
		notice(draft, 'nothing_to_do');
		return;
	}
	switch (event.kind) {
		case 'intent':
			takeIntent(draft, event);
			break;
		case 'message':
			takeMessage(draft, event);
			break;
		case 'form':
			takeForm(draft, event);
			break;
		case 'message_edited':
			takeMessageEdit(draft, event);
			break;
		case 'message_deleted':
			takeMessageDeletion(draft, event.messageId);
			break;
		case 'send_now':
			if (!sendPending(draft)) notice(draft, 'nothing_to_do');
			break;
		case 'skip_round':
			takeSkip(draft);
			break;
		case 'finish_now':
			takeFinish(draft);
			break;
		case 'edit_answer':
			editAnswer(draft, event);
			break;
		case 'lock':
			if (session.state === 'REVIEW' && session.pending === undefined) lock(draft, 'locked');
			else notice(draft, 'nothing_to_do');
			break;
		case 'invite':
			invite(draft, event);
			break;
		case 'cancel':
			cancel(draft, event.reason);
			break;
		case 'tick':
			tick(draft);
			break;
		case 'model_reply':
			replied(draft, event);
			break;
		case 'model_failed':
			if (session.call?.id === event.callId && !askSpare(draft)) callFailed(draft, event);
			break;
		case 'suspend':
			suspend(draft, event);
			break;
		case 'resume':
			resume(draft);
			break;
		case 'governance':
			takeVerdict(draft, event);
			break;
		case 'delivered':
		case 'undeliverable':
			takeDelivery(draft, event);
			break;
	}
}

/** Only the requester invites; whoever is invited acts like the requester, except for this. */
function invite(draft: Draft, event: Extract<IntakeEvent, { kind: 'invite' }>): void {
	const { requesterId, coOwnerIds } = draft.session;
	if (event.author.id !== requesterId || coOwnerIds.includes(event.personId)) return;
	change(draft, { coOwnerIds: [...coOwnerIds, event.personId] });
	notice(draft, 'invited', event.personId);
}

function replied(draft: Draft, event: Extract<IntakeEvent, { kind: 'model_reply' }>): void {
	const { call, suspension, heldReply } = draft.session;
	if (call?.id !== event.callId) return;
	if (suspension === undefined || suspension.reason === 'assistant_unavailable') {
		takeReply(draft, event);
	} else if (heldReply === undefined) {
		const { callId, text, structured } = event;
		change(draft, { heldReply: { callId, text, ...(structured === undefined ? {} : { structured }) } });
	}
}
