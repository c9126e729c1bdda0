import { expect, test } from 'vitest';
import { fleetSettings } from '../../../config/fleet.ts';
import { parseSchedule } from '../../../config/schedule.ts';

const problem = (heartbeat: string, more: object = {}) => {
	const read = fleetSettings.safeParse({ concierge: { heartbeat }, ...more });
	return read.success
		? undefined
		: read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join();
};

test.each(['every 15m', 'every 30s', 'every 2h', 'off'])(
	'C03 FLT-8 the heartbeat "%s" is a plain interval and taken',
	(text) => {
		expect(problem(text)).toBeUndefined();
		const parsed = parseSchedule(text);
		expect(parsed.ok && parsed.schedule.kind).toBe(text === 'off' ? 'off' : 'every');
	},
);

test.each([
	'every 0m',
	'every 15',
	'*/15 * * * *',
	'*/90 * * * *',
	'5/10 * * * *',
	'0 0 30 2 *',
	'60 * * * *',
	'@daily',
	'',
	'* * * * * *',
	'15m',
])('C03 FLT-8 the heartbeat "%s" is refused by name of its field, with an example', (text) => {
	const startedAt = performance.now();
	expect(problem(text)).toMatch(/^concierge\.heartbeat: .*every 15m/);
	// Impossible dates once made such a check run for ever.
	expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test.each(['Mars/Olympus', ''])('C03 FLT-8 the zone "%s" of the budget day is refused', (timeZone) => {
	expect(problem('every 15m', { timeZone })).toMatch(/^timeZone: /);
});
