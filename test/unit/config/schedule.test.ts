import fc from 'fast-check';
import { validate } from 'node-cron';
import { describe, expect, test } from 'vitest';
import { timeZone } from '../../../config/primitives.ts';
import { parseSchedule, schedule } from '../../../config/schedule.ts';

describe('C03 schedule texts', () => {
	test.each([
		['off', { kind: 'off' }],
		['every 15m', { kind: 'every', ms: 900_000 }],
		['every 2 h', { kind: 'every', ms: 7_200_000 }],
		['*/15 * * * *', { kind: 'cron', expression: '*/15 * * * *' }],
		['@daily', { kind: 'cron', expression: '0 0 * * *' }],
		['0 9 * * mon-fri', { kind: 'cron', expression: '0 9 * * mon-fri' }],
		['0 0 29 feb *', { kind: 'cron', expression: '0 0 29 feb *' }],
		['0 0 30 2 1', { kind: 'cron', expression: '0 0 30 2 1' }],
	])('C03 "%s" is taken', (text, expected) => {
		expect(parseSchedule(text)).toEqual({ ok: true, schedule: expected });
	});

	test.each([
		['every 0m', /at least/],
		['every 15', /unit is missing/],
		['every 5x', /no unit/],
		['*/90 * * * *', /would run at each minute 0/],
		['5/10 * * * *', /step needs/],
		['0 0 30 2 *', /never comes/],
		['0 0 31 4,6,9,11 *', /never comes/],
		['60 * * * *', /0 to 59/],
		['* * * * * *', /each second/],
		['', /empty/],
		['@sometimes', /@ name/],
		['tomorrow', /not a schedule/],
		['1-2-3 * * * *', /range or step/],
		['5-1 * * * *', /0 to 59/],
		['*/0 * * * *', /at least 1/],
	])('C03 "%s" is refused with what it would do', (text, why) => {
		const parsed = parseSchedule(text);
		expect(parsed.ok).toBe(false);
		expect(!parsed.ok && parsed.why).toMatch(why);
		expect(schedule.safeParse(text).error?.issues[0]?.message).toContain('every 15m');
	});

	test('C03 unknown and empty time zones are refused', () => {
		for (const zone of ['Mars/Olympus', '']) expect(timeZone.safeParse(zone).success).toBe(false);
		expect(timeZone.safeParse('Europe/Berlin').success).toBe(true);
	});

	test('C03 what is taken as cron, the scheduler takes too, whatever the text', () => {
		const field = fc.stringMatching(/^(\*|\d{1,2})([-/,]\d{1,2}){0,2}$/);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.tuple(field, field, field, field, field).map((parts) => parts.join(' ')),
				),
				(text) => {
					const parsed = parseSchedule(text);
					return !parsed.ok || parsed.schedule.kind !== 'cron' || validate(parsed.schedule.expression);
				},
			),
			{ numRuns: 2_000 },
		);
	});
});
