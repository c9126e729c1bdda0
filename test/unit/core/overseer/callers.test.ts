import { expect, test } from 'vitest';
import { finishDecision } from '../../../../core/overseer/finish-decision.ts';
import { decideGate } from '../../../../core/overseer/gate.ts';
import type { GateState } from '../../../../core/overseer/gate-state.ts';
import { takeDecision } from '../../../../core/overseer/take-decision.ts';
import { line, look, settingsOf, snapshotOf, T0 } from './room-fixture.ts';

const settings = settingsOf();

/** Runs decision after decision over the same talk; gives who was answered with what the model could see. */
function runAll(messages: ReturnType<typeof line>[]) {
	let snapshot = snapshotOf({ messages });
	const runs: { addresses: string[]; seenTo: number }[] = [];
	for (let second = 10; second < 60; second += 10) {
		const looked = decideGate(look(second, snapshot, { newId: () => `d${runs.length + 1}` }));
		snapshot = { ...snapshot, gate: looked.gate };
		const taken = takeDecision(look(second + 1, snapshot), 60_000);
		if (taken === undefined) continue;
		const { addresses, upTo, id, trigger } = taken.decision;
		if (trigger !== 'heartbeat')
			runs.push({ addresses: addresses.map(({ messageId }) => messageId), seenTo: upTo.messageSeq });
		const done = finishDecision(taken.gate, id, 'ok', T0 + (second + 2) * 1_000, settings, 0) as GateState;
		snapshot = { ...snapshot, gate: done };
	}
	return runs;
}

test('OVR-4 OVR-7 two who call at once are answered one after the other, the second with all that was said', () => {
	const messages = [
		line(1, 1, 'alex', 'overseer, lamp on'),
		line(2, 2, 'sam', 'overseer, who are you?'),
		line(3, 3, 'kim', 'hm'),
	];
	expect(runAll(messages)).toEqual([
		{ addresses: ['m1'], seenTo: 1 },
		{ addresses: ['m2'], seenTo: 3 },
	]);
});

test('OVR-4 several calls of one person are one decision, with the talk between them', () => {
	const messages = [
		line(1, 1, 'alex', 'overseer, lamp on'),
		line(2, 2, 'sam', 'yes please'),
		line(3, 3, 'alex', 'overseer, are you there?'),
	];
	expect(runAll(messages)).toEqual([{ addresses: ['m1', 'm3'], seenTo: 3 }]);
});

test('OVR-4 OVR-7 whoever calls in turns is answered in turns, nobody twice', () => {
	const messages = ['alex', 'sam', 'alex', 'kim'].map((who, index) =>
		line(index + 1, index + 1, who, 'overseer, and now?'),
	);
	expect(runAll(messages).map(({ addresses }) => addresses)).toEqual([['m1'], ['m2'], ['m3'], ['m4']]);
});
