import { describe, expect, test } from 'vitest';
import type { SinkOutcome } from '../../../../core/intake/inbox.ts';
import { createInboxDelivery, type InboxDeliveryDeps } from '../../../../jobs/intake/inbox-delivery.ts';
import { handoffFor } from '../../../support/handoff.ts';
import { testLog } from '../../../support/redis.ts';

function bench(
	deliver: (() => Promise<SinkOutcome>) | undefined,
	change: { hasPacket?: boolean; state?: string; known?: boolean } = {},
) {
	const settled: object[] = [];
	const told: object[] = [];
	const packet = handoffFor();
	const deps = {
		inbox: {
			entry: async () =>
				change.known === false
					? undefined
					: { sessionId: 's1', deliveries: [{ sink: 'desk', state: change.state ?? 'waiting', generation: 2 }] },
			packet: async () => ((change.hasPacket ?? true) ? packet : undefined),
			settle: async (_: string, __: string, outcome: object) => void settled.push(outcome),
		},
		audit: { append: async () => undefined },
		surface: { add: async (_: string, __: string, item: object) => void told.push(item) },
		sinks: () => (deliver ? [{ name: 'desk', deliver }] : []),
		clock: { now: Date.now },
		log: testLog(),
		metrics: { count: () => undefined, gauge: () => undefined, observe: () => undefined },
	} as unknown as InboxDeliveryDeps;
	const run = createInboxDelivery(deps);
	return {
		settled,
		told,
		run: (number = 1, { generation = 2, signal = new AbortController().signal } = {}) =>
			run({ packetId: 'p1', sink: 'desk', generation }, signal, { number, of: 3 }),
	};
}
const refuse = async (): Promise<SinkOutcome> => ({ ok: false, permanent: false, problem: 'busy' });

describe('delivery to one sink', () => {
	test('INT-22 taken: settled once, nobody is troubled; an older or settled delivery is nothing to do', async () => {
		const one = bench(async () => ({ ok: true }));
		expect([await one.run(), one.settled, one.told]).toEqual(['delivered', [{ state: 'delivered' }], []]);
		expect(await one.run(1, { generation: 1 })).toBe('nothing to do');
		expect(await bench(refuse, { state: 'delivered' }).run()).toBe('nothing to do');
		expect(await bench(refuse, { known: false }).run()).toBe('nothing to do');
	});

	test('INT-22 INT-26 E14 refused: tried again until the last try, then set aside and told', async () => {
		const one = bench(refuse);
		await expect(one.run(1)).rejects.toMatchObject({ code: 'delivery_failed' });
		await expect(one.run(3)).rejects.toThrow('set aside: busy');
		expect(one.settled).toEqual([
			{ state: 'waiting', problem: 'busy' },
			{ state: 'dead', problem: 'busy' },
		]);
		expect(one.told).toMatchObject([{ code: 'undeliverable', detail: 'p1 to desk' }]);
	});

	test('INT-22 a place that is gone, content that is gone: set aside at once, with the reason', async () => {
		await expect(bench(undefined).run()).rejects.toThrow('not in the settings');
		await expect(bench(refuse, { hasPacket: false }).run()).rejects.toThrow('content is gone');
	});

	test('INT-22 a sink that throws is a failed try; one cut short by a shutdown is none', async () => {
		const broken = bench(() => Promise.reject(new RangeError('secret text')));
		await expect(broken.run()).rejects.toThrow('RangeError');
		expect(broken.settled).toEqual([{ state: 'waiting', problem: 'RangeError' }]);
		await expect(bench(() => Promise.reject('odd')).run()).rejects.toThrow('unknown trouble');
		const stopped = bench(refuse);
		await expect(stopped.run(3, { signal: AbortSignal.abort() })).rejects.toThrow('shutting down');
		expect(stopped.settled).toEqual([]);
	});
});
