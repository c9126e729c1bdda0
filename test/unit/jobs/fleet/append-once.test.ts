import { describe, expect, test } from 'vitest';
import type { FeedDraft, FeedEvent } from '../../../../core/fleet/feed-event.ts';
import { createAppendOnce } from '../../../../jobs/fleet/append-once.ts';
import { StoreAway } from '../../../../jobs/store-failure.ts';

const draft: FeedDraft = {
	at: 1,
	kind: 'concierge_sent',
	cause: { role: 'concierge', who: 'concierge', whoId: 'c' },
	text: 'take v2',
	data: { askedBy: 'ria' },
};

/** A feed and a journal in memory; an append can fail before or after it was stored. */
function bench(fails: ('before' | 'after')[] = []) {
	const events: FeedEvent[] = [];
	const notes = new Map<string, unknown>();
	const put = (one: FeedDraft) => events.push({ ...one, seq: events.length + 1 });
	const appendOnce = createAppendOnce({
		feed: {
			async append([one]) {
				const fail = fails.shift();
				if (fail !== 'before' && one) put(one);
				if (fail) throw new StoreAway('away');
				return [];
			},
			read: async (after, limit) => ({
				events: events.filter(({ seq }) => seq > after).slice(0, limit),
				lastSeq: events.length,
				missed: 0,
			}),
		},
		journal: {
			note: async (id, name) => notes.get(`${id} ${name}`),
			keepNote: async (id, name, value) => void notes.set(`${id} ${name}`, value),
		},
	});
	return { events, put, append: (since: number, key = 'w1:0:0') => appendOnce(draft, { wakeId: 'w1', key, since }) };
}

describe('what a turn writes into the log', () => {
	test('FLT-16 it is marked with the call that it came of', async () => {
		const log = bench();
		await log.append(0);
		expect(log.events).toEqual([{ ...draft, seq: 1, data: { askedBy: 'ria', callId: 'w1:0:0' } }]);
	});

	test('FLT-16 OPS-15 a turn that is run again writes it once, though it begins at a later event by then', async () => {
		const log = bench(['after']);
		await expect(log.append(0)).rejects.toThrow('away');
		for (let others = 0; others < 5; others += 1) log.put(draft);
		await log.append(6);
		await log.append(6);
		expect(log.events.filter(({ data }) => data?.['callId'] === 'w1:0:0')).toHaveLength(1);
	});

	test('FLT-16 OPS-15 what was not stored is written by the next run', async () => {
		const log = bench(['before', 'before']);
		await expect(log.append(0)).rejects.toThrow('away');
		await expect(log.append(0)).rejects.toThrow('away');
		await log.append(0);
		expect(log.events).toHaveLength(1);
	});

	test('FLT-16 two calls of one turn are two events', async () => {
		const log = bench();
		await log.append(0);
		await log.append(0, 'w1:0:1');
		expect(log.events.map(({ data }) => data?.['callId'])).toEqual(['w1:0:0', 'w1:0:1']);
	});
});
