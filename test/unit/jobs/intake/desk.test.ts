import { describe, expect, test } from 'vitest';
import type { IntakeWork } from '../../../../core/intake/intake-work.ts';
import { createIntakeDesk } from '../../../../jobs/intake/desk.ts';
import { testTracer } from '../../../support/fakes/test-tracer.ts';
import { answer, intakeTestSettings, intent } from '../../../support/intake.ts';
import { testLog } from '../../../support/redis.ts';

type DeskWork = Pick<IntakeWork, 'open' | 'append' | 'isTaken' | 'onMove'>;

function desk(change: Partial<DeskWork>, add = async () => undefined) {
	let move: (id: string) => void = () => undefined;
	let isHeard = true;
	const work = {
		open: async () => ({ kind: 'opened', seq: 1 }),
		append: async () => ({ kind: 'appended', seq: 1 }),
		isTaken: async () => true,
		onMove: (hear: (id: string) => void) => {
			move = hear;
			return async () => {
				isHeard = false;
			};
		},
		...change,
	} as unknown as DeskWork;
	const made = createIntakeDesk({
		work,
		queues: { add } as never,
		settings: () => intakeTestSettings({ readinessMs: 60 }),
		clock: { now: Date.now },
		tracer: testTracer(),
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	});
	return { ...made, move: (id: string) => move(id), isHeard: () => isHeard };
}

const start = { id: 's1', place: { kind: 'cxp' as const, caller: 'shop' }, requesterId: 'cxp:shop', review: false };
const timeout = Object.assign(new Error('slow'), { reason: 'timeout' });

describe('the desk', () => {
	test('INT-14 what cannot be stored is not kept, and says whether Redis was slow or away', async () => {
		for (const [error, reason] of [
			[timeout, 'timeout'],
			[new Error('closed'), 'redis'],
			['strange', 'redis'],
		] as const) {
			const broken = desk({ append: () => Promise.reject(error), open: () => Promise.reject(error) });
			expect(await broken.submit('s1', answer())).toEqual({ kind: 'unavailable', reason, kept: false });
			expect(await broken.open(start, intent(), 'once')).toEqual({ kind: 'unavailable', reason, kept: false });
		}
	});

	test('INT-14 what is stored is kept, whoever does not come for it', async () => {
		const idle = desk({ isTaken: async () => false });
		expect(await idle.submit('s1', answer())).toEqual({ kind: 'unavailable', reason: 'worker', kept: true });
		const deaf = desk({ isTaken: () => Promise.reject(timeout) });
		expect(await deaf.submit('s1', answer())).toEqual({ kind: 'unavailable', reason: 'timeout', kept: true });
	});

	test('INT-14 a job that could not be queued is no loss; who does not wait is told at once', async () => {
		const unqueued = desk({}, () => Promise.reject(new Error('no queue')));
		expect(await unqueued.submit('s1', answer())).toEqual({ kind: 'taken' });
		const never = desk({ isTaken: () => new Promise(() => undefined) });
		expect(await never.submit('s1', answer(), { waitMs: 0 })).toEqual({ kind: 'taken' });
	});

	test('INT-15 what the store says of a double or an unknown session is passed on', async () => {
		for (const kind of ['duplicate', 'unknown'] as const)
			expect(await desk({ append: async () => ({ kind }) }).submit('s1', answer())).toEqual({ kind });
		const there = { kind: 'exists', sessionId: 's0' } as const;
		expect(await desk({ open: async () => there }).open(start, intent(), 'once')).toEqual(there);
	});

	test('INT-14 a worker’s move is heard at once, also by several who wait, and the end of the process ends all waits', async () => {
		let isTaken = false;
		const one = desk({ isTaken: async () => isTaken });
		const waits = [one.submit('s1', answer(), { waitMs: 20_000 }), one.submit('s1', answer(), { waitMs: 20_000 })];
		await new Promise((resolve) => setTimeout(resolve, 20));
		isTaken = true;
		one.move('other');
		one.move('s1');
		expect(await Promise.all(waits)).toEqual([{ kind: 'taken' }, { kind: 'taken' }]);
		isTaken = false;
		const last = one.submit('s1', answer(), { waitMs: 20_000 });
		await new Promise((resolve) => setTimeout(resolve, 20));
		await one.close();
		expect(await last).toEqual({ kind: 'unavailable', reason: 'worker', kept: true });
		expect(one.isHeard()).toBe(false);
	});
});
