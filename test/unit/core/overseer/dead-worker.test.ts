import { expect, test } from 'vitest';
import { decideGate } from '../../../../core/overseer/gate.ts';
import type { GateInput } from '../../../../core/overseer/gate-look.ts';
import type { GateState } from '../../../../core/overseer/gate-state.ts';
import { takeDecision } from '../../../../core/overseer/take-decision.ts';
import { line, look, snapshotOf, T0 } from './room-fixture.ts';

const DEADLINE = 180_000;
const snapshot = snapshotOf({ messages: [line(1, 1, 'alex', 'overseer hello')] });

/** A question taken by worker `w1` three seconds in. */
function taken(): GateState {
	const seen = decideGate(look(2, snapshot));
	const next = takeDecision(look(3, { ...snapshot, gate: seen.gate }), DEADLINE, 'w1');
	if (next === undefined) throw new Error('nothing to take');
	return next.gate;
}

const at = (second: number, gate: GateState, change: Partial<GateInput> = {}) =>
	decideGate(look(second, { ...snapshot, gate }, change));

test('OVR-1 OVR-4 a decision whose worker is gone is run again at once, under its own id', () => {
	const gate = taken();
	expect(gate.inFlight?.worker).toBe('w1');
	expect(at(5, gate).evaluated.hold).toBe('in_flight');
	const revived = at(5, gate, { workerGone: true });
	expect(revived.evaluated.notes).toEqual(['died']);
	expect(revived.wake).toMatchObject({ id: gate.inFlight?.decision.id, attempt: 2, upTo: { messageSeq: 1 } });
});

test('OVR-7 the second worker dies too: it is given up and the person is owed the honest line', () => {
	const again = at(5, taken(), { workerGone: true });
	const second = takeDecision(look(6, { ...snapshot, gate: again.gate }), DEADLINE, 'w2');
	if (second === undefined) throw new Error('nothing to take');
	const end = at(8, second.gate, { workerGone: true });
	expect(end.abandoned).toMatchObject({ id: second.decision.id, addresses: [{ messageId: 'm1' }] });
	expect(end.wake).toBeUndefined();
});

test('OVR-7 it died after its words were out: nobody is owed another line', () => {
	const again = at(5, taken(), { workerGone: true });
	const second = takeDecision(look(6, { ...snapshot, gate: again.gate }), DEADLINE, 'w2');
	if (second === undefined) throw new Error('nothing to take');
	const said = (source: string, decisionId: string) => ({
		...line(2, 7, 'overseer', 'Hello.'),
		bot: true,
		source,
		decisionId,
	});
	const end = (answer: ReturnType<typeof said>) =>
		decideGate(
			look(8, { ...snapshot, gate: second.gate, messages: [...snapshot.messages, answer] }, { workerGone: true }),
		);
	const answered = end(said('overseer', second.decision.id));
	expect(answered.abandoned).toBeUndefined();
	expect(answered.gate.inFlight).toBeUndefined();
	expect(end(said('overseer', 'another')).abandoned, 'words of another decision').toBeDefined();
	expect(end(said('overseer-action', second.decision.id)).abandoned, 'a shown action is no answer').toBeDefined();
});

test('OVR-1 while a named worker has a decision the room is looked at every other second', () => {
	expect(at(10, taken()).dueAt).toBe(T0 + 12_000);
});
