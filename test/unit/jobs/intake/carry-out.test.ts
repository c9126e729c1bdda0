import { describe, expect, test } from 'vitest';
import type { EffectOf } from '../../../../core/intake/effect.ts';
import type { IntakeEvent } from '../../../../core/intake/event.ts';
import type { IntakeSession } from '../../../../core/intake/session.ts';
import { type CarryOutDeps, createCarryOut } from '../../../../jobs/intake/carry-out.ts';
import { StoreAway } from '../../../../jobs/store-failure.ts';
import { handoffFor } from '../../../support/handoff.ts';
import { cxpSession, intakeTestSettings } from '../../../support/intake.ts';
import { testLog } from '../../../support/redis.ts';
import { compiled, drive, WISH } from '../../core/intake/intake-driver.ts';

const PACKET = handoffFor({ id: 'p1', sessionId: 's1' });
const deliverEffect = { id: 'e1', kind: 'deliver', packet: PACKET } as const;
const signal = new AbortController().signal;

/** Everything around the worker, as lists of what was asked of it. */
function bench(session: IntakeSession, effect: unknown, change: Partial<CarryOutDeps> = {}) {
	const done: string[] = [];
	const events: IntakeEvent[] = [];
	let claims = 0;
	let settleFailures = 0;
	let first: () => object = () => ({ kind: 'claimed', session, effect });
	let hear: (name: string) => void = () => undefined;
	const work = {
		claimEffect: async (_: string, __: string, name: string, ___: number, instead?: string) => {
			claims += 1;
			hear(name);
			return instead === undefined ? first() : { kind: 'claimed', session, effect };
		},
		ackEffect: async () => void done.push('ack'),
		releaseEffect: async (_: string, __: string, ms: number) => void done.push(`release ${ms}`),
		settleEffect: async (_: string, __: string, event: IntakeEvent) => {
			if ((settleFailures -= 1) >= 0) throw new StoreAway('redis is away');
			events.push(event);
		},
		append: async (_: string, event: IntakeEvent) => void events.push(event),
	};
	const deps = {
		work,
		audit: { append: async () => void done.push('audit') },
		governance: { evaluate: async () => ({ outcome: 'allow', findings: [] }) },
		inboxQueue: { put: async () => void done.push('put'), queue: async () => undefined },
		callModel: async () => ({ kind: 'model_reply', callId: 'c', text: '' }),
		lives: { self: 'me', isGone: async () => false },
		settings: () => intakeTestSettings(),
		wake: async () => void done.push('wake'),
		random: { next: () => 0.5, id: () => 'r' },
		log: testLog(),
		...change,
	} as unknown as CarryOutDeps;
	const carryOut = createCarryOut(deps);
	return {
		done,
		events,
		claims: () => claims,
		claimGives: (given: object | (() => object)) => {
			first = typeof given === 'function' ? (given as () => object) : () => given;
		},
		onClaim: (listener: typeof hear) => {
			hear = listener;
		},
		failSettling: (times: number) => {
			settleFailures = times;
		},
		run: (own = signal) => carryOut(session.id, 'e1', own),
	};
}

const sending = (delivery: IntakeSession['delivery']) => cxpSession({ packet: PACKET, delivery }, 's1');

describe('carrying out effects', () => {
	test('INT-22 INT-15 a packet goes into the inbox once; one that is there already is only reported', async () => {
		const first = bench(sending('waiting'), deliverEffect);
		expect(await first.run()).toBe('deliver');
		expect(first.done).toEqual(['put', 'wake']);
		expect(first.events).toEqual([{ kind: 'delivered', packetId: 'p1' }]);
		for (const session of [sending('done'), sending(undefined), cxpSession({}, 's1')]) {
			const again = bench(session, deliverEffect);
			expect(await again.run()).toBe('deliver');
			expect(again.done).toEqual(['wake']);
		}
	});

	test('INT-22 E14 an inbox that takes nothing: tried again in growing steps, told after the third try, never given up', async () => {
		const away = bench(sending('waiting'), deliverEffect, {
			inboxQueue: { put: () => Promise.reject(new Error('full')), queue: async () => undefined },
		});
		for (let count = 0; count < 9; count += 1) expect(await away.run()).toBe('later');
		const waits = away.done.filter((one) => one.startsWith('release')).map((one) => Number(one.split(' ')[1]));
		expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		expect(away.events).toHaveLength(7);
		expect(away.events[0]).toEqual({ kind: 'undeliverable', packetId: 'p1' });
	});

	test('INT-20 somebody else’s effect is left alone while they live, and taken over when they are gone', async () => {
		const taken = { kind: 'taken', by: 'other/1' };
		const alive = bench(sending('waiting'), deliverEffect);
		alive.claimGives(taken);
		expect([await alive.run(), alive.done]).toEqual(['taken', []]);
		const gone = bench(sending('waiting'), deliverEffect, { lives: { self: 'me', isGone: async () => true } });
		gone.claimGives(taken);
		expect([await gone.run(), gone.claims()]).toEqual(['deliver', 2]);
	});

	test('INT-14 OPS-15 a claim that this process left when the store failed is its own again, one that it acts on is not', async () => {
		let free: (event: IntakeEvent) => void = () => undefined;
		const ids = ['first', 'second', 'third', 'fourth'];
		const names: string[] = [];
		const { session, last } = drive().say(WISH);
		const call = last.find(({ kind }) => kind === 'call_model');
		let by = '';
		const own = bench(session, call, {
			random: { next: () => 0.5, id: () => ids.shift() ?? '' },
			callModel: () =>
				new Promise((resolve) => {
					free = resolve as typeof free;
				}),
		});
		own.claimGives(() => {
			if (by === '') throw new StoreAway('stored, and the answer to it lost');
			return { kind: 'taken', by };
		});
		own.onClaim((name) => {
			names.push(name);
			if (names.length === 2) by = 'me/first';
		});
		const running = own.run();
		await expect.poll(() => names).toEqual(['me/first', 'me/second', 'me/second']);
		by = 'me/second';
		expect(await own.run()).toBe('taken');
		free({ kind: 'model_reply', callId: 'c', text: '' });
		expect(await running).toBe('call_model');
		expect(own.events).toHaveLength(1);
	});

	test('INT-15 a call or a check that nobody waits for any more is forgotten', async () => {
		const { session } = drive().say(WISH);
		const call = { id: 'e1', kind: 'call_model', call: { ...session.call, id: 'older' } };
		const late = bench(session, call);
		expect([await late.run(), late.done]).toEqual(['not needed any more', ['ack']]);
		const locked = compiled().press('lock');
		const govern = locked.lastOf('govern')[0] as EffectOf<'govern'>;
		const judged = bench(locked.verdict('allow').session, govern);
		expect([await judged.run(), judged.done]).toEqual(['not needed any more', ['ack']]);
	});

	test('INT-20 a worker that shuts down lets go of a call and of a check, so that another one takes them', async () => {
		const stop = AbortSignal.abort();
		const { session, last } = drive().say(WISH);
		const call = last.find(({ kind }) => kind === 'call_model');
		const asking = bench(session, call, { callModel: async () => undefined });
		expect([await asking.run(stop), asking.done, asking.events]).toEqual(['later', ['release 0'], []]);
		const locked = compiled().press('lock');
		const judging = bench(locked.session, locked.lastOf('govern')[0]);
		expect([await judging.run(stop), judging.done, judging.events]).toEqual(['later', ['release 0'], []]);
	});

	test('INT-14 an outcome waits for a Redis that is away for a moment; a lost wake-up does not lose it', async () => {
		const slow = bench(sending('waiting'), deliverEffect, { wake: () => Promise.reject(new Error('no queue')) });
		slow.failSettling(1);
		expect(await slow.run()).toBe('deliver');
		expect(slow.events).toHaveLength(1);
		// What it is the outcome of was not done again.
		expect(slow.done).toEqual(['put']);
		const stopped = bench(sending('waiting'), deliverEffect);
		stopped.failSettling(5);
		await expect(stopped.run(AbortSignal.abort())).rejects.toThrow('redis is away');
	});

	test('INT-24 a row of the trail is written and needs nothing more', async () => {
		const row = bench(sending('waiting'), { id: 'e1', kind: 'audit', entry: { what: 'refused', code: 'E07', at: 1 } });
		expect([await row.run(), row.done]).toEqual(['not needed any more', ['audit', 'ack']]);
	});
});
