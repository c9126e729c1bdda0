import { expect, test } from 'vitest';
import { limitSettings } from '../../../../config/limits.ts';
import { limitHint, limitOpensAt, limitWindows } from '../../../../core/access/limits.ts';

const settings = (change: object = {}) => limitSettings.parse(change);
const NOON = Date.UTC(2026, 4, 3, 12, 20);
const HERE = { personIds: ['ria', 'sam', 'ria'], channelId: 'c1' };

test('OPS-18 a call counts once for each person, for the channel, the day and its money', () => {
	const windows = limitWindows(HERE, 0.25, settings(), NOON);
	expect(windows.map(({ name, amount }) => [name, amount])).toEqual([
		['person', 1],
		['person', 1],
		['channel', 1],
		['day_calls', 1],
		['day_usd', 250_000],
	]);
	expect(new Set(windows.map(({ key }) => key)).size).toBe(5);
	// A free model counts as a call, and costs nothing.
	expect(limitWindows(HERE, 0, settings(), NOON).map(({ name }) => name)).not.toContain('day_usd');
	expect(limitWindows(undefined, 0, settings(), NOON).map(({ name }) => name)).toEqual(['day_calls']);
});

test('OPS-18 a limit of 0 is none', () => {
	const none = { perPersonPerHour: 0, perChannelPerHour: 0, perDayCalls: 0, perDayUsd: 0 };
	expect(limitWindows(HERE, 1, settings(none), NOON)).toEqual([]);
});

test('OPS-18 hours end with the clock, days with the time zone, also where the clocks change', () => {
	expect(limitOpensAt('person', settings(), NOON)).toBe(Date.UTC(2026, 4, 3, 13));
	expect(limitOpensAt('channel', settings(), Date.UTC(2026, 4, 3, 13))).toBe(Date.UTC(2026, 4, 3, 14));
	expect(limitOpensAt('day_usd', settings(), NOON)).toBe(Date.UTC(2026, 4, 4));
	const berlin = settings({ timeZone: 'Europe/Berlin' });
	expect(limitOpensAt('day_calls', berlin, NOON)).toBe(Date.UTC(2026, 4, 3, 22));
	// The day of 25 hours, from its first minute.
	expect(limitOpensAt('day_calls', berlin, Date.UTC(2026, 9, 24, 22))).toBe(Date.UTC(2026, 9, 25, 23));
	expect(limitOpensAt('day_calls', settings({ timeZone: 'Asia/Kathmandu' }), NOON)).toBe(Date.UTC(2026, 4, 3, 18, 15));
	const before = limitWindows(undefined, 0, berlin, Date.UTC(2026, 4, 3, 21, 59));
	const after = limitWindows(undefined, 0, berlin, Date.UTC(2026, 4, 3, 22));
	expect(before[0]?.key).not.toBe(after[0]?.key);
});

test('OPS-18 what is refused is told with its setting', () => {
	for (const name of ['person', 'channel', 'day_calls', 'day_usd'] as const)
		expect(limitHint(name, settings())).toMatch(/limit of .+ is used up \(limits\.per\w+\)\.$/);
});
