import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NumberedMessage } from '../../../core/chat/message.ts';
import { finishDecision } from '../../../core/overseer/finish-decision.ts';
import { decideGate } from '../../../core/overseer/gate.ts';
import type { GateState } from '../../../core/overseer/gate-state.ts';
import type { RoomSnapshot } from '../../../core/overseer/room-store.ts';
import { takeDecision } from '../../../core/overseer/take-decision.ts';
import type { NumberedEvent } from '../../../core/overseer/trigger.ts';
import { event, gateOf, line, look, settingsOf, snapshotOf } from '../../unit/core/overseer/room-fixture.ts';

const DEADLINE_MS = 60_000;
const settings = settingsOf();

type Step =
	| { kind: 'say'; who: string; text: string }
	| { kind: 'event'; own: boolean }
	| { kind: 'tick' }
	| { kind: 'take' }
	| { kind: 'finish'; ok: boolean }
	| { kind: 'wait'; seconds: number }
	| { kind: 'quiet'; on: boolean };

const words = [
	'overseer look',
	'bot?',
	'i dare you',
	'hello',
	'the robot is at the bottom',
	'nice drift',
	'come at me',
];
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('say' as const),
			who: fc.constantFrom('a', 'b', 'c'),
			text: fc.constantFrom(...words),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('event' as const), own: fc.boolean() }) },
	{ weight: 8, arbitrary: fc.constant({ kind: 'tick' as const }) },
	{ weight: 4, arbitrary: fc.constant({ kind: 'take' as const }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('finish' as const), ok: fc.boolean() }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 70 }) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('quiet' as const), on: fc.boolean() }) },
);

/** A room, a gate and a worker, driven step by step; it keeps the books that the properties check. */
class Room {
	second = 1;
	gate: GateState = gateOf();
	readonly messages: NumberedMessage[] = [];
	readonly events: NumberedEvent[] = [];
	quiet = false;
	ids = 0;
	/** Message id → ids of decisions that consumed it. */
	readonly consumedBy = new Map<string, Set<string>>();
	/** Message id → ids of decisions that hold it as an address. */
	readonly addressedIn = new Map<string, Set<string>>();
	readonly ended = new Set<string>();
	readonly pendingIds = new Set<string>();

	snapshot(): RoomSnapshot {
		return snapshotOf({ gate: this.gate, messages: this.messages, events: this.events, ownContexts: ['ours'] });
	}

	input() {
		return look(this.second, this.snapshot(), { votedQuiet: this.quiet, newId: () => `d${++this.ids}` });
	}

	run(action: Step): void {
		this.second += 1;
		switch (action.kind) {
			case 'say':
				this.messages.push(line(this.messages.length + 1, this.second, action.who, action.text));
				return;
			case 'event':
				this.events.push(
					event(this.events.length + 1, this.second, 'dock', 'rover1 docked', action.own ? 'ours' : 'theirs'),
				);
				return;
			case 'tick':
				this.tick();
				return;
			case 'take':
				this.take();
				return;
			case 'finish':
				this.finish(action.ok);
				return;
			case 'wait':
				this.second += action.seconds;
				return;
			case 'quiet':
				this.quiet = action.on;
		}
	}

	tick(): void {
		const before = this.gate;
		const result = decideGate(this.input());
		this.gate = result.gate;
		expect(result.gate.messageCursor).toBeGreaterThanOrEqual(before.messageCursor);
		expect(result.dueAt).toBeGreaterThan(this.input().now);
		if (result.wake !== undefined) expect(this.gate.inFlight).toBeUndefined();
		const held = before.pending;
		if (held !== undefined && this.gate.pending !== undefined && held.addresses.length > 0) {
			// What waits keeps its id, unless a decision that died goes first.
			expect([this.gate.pending.id, this.gate.later?.id]).toContain(held.id);
		}
		if (result.abandoned !== undefined) this.ended.add(result.abandoned.id);
	}

	take(): void {
		const cursor = this.gate.messageCursor;
		const taken = takeDecision(this.input(), DEADLINE_MS);
		if (taken === undefined) return;
		expect(this.gate.inFlight).toBeUndefined();
		this.gate = taken.gate;
		const { decision } = taken;
		expect(this.ended.has(decision.id)).toBe(false);
		for (const { id, seq } of this.messages) {
			if (seq > cursor && seq <= decision.upTo.messageSeq) note(this.consumedBy, id, decision.id);
		}
		for (const { messageId } of decision.addresses) note(this.addressedIn, messageId, decision.id);
	}

	finish(ok: boolean): void {
		const id = this.gate.inFlight?.decision.id;
		if (id === undefined) return;
		const done = finishDecision(this.gate, id, ok ? 'ok' : 'model_failed', this.input().now, settings, 0.5);
		expect(done).toBeDefined();
		this.gate = done as GateState;
		this.ended.add(id);
	}
}

function note(book: Map<string, Set<string>>, key: string, value: string): void {
	book.set(key, (book.get(key) ?? new Set()).add(value));
}

test('OVR-4 whatever happens: nothing is decided twice, no address is lost, one decision at a time', () => {
	fc.assert(
		fc.property(fc.array(step, { minLength: 5, maxLength: 120, size: 'max' }), (steps) => {
			const room = new Room();
			for (const action of steps) room.run(action);
			// Let it come to rest.
			for (let round = 0; round < 12; round += 1) {
				room.run({ kind: 'tick' });
				room.run({ kind: 'take' });
				room.run({ kind: 'finish', ok: true });
			}
			for (const [, decisions] of room.consumedBy) expect(decisions.size).toBe(1);
			const addressing = room.messages.filter(({ text }) => /^(?:overseer look|bot\?)$/.test(text));
			for (const { id } of addressing) expect(room.addressedIn.get(id)?.size, `address ${id}`).toBe(1);
			const silent = room.messages.filter(({ text }) => text.includes('robot'));
			for (const { id } of silent) expect(room.addressedIn.has(id)).toBe(false);
		}),
		{ numRuns: 400 },
	);
});

test('OVR-4 a look is pure: computed twice it gives the same, and its input is not touched', () => {
	fc.assert(
		fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
			const room = new Room();
			for (const action of steps) room.run(action);
			const snapshot = room.snapshot();
			const frozen = JSON.stringify(snapshot);
			const once = decideGate(look(room.second, snapshot));
			const twice = decideGate(look(room.second, snapshot));
			expect(twice).toEqual(once);
			expect(JSON.stringify(snapshot)).toBe(frozen);
		}),
		{ numRuns: 150 },
	);
});
