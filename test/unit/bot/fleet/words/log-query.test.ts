import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLogId, isLogId, LOG_WORDS, parseLogId, readKinds } from '../../../../../bot/fleet/log/log-query.ts';
import { feedKind } from '../../../../../core/fleet/feed-event.ts';

test('FLT-16 a page of the log fits into a button and is read from it again, whatever is asked for', () => {
	const query = fc.record(
		{
			isOwn: fc.boolean(),
			sessionId: fc.stringMatching(/^s[0-9a-f]{15}$/),
			kinds: fc.subarray([...feedKind.options]),
			before: fc.integer({ min: 1, max: 10 ** 12 }),
		},
		{ requiredKeys: ['isOwn', 'kinds'] },
	);
	fc.assert(
		fc.property(query, (one) => {
			const id = formatLogId(one);
			expect(id.length).toBeLessThanOrEqual(100);
			expect(isLogId(id)).toBe(true);
			expect(parseLogId(id)).toEqual(one);
		}),
	);
});

test('FLT-16 a button of another version is known as one of the log and not read', () => {
	expect(isLogId('v2:fleetlog:all')).toBe(true);
	for (const id of [
		'v2:fleetlog:all:-:0:-',
		'v1:fleetlog:all:-:0',
		'v1:fleetlog:some:-:0:-',
		'v1:fleetthread:mute:s1',
	]) {
		expect(parseLogId(id)).toBeUndefined();
	}
});

test('FLT-16 kinds are read in any spelling, groups stand for several, unknown words are named', () => {
	expect(readKinds('Question, failed;watch-fired')).toEqual({
		kinds: ['question', 'failed', 'watch_fired'],
		unknown: [],
	});
	expect(readKinds('questions').kinds).toEqual(['question', 'question_closed', 'answered']);
	expect(readKinds('failed toString __proto__')).toEqual({ kinds: ['failed'], unknown: ['tostring', '__proto__'] });
	expect(readKinds('  ')).toEqual({ kinds: [], unknown: [] });
	for (const word of LOG_WORDS) expect(readKinds(word).unknown).toEqual([]);
});
