import { expect, test } from 'vitest';
import { catchUpFloor } from '../../../../bot/messages/catch-up.ts';
import { snowflakeAt, snowflakeTime } from '../../../../bot/snowflake.ts';

const now = 1_796_000_000_000;
const idAt = (at: number) => snowflakeAt(at).toString();

test('OPS-14 reading begins shortly before the mark, never before the oldest allowed', () => {
	const limits = { maxAgeMs: 900_000, maxMessages: 50 };
	const recent = catchUpFloor(idAt(now - 60_000), now, limits);
	expect(snowflakeTime(recent.toString())).toBe(now - 90_000);
	const old = catchUpFloor(idAt(now - 86_400_000), now, limits);
	expect(snowflakeTime(old.toString())).toBe(now - 900_000);
});

test('OPS-14 Q02 what is older than the first message that a store noted is left alone, however near the mark it is', () => {
	const limits = { maxAgeMs: 900_000, maxMessages: 50 };
	const mark = idAt(now - 60_000);
	expect(catchUpFloor(mark, now, limits, idAt(now - 70_000))).toBe(BigInt(idAt(now - 70_000)));
	expect(snowflakeTime(catchUpFloor(mark, now, limits, idAt(now - 86_400_000)).toString())).toBe(now - 90_000);
});

test('snowflakes and times turn into each other', () => {
	expect(snowflakeTime('1523456789012345678')).toBe(1_420_070_400_000 + Number(1523456789012345678n >> 22n));
	expect(snowflakeTime(idAt(now))).toBe(now);
	expect(snowflakeAt(0)).toBe(0n);
});
