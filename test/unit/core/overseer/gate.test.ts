import { expect, test } from 'vitest';
import { finishDecision, putBackDecision } from '../../../../core/overseer/finish-decision.ts';
import { decideGate } from '../../../../core/overseer/gate.ts';
import type { GateInput } from '../../../../core/overseer/gate-look.ts';
import type { GateState } from '../../../../core/overseer/gate-state.ts';
import type { RoomSnapshot } from '../../../../core/overseer/room-store.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import { takeDecision } from '../../../../core/overseer/take-decision.ts';
import { event, gateOf, line, look, settingsOf, snapshotOf, T0 } from './room-fixture.ts';

const DEADLINE = 60_000;
const settings = settingsOf();

function gateAt(second: number, snapshot: RoomSnapshot, change: Partial<GateInput> = {}) {
	return decideGate(look(second, snapshot, change));
}

function takeAt(second: number, snapshot: RoomSnapshot, change: Partial<GateInput> = {}) {
	const taken = takeDecision(look(second, snapshot, change), DEADLINE);
	if (taken === undefined) throw new Error('nothing to take');
	return taken;
}

/** One line that addresses, looked at and taken. */
function inFlight(): { snapshot: RoomSnapshot; gate: GateState } {
	const snapshot = snapshotOf({ messages: [line(1, 1, 'alex', 'overseer hello')] });
	const seen = gateAt(2, snapshot);
	const taken = takeAt(3, { ...snapshot, gate: seen.gate });
	return { snapshot, gate: taken.gate };
}

test('OVR-4 what was taken is consumed: the next look finds nothing in it', () => {
	const { snapshot, gate } = inFlight();
	expect(gate.messageCursor).toBe(1);
	const done = finishDecision(gate, 'd1', 'ok', T0 + 20_000, settings, 0);
	const next = gateAt(21, { ...snapshot, gate: done as GateState });
	expect(next.wake).toBeUndefined();
	expect(next.evaluated.hold).toBe('nothing_new');
});

test('OVR-4 while one is in flight everything is gathered into one next decision', () => {
	const { snapshot, gate } = inFlight();
	const messages = [...snapshot.messages, line(2, 5, 'sam', 'i dare you'), line(3, 8, 'kim', 'overseer, and me?')];
	const held = gateAt(9, { ...snapshot, gate, messages });
	expect(held.wake).toBeUndefined();
	expect(held.evaluated.hold).toBe('in_flight');
	const later = [...messages, line(4, 12, 'alex', 'bot answer kim')];
	const heldAgain = gateAt(13, { ...snapshot, gate: held.gate, messages: later });
	expect(heldAgain.gate.pending?.id).toBe(held.gate.pending?.id);
	const done = finishDecision(heldAgain.gate, 'd1', 'ok', T0 + 20_000, settings, 0) as GateState;
	const woken = gateAt(21, { ...snapshot, gate: done, messages: later }).wake;
	expect(woken?.trigger).toBe('direct_address');
	expect(woken?.addresses.map(({ messageId }) => messageId)).toEqual(['m3', 'm4']);
	expect(woken?.evidence.map(({ trigger }) => trigger)).toEqual(['direct_address', 'challenge']);
});

test('OVR-4 an address that came between the look and the taking joins the decision that consumes it', () => {
	const snapshot = snapshotOf({ messages: [line(1, 1, 'sam', 'come at me')] });
	const seen = gateAt(6, snapshot);
	expect(seen.wake?.trigger).toBe('challenge');
	const messages = [...snapshot.messages, line(2, 7, 'kim', 'overseer wait')];
	const { decision } = takeAt(8, { ...snapshot, gate: seen.gate, messages });
	expect(decision.id).toBe(seen.wake?.id);
	expect(decision.trigger).toBe('direct_address');
	expect(decision.addresses.map(({ messageId }) => messageId)).toEqual(['m2']);
	expect(decision.upTo).toEqual({ messageSeq: 2, eventSeq: 0 });
});

test('OVR-4 only one decision is in flight: a second taking gets nothing', () => {
	const { snapshot, gate } = inFlight();
	const messages = [...snapshot.messages, line(2, 5, 'sam', 'overseer me too')];
	const held = gateAt(6, { ...snapshot, gate, messages });
	expect(takeDecision(look(7, { ...snapshot, gate: held.gate, messages }), DEADLINE)).toBeUndefined();
});

test('OVR-4 a waiting decision is offered again under the same id until a worker takes it', () => {
	const snapshot = snapshotOf({ messages: [line(1, 1, 'alex', 'overseer hello')] });
	const first = gateAt(2, snapshot, { newId: () => 'first' });
	const second = gateAt(4, { ...snapshot, gate: first.gate }, { newId: () => 'second' });
	expect([first.wake?.id, second.wake?.id]).toEqual(['first', 'first']);
});

test('OVR-4 OVR-24 a decision whose worker died runs again under its id, with what it was shown, before newer talk', () => {
	const { snapshot, gate } = inFlight();
	const messages = [...snapshot.messages, line(2, 30, 'kim', 'overseer hurry')];
	const waiting = gateAt(31, { ...snapshot, gate, messages });
	const revived = gateAt(64, { ...snapshot, gate: waiting.gate, messages });
	expect(revived.evaluated.notes).toContain('died');
	expect(revived.wake).toMatchObject({ id: 'd1', attempt: 2, upTo: { messageSeq: 1 } });
	expect(revived.wake?.addresses.map(({ messageId }) => messageId)).toEqual(['m1']);
	const again = takeAt(65, { ...snapshot, gate: revived.gate, messages });
	expect(again.decision.addresses.map(({ messageId }) => messageId)).toEqual(['m1']);
	expect(again.gate.messageCursor).toBe(1);
	const done = finishDecision(again.gate, 'd1', 'ok', T0 + 70_000, settings, 0) as GateState;
	const next = gateAt(71, { ...snapshot, gate: done, messages });
	expect(next.wake?.addresses.map(({ messageId }) => messageId)).toEqual(['m2']);
});

test('OVR-4 what waits behind a second run is kept even when its lines have left the snapshot', () => {
	const { snapshot, gate } = inFlight();
	const messages = [...snapshot.messages, line(2, 30, 'kim', 'overseer hurry')];
	const waiting = gateAt(31, { ...snapshot, gate, messages });
	const gone = { ...snapshot, messages: [line(300, 60, 'sam', 'hm')] };
	const revived = gateAt(64, { ...gone, gate: waiting.gate });
	const again = takeAt(65, { ...gone, gate: revived.gate });
	const done = finishDecision(again.gate, 'd1', 'ok', T0 + 70_000, settings, 0) as GateState;
	const next = gateAt(71, { ...gone, gate: done });
	expect(next.wake?.addresses.map(({ messageId }) => messageId)).toEqual(['m2']);
	expect(next.wake?.id).toBe(waiting.gate.pending?.id);
});

test('OVR-4 OVR-7 after two deaths it is given up and the person behind it is owed an honest line', () => {
	const { snapshot, gate } = inFlight();
	const revived = gateAt(64, { ...snapshot, gate });
	const again = takeAt(65, { ...snapshot, gate: revived.gate });
	const dead = gateAt(126, { ...snapshot, gate: again.gate });
	expect(dead.evaluated.notes).toEqual(['died', 'died_twice']);
	expect(dead.abandoned).toMatchObject({ id: 'd1', addresses: [{ messageId: 'm1' }] });
	expect(dead.gate.inFlight).toBeUndefined();
	expect(gateAt(128, { ...snapshot, gate: dead.gate }).abandoned).toBeUndefined();
});

test('OVR-4 a slow worker that ends after it was taken for dead cancels its own second run', () => {
	const { snapshot, gate } = inFlight();
	const messages = [...snapshot.messages, line(2, 30, 'kim', 'overseer hurry')];
	const revived = gateAt(64, { ...snapshot, gate, messages });
	const done = finishDecision(revived.gate, 'd1', 'ok', T0 + 65_000, settings, 0) as GateState;
	const next = gateAt(66, { ...snapshot, gate: done, messages });
	expect(next.wake?.addresses.map(({ messageId }) => messageId)).toEqual(['m2']);
	expect(finishDecision(done, 'd1', 'ok', T0 + 66_000, settings, 0)).toBeUndefined();
});

test('OVR-5 failures back off 5 s, doubling to 5 min, with jitter; success clears it', () => {
	let gate = gateOf();
	const waits: number[] = [];
	for (let round = 0; round < 9; round += 1) {
		const flying = { ...gate, inFlight: { decision: decisionOf(`x${round}`), startedAt: T0, deadlineAt: T0 + 1 } };
		gate = finishDecision(flying, `x${round}`, 'model_failed', T0, settings, 0.5) as GateState;
		waits.push((gate.backoffUntil - T0) / 1_000);
	}
	expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
	const flying = { ...gate, inFlight: { decision: decisionOf('y'), startedAt: T0, deadlineAt: T0 + 1 } };
	const low = finishDecision({ ...flying, failures: 0 }, 'y', 'model_failed', T0, settings, 0) as GateState;
	const high = finishDecision({ ...flying, failures: 0 }, 'y', 'model_failed', T0, settings, 0.999) as GateState;
	expect(low.backoffUntil - T0).toBe(4_000);
	expect(high.backoffUntil - T0).toBeGreaterThan(5_900);
	expect(finishDecision(flying, 'y', 'model_failed', T0, settings, 0.5, 900_000)?.backoffUntil).toBe(T0 + 900_000);
	expect(finishDecision(flying, 'y', 'ok', T0, settings, 0.5)).toMatchObject({ failures: 0, backoffUntil: 0 });
});

function decisionOf(id: string) {
	return { id, trigger: 'heartbeat' as const, evidence: [], addresses: [], since: T0, attempt: 1 };
}

test('OVR-6 OVR-27 stage off never wakes and old talk is not answered when it is switched on again', () => {
	const snapshot = snapshotOf({
		messages: [line(1, 1, 'alex', 'overseer hello')],
		events: [event(1, 1, 'dock', 'rover1 docked')],
	});
	for (const change of [{ stage: 'off' }, { runtime: 'off' }, { runtime: 'commentary' }] as const) {
		const off = gateAt(2, snapshot, change);
		expect(off.wake).toBeUndefined();
		expect(off.gate).toMatchObject({ messageCursor: 1, eventCursor: 1 });
		expect(takeDecision(look(2, { ...snapshot, gate: gateAt(2, snapshot).gate }, change), DEADLINE)).toBeUndefined();
		expect(gateAt(4, { ...snapshot, gate: off.gate }).wake).toBeUndefined();
	}
});

test('OPS-18 while everything is paused what somebody asks is kept, other talk is passed over, and nothing is taken', () => {
	const paused = { site: { ...OPEN_SITE, paused: true } };
	const snapshot = snapshotOf({ messages: [line(1, 1, 'alex', 'overseer hello'), line(2, 2, 'sam', 'nice evening')] });
	const held = gateAt(3, snapshot, paused);
	expect(held.wake).toBeUndefined();
	expect(held.evaluated.hold).toBe('paused');
	expect(takeDecision(look(4, { ...snapshot, gate: held.gate }, paused), DEADLINE)).toBeUndefined();
	// An hour later it is over.
	const after = gateAt(3_600, { ...snapshot, gate: held.gate });
	expect(after.wake).toMatchObject({ trigger: 'direct_address', addresses: [{ messageId: 'm1' }] });
	const talk = snapshotOf({ messages: [line(1, 1, 'sam', 'i dare you')] });
	const quiet = gateAt(2, talk, paused);
	expect(gateAt(3, { ...talk, gate: quiet.gate }).wake).toBeUndefined();
});

test('OPS-18 a decision that a pause cut off waits as it was; one that nobody asked for is let go', () => {
	const snapshot = snapshotOf({ messages: [line(1, 1, 'alex', 'overseer hello')] });
	const seen = gateAt(2, snapshot);
	const taken = takeDecision(look(3, { ...snapshot, gate: seen.gate }), DEADLINE);
	if (!taken) throw new Error('nothing taken');
	const back = putBackDecision(taken.gate, taken.decision.id);
	if (!back) throw new Error('not put back');
	expect(back.inFlight).toBeUndefined();
	const again = takeDecision(look(60, { ...snapshot, gate: back }), DEADLINE);
	expect(again?.decision).toEqual(taken.decision);
	expect(putBackDecision(back, taken.decision.id)).toBeUndefined();
	const unasked = { ...taken.gate.inFlight, decision: { ...taken.decision, addresses: [] } };
	const gate = { ...taken.gate, inFlight: unasked } as typeof taken.gate;
	expect(putBackDecision(gate, taken.decision.id)?.pending).toBeUndefined();
});

test('OVR-28 the commentator hears rover events and addresses only, and has no heartbeat', () => {
	const role = { runtime: 'commentary', role: 'commentary' } as const;
	const dock = snapshotOf({ events: [event(1, 5, 'dock', 'rover1 docked')] });
	expect(gateAt(6, dock, role).wake?.trigger).toBe('world_event');
	const lights = snapshotOf({ events: [event(1, 5, 'lights_lock', 'lights are locked on')] });
	expect(gateAt(6, lights, role).wake).toBeUndefined();
	const burst = snapshotOf({
		messages: [1, 2, 3, 4, 5].map((seq) => line(seq, seq, seq % 2 ? 'a' : 'b', 'i dare you')),
	});
	expect(gateAt(6, burst, role).wake).toBeUndefined();
	expect(gateAt(3_600, snapshotOf(), { ...role, present: true }).wake).toBeUndefined();
});

test('OVR-8 what nobody asked for is let go when it waited too long', () => {
	const snapshot = snapshotOf({
		gate: gateOf({ backoffUntil: T0 + 300_000 }),
		messages: [line(1, 1, 'sam', 'come at me')],
	});
	const waiting = gateAt(2, snapshot);
	expect(waiting.gate.pending?.trigger).toBe('challenge');
	const dropped = gateAt(63, { ...snapshot, gate: waiting.gate });
	expect(dropped.gate.pending).toBeUndefined();
	expect(dropped.gate.messageCursor).toBe(1);
	expect(dropped.evaluated.notes).toContain('stale_dropped');
});

test('OVR-3 an echo of our own call is passed at once and does not wake later, when its context is forgotten', () => {
	const snapshot = snapshotOf({ events: [event(1, 1, 'control', 'sam took rover1', 'ours')], ownContexts: ['ours'] });
	const seen = gateAt(10, snapshot);
	expect(seen.evaluated.notes).toEqual(['own_event']);
	expect(gateAt(12, { ...snapshot, gate: seen.gate, ownContexts: [] }).wake).toBeUndefined();
});

test('OVR-6 idleHeartbeatMs 0 means no heartbeat at all in an empty room', () => {
	const empty = { settings: settingsOf({ gate: { idleHeartbeatMs: 0 } }) };
	expect(gateAt(86_400, snapshotOf(), empty).wake).toBeUndefined();
	expect(gateAt(86_400, snapshotOf(), { ...empty, present: true }).wake?.trigger).toBe('heartbeat');
});

test('OVR-1 a room never seen before gets its first heartbeat after a full heartbeat, not at once', () => {
	const { lastModelAt: _last, openedAt: _opened, ...fresh } = gateOf();
	const first = gateAt(0, snapshotOf({ gate: { ...fresh, lastModelAt: 0 } }), { present: true });
	expect(first.wake).toBeUndefined();
	expect(first.dueAt).toBe(T0 + 30_000);
	expect(gateAt(30, snapshotOf({ gate: first.gate }), { present: true }).wake?.trigger).toBe('heartbeat');
});

test('OVR-1 the next look is told: heartbeat, deadline of the one in flight, end of the back-off', () => {
	expect(gateAt(2, snapshotOf(), { present: true }).dueAt).toBe(T0 + 30_000);
	const { snapshot, gate } = inFlight();
	expect(gateAt(10, { ...snapshot, gate }).dueAt).toBe(T0 + 63_001);
	const backing = snapshotOf({
		gate: gateOf({ backoffUntil: T0 + 20_000 }),
		messages: [line(1, 1, 'sam', 'come at me')],
	});
	expect(gateAt(2, backing).dueAt).toBe(T0 + 20_000);
});

test('OVR-31 an unchanged hold leaves the state unchanged, so that nothing is written for it', () => {
	const first = gateAt(2, snapshotOf());
	const second = gateAt(4, snapshotOf({ gate: first.gate }));
	expect(second.gate).toEqual(first.gate);
});

test('OVR-30 a vote that ends a waiting decision of its own does not end an address', () => {
	const snapshot = snapshotOf({ messages: [line(1, 1, 'sam', 'come at me')] });
	const waiting = gateAt(6, snapshot);
	const quiet = gateAt(8, { ...snapshot, gate: waiting.gate }, { votedQuiet: true });
	expect(quiet.gate.pending).toBeUndefined();
	expect(takeDecision(look(8, { ...snapshot, gate: waiting.gate }, { votedQuiet: true }), DEADLINE)).toBeUndefined();
});
