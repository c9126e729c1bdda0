import { describe, expect, test } from 'vitest';
import type { HostAnswer, HostAsk, HostPost } from '../../../../core/fleet/host-post.ts';
import type { SessionControl, StartRequest } from '../../../../core/fleet/session-control.ts';
import { createHostAsks } from '../../../../jobs/fleet/host-asks.ts';
import { StoreAway } from '../../../../jobs/store-failure.ts';
import { testLog } from '../../../support/redis.ts';

const START = { id: 'a1', kind: 'start', request: { name: 'api-fix' } as StartRequest } as HostAsk;
const open = new AbortController().signal;

/** A machine with one start on its desk, and a post that fails as often as told. */
function bench(failures: Error[]) {
	const answers: HostAnswer[] = [];
	let starts = 0;
	const control = {
		async start() {
			starts += 1;
			return { kind: 'started', sessionId: 's1', name: 'api-fix' };
		},
	} as unknown as SessionControl;
	const hostPost = {
		take: async () =>
			answers.length > 0 ? [] : [{ ask: START, state: starts === 0 ? 'new' : 'broken', leftMs: 60_000 }],
		async answer(_: string, __: string, answer: HostAnswer) {
			const failure = failures.shift();
			if (failure) throw failure;
			answers.push(answer);
		},
	} as unknown as HostPost;
	const asks = createHostAsks({ host: 'den', hostPost, sessions: { load: async () => ({}) as never }, log: testLog() });
	return { answers, starts: () => starts, look: (signal = open) => asks.look(1, control, signal), done: asks.done };
}

describe('what is asked of a machine', () => {
	test('FLT-3 OPS-15 what came of a start is told as soon as the store answers, and nothing is started twice', async () => {
		const machine = bench([new StoreAway('away')]);
		await machine.look();
		await expect.poll(machine.starts).toBe(1);
		// Looked at again while it is on its way.
		await machine.look();
		await machine.done();
		expect(machine.answers).toEqual([{ kind: 'start', result: { kind: 'started', sessionId: 's1', name: 'api-fix' } }]);
		expect(machine.starts()).toBe(1);
	});

	test('OPS-15 a machine that stops does not wait for its store', async () => {
		const machine = bench([new StoreAway('away'), new StoreAway('away')]);
		await machine.look(AbortSignal.abort());
		await machine.done();
		expect(machine.answers).toEqual([]);
	});
});
