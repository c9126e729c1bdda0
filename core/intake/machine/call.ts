import type { EventOf } from '../event.ts';
import type { RawQuestion } from '../reply/raw-question.ts';
import type { AwaitedCall, CallPurpose, FollowUpKind, IntakeSession } from '../session.ts';
import { change, type Draft, emit, move, notice } from './draft.ts';
import { appendToLastAnswer } from './turns.ts';

/** On top of the model's own time: waiting in the queue, and being noticed. */
const GRACE_MS = 60_000;
const MAX_ATTEMPTS = 2;
/** While everything is paused it is only looked whether that is over; nobody is asked. */
const PAUSED_LOOK_MS = 3_000;

type Failure = Pick<EventOf<'model_failed'>, 'reason' | 'transient' | 'opensAt'>;

interface CallStart {
	readonly purpose: CallPurpose;
	/** Round count to go back to when nothing comes of it. */
	readonly roundBefore: number;
	readonly attempt?: number;
	readonly followUp?: FollowUpKind;
	readonly complaints?: readonly string[];
	readonly spare?: readonly RawQuestion[];
}

/** Asks for a model call; a call that is still awaited is given up, and its reply will be too late. */
export function startCall(draft: Draft, start: CallStart): void {
	const callCount = draft.session.callCount + 1;
	const call: AwaitedCall = {
		id: `${draft.session.id}:c${callCount}`,
		purpose: start.purpose,
		attempt: start.attempt ?? 1,
		...(start.followUp === undefined ? {} : { followUp: start.followUp }),
		complaints: [...(start.complaints ?? [])],
		spare: [...(start.spare ?? [])],
		startedAt: draft.now,
		deadlineAt: draft.now + draft.settings.model.attemptTimeoutMs + GRACE_MS,
		roundBefore: start.roundBefore,
	};
	change(draft, { call, callCount });
	emit(draft, { kind: 'call_model', call });
}

/** A call brought nothing: once more at once, or wait for the assistant to come back. */
export function callFailed(draft: Draft, failure: Failure): void {
	const { call } = draft.session;
	if (call === undefined) return;
	if (failure.transient && call.attempt < MAX_ATTEMPTS && !wasTried(draft.session)) {
		startCall(draft, { ...call, attempt: call.attempt + 1 });
		return;
	}
	becomeUnavailable(draft, call, failure);
}

/** During an outage each try is a single one; the waits between them are the retries. */
function wasTried({ suspension }: IntakeSession): boolean {
	return suspension?.reason === 'assistant_unavailable';
}

/** The answer stays, the round is given back, the person is told once, and a time is set for the next try. */
function becomeUnavailable(draft: Draft, call: AwaitedCall, { reason, opensAt }: Failure): void {
	const { session, settings, now } = draft;
	const earlier = session.suspension;
	const tries = (earlier?.tries ?? 0) + 1;
	const growing = Math.min(
		settings.model.retryAfterMs * 2 ** Math.min(tries - 1, 20),
		settings.model.retryAtMostEveryMs,
	);
	const wait = reason === 'paused' ? PAUSED_LOOK_MS : growing;
	const error = reason === 'timeout' ? 'E08' : 'E09';
	// A locked thread stays the reason: nothing can be said there, and the call is made again once it opens.
	const isLocked = earlier !== undefined && earlier.reason !== 'assistant_unavailable';
	change(draft, {
		call: undefined,
		roundCount: call.roundBefore,
		lastError: { code: error, at: now },
		suspension: {
			reason: isLocked ? earlier.reason : 'assistant_unavailable',
			from: earlier?.from ?? session.state,
			since: earlier?.since ?? now,
			unavailable: reason,
			purpose: call.purpose,
			retryAt: isLocked ? undefined : now + wait,
			tries,
			roundAfter: earlier?.roundAfter ?? session.roundCount,
		},
	});
	if (session.state !== 'SUSPENDED') move(draft, 'SUSPENDED', `assistant_unavailable:${reason}`);
	if (tries === 1 && !isLocked)
		emit(draft, {
			kind: 'unavailable',
			code: 'assistant_unavailable',
			reason,
			error,
			...(opensAt === undefined ? {} : { opensAt }),
		});
}

/** Makes the interrupted call again, with all that was said meanwhile. The state is left again only by a reply. */
export function retryCall(draft: Draft): void {
	const { suspension, call } = draft.session;
	if (suspension?.purpose === undefined || call !== undefined) return;
	appendToLastAnswer(draft);
	startCall(draft, { purpose: suspension.purpose, roundBefore: draft.session.roundCount });
}

/** A reply came, so the outage is over: back to the state and round the call was made for. */
export function endOutage(draft: Draft): void {
	const { suspension } = draft.session;
	if (suspension?.reason !== 'assistant_unavailable') return;
	change(draft, {
		suspension: undefined,
		roundCount: suspension.roundAfter ?? draft.session.roundCount,
	});
	move(draft, suspension.from, 'assistant_back');
	notice(draft, 'resumed');
}
