import type { OverseerSettings } from '../../config/overseer.ts';
import { type GateInput, type HoldReason, lookAt, newestHumanAt, quietReason, switchedOff } from './gate-look.ts';
import type { GateState } from './gate-state.ts';
import { collect, dropStale, dropUnasked, passOver, passOwnEvents, reviveDead, withSlots } from './gate-steps.ts';
import type { Evidence, PendingDecision, Trigger } from './trigger.ts';
import { heartbeatEvery } from './triggers/heartbeat.ts';
import { findTriggers } from './triggers/rules.ts';

export interface GateResult {
	readonly gate: GateState;
	/** Epoch ms of the next look, should nothing happen before. */
	readonly dueAt: number;
	/** Give this to the decision worker (again, if it has not taken it yet: then with the same id). */
	readonly wake?: PendingDecision;
	/**
	 * A decision that died twice without a word and is given up. Where it has addresses, somebody is owed the honest line; publish it
	 * under a fixed id made from this decision before the gate is committed, so that a crash between the two can only
	 * repeat what has no further effect.
	 */
	readonly abandoned?: PendingDecision;
	readonly evaluated: {
		readonly trigger?: Trigger;
		readonly hold?: HoldReason;
		/** What opened the gate, or what was found and held back; highest rule first. */
		readonly evidence: readonly Evidence[];
		/** Counted beside the outcome: `died`, `died_twice`, `stale_dropped`, `own_event`. */
		readonly notes: readonly string[];
	};
}

/** A room is looked at this often at least, so that a changed setting is noticed although nobody says anything. */
const LONGEST_SLEEP_MS = 60_000;
/** While a decision is in flight the gate sees this often whether the process that runs it still lives. */
const WORKER_LOOK_MS = 2_000;
/** Should the word that the pause is over get lost. */
const PAUSED_LOOK_MS = 5_000;

/**
 * One look at a room; no model is involved. Pure: a look that is computed twice from one snapshot harms nothing. It never
 * moves the cursor past what waits for a decision; that happens when the decision is taken (`takeDecision`).
 *
 * Where nothing may be decided (stage off, other runtime) the cursor follows the talk, addresses included: whoever spoke
 * to a switched-off room is not answered out of the blue when it is switched on hours later. Voted quiet and in lockdown
 * only addresses are heard; other talk is passed over. So it is while an admin has paused everything, but what was heard
 * waits until that is over.
 */
export function decideGate(input: GateInput): GateResult {
	const { snapshot, now, settings } = input;
	const notes: string[] = [];
	const opened: GateState = {
		...snapshot.gate,
		openedAt: snapshot.gate.openedAt ?? now,
		lastHumanAt: newestHumanAt(snapshot),
	};
	const off = switchedOff(input);
	const { gate: living, abandoned: givenUp } = reviveDead(opened, now, off === undefined, notes, input.workerGone);
	const abandoned = givenUp && !hasSpoken(givenUp, snapshot.messages) ? givenUp : undefined;
	const result = (gate: GateState, dueAt: number, evaluated: GateResult['evaluated']): GateResult => ({
		gate,
		dueAt,
		...(abandoned ? { abandoned } : {}),
		evaluated,
	});
	if (off !== undefined) {
		const gate = holding(passOver(withSlots(living, {}), snapshot), off, now);
		return result(gate, now + LONGEST_SLEEP_MS, { hold: off, evidence: [], notes });
	}

	const start = passOwnEvents(living, snapshot, notes);
	const look = lookAt(input, start);
	const quiet = quietReason(input);
	const findings = findTriggers(look, input.role);
	const heard = findings.filter(({ trigger }) => {
		if (trigger === 'direct_address') return true;
		if (quiet !== undefined) return false;
		return trigger !== 'heartbeat' || (start.inFlight === undefined && now >= start.backoffUntil);
	});
	const collected = collect(quiet === undefined ? start : dropUnasked(start), heard, input.newId);
	const aged = dropStale(collected, snapshot, settings, now, notes);
	const idle = aged.pending === undefined && aged.inFlight === undefined;
	const gate = quiet !== undefined && idle ? passOver(aged, snapshot) : aged;

	const next = gate.pending;
	const hold = input.site.paused ? 'paused' : holdReason(gate, settings, now, quiet);
	const dueAt = input.site.paused
		? now + PAUSED_LOOK_MS
		: nextLook(gate, settings, now, look.inhabited, quiet !== undefined);
	if (next === undefined || hold !== undefined) {
		const reason = hold ?? 'nothing_new';
		const evidence = next?.evidence ?? findings.map((finding) => finding.evidence);
		return result(holding(gate, reason, now), dueAt, { hold: reason, evidence, notes });
	}
	const topicAt = next.evidence.some(({ trigger }) => trigger === 'topic_change') ? { topicAt: now } : {};
	const lastTrigger = { at: now, trigger: next.trigger, note: next.evidence[0]?.note ?? '' };
	return {
		...result({ ...gate, ...topicAt, lastTrigger }, dueAt, { trigger: next.trigger, evidence: next.evidence, notes }),
		wake: next,
	};
}

/** Whoever died after the answer was out owes nobody anything. */
function hasSpoken({ id }: PendingDecision, messages: GateInput['snapshot']['messages']): boolean {
	return messages.some(({ bot, source, decisionId }) => bot && source === 'overseer' && decisionId === id);
}

/** The time of a hold is when it began, so that an unchanged hold leaves the state unchanged. */
function holding(gate: GateState, reason: HoldReason, now: number): GateState {
	return gate.lastHold?.reason === reason ? gate : { ...gate, lastHold: { at: now, reason } };
}

function holdReason(
	gate: GateState,
	settings: OverseerSettings,
	now: number,
	quiet: HoldReason | undefined,
): HoldReason | undefined {
	const { pending, inFlight, backoffUntil, lastModelAt } = gate;
	if (inFlight !== undefined) return 'in_flight';
	if (pending === undefined) return quiet ?? (now < backoffUntil ? 'backoff' : 'nothing_new');
	if (pending.addresses.length > 0 || pending.upTo !== undefined) return undefined;
	if (now < backoffUntil) return 'backoff';
	if (pending.trigger === 'heartbeat') return undefined;
	return now - lastModelAt < settings.gate.unsolicitedGapMs ? 'gap' : undefined;
}

function nextLook(
	gate: GateState,
	settings: OverseerSettings,
	now: number,
	inhabited: boolean,
	isQuiet: boolean,
): number {
	const times = [now + LONGEST_SLEEP_MS];
	if (gate.inFlight !== undefined) {
		times.push(gate.inFlight.deadlineAt + 1);
		if (gate.inFlight.worker !== undefined) times.push(now + WORKER_LOOK_MS);
	} else {
		const wait = Math.max(gate.backoffUntil, gate.lastModelAt + settings.gate.unsolicitedGapMs);
		if (gate.pending !== undefined) times.push(gate.pending.addresses.length > 0 ? now : wait);
		const every = isQuiet ? undefined : heartbeatEvery(settings, inhabited);
		const from = Math.max(gate.lastModelAt, gate.openedAt ?? now);
		if (every !== undefined) times.push(Math.max(from + every, gate.backoffUntil));
	}
	return Math.max(Math.min(...times), now + settings.gate.tickMs);
}
