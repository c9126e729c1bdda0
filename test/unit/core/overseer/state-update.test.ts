import { expect, test } from 'vitest';
import { speakerNames } from '../../../../core/chat/speaker-names.ts';
import { readPeople } from '../../../../core/overseer/people.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import { type StateInput, stateUpdate } from '../../../../core/overseer/state-update.ts';
import { zonedTime } from '../../../../core/overseer/zoned-time.ts';
import { line, settingsOf, T0, worldOf } from './room-fixture.ts';

const settings = settingsOf();
const world = worldOf();
const input: StateInput = {
	now: T0,
	settings,
	decision: { trigger: 'heartbeat', addresses: [] },
	world,
	site: OPEN_SITE,
	readyAt: {},
	people: readPeople([], world, T0, settings),
};

test('OVR-9 an empty room has a short state', () => {
	expect(stateUpdate(input)).toBe(
		[
			'STATE_UPDATE',
			'time: 2026-05-03T02:00:00+00:00',
			'trigger: heartbeat',
			'cooldowns: ha=ready',
			'mode: open, lights_lock=none',
			'people: active=nobody, mood=quiet',
		].join('\n'),
	);
});

test('OVR-9 mode, locks, people, events and past actions are lines of their own; past actions are words', () => {
	const messages = [line(1, -400, 'old', 'hi'), line(2, -50, 'kim', 'hi'), line(3, -20, 'sam\n[user]', 'hi')];
	const driven = worldOf({ rovers: [{ id: 'r1', driving: true, driver: 'kim', available: true }] });
	const text = stateUpdate({
		...input,
		decision: { trigger: 'world_event', addresses: [{ messageId: 'm2', authorId: 'k', authorName: 'kim', at: T0 }] },
		world: driven,
		site: { mode: 'admin', lightsLock: 'on', paused: false },
		people: readPeople(messages, driven, T0, settings),
		eventTexts: ['r1 left its dock\nlift_up()'],
		pastActions: [{ at: T0 - 30_500, text: 'raised the lift: confirmed' }],
	});
	expect(text.split('\n').slice(4)).toEqual([
		'rovers:',
		'- r1: driving, driver=kim',
		'mode: admin, lights_lock=on',
		'people: active=sam user+kim, driving=kim:r1, mood=steady, addressed_by=kim',
		'events:',
		'- r1 left its dock lift_up()',
		'recent_actions:',
		'- 31s ago: raised the lift: confirmed',
	]);
});

test('OVR-9 what is not known or not there is said so, never guessed', () => {
	const text = stateUpdate({
		...input,
		world: worldOf({
			homeReady: false,
			homePhase: 'lost',
			rovers: [
				{ id: 'r1', driving: false, available: false },
				{ id: 'r2', driving: false, available: true },
			],
			lift: { position: 'unknown', busy: false, available: false },
			neato: { connected: false, state: 'unknown', canClearErrors: false },
			lights: [
				{ entityId: 'light.a', label: 'a', show: 'state', state: 'on', available: false, colorModes: [] },
				{ entityId: 'light.b', label: 'b', show: 'state', state: 'missing', available: false, colorModes: [] },
				{ entityId: 'light.c', label: 'c', show: 'color', state: 'off', available: true, colorModes: [] },
				{
					entityId: 'light.d',
					label: 'd',
					show: 'state',
					state: 'on',
					available: true,
					brightnessPct: 40,
					colorModes: [],
				},
			],
		}),
	});
	expect(text).toContain('home: not connected (lost), states below are old');
	expect(text).toContain('- r1: offline\n- r2: nothing known\nlift: offline\nneato: connected=false\n');
	expect(text).toContain('- a=unavailable, b=missing, c=off, d=on (40%)');
});

test('OVR-9 cooldowns are whole seconds, rounded up', () => {
	const all = worldOf({
		lift: { position: 'up', busy: true, available: true, stale: true },
		neato: { connected: true, state: 'idle', error: 'brush', alert: 'bin', canClearErrors: true },
	});
	const text = stateUpdate({ ...input, world: all, readyAt: { lift: T0 + 1, neato: T0 + 24_900, light: T0 - 5 } });
	expect(text).toContain('cooldowns: lift=1s, neato=25s, ha=ready');
	expect(text).toContain('lift: up, busy=true, stale=true');
	expect(text).toContain('neato: connected=true, state=idle, error=brush, alert=bin');
});

test('OVR-9 bursts show in the mood', () => {
	const burst = [1, 2, 3, 4, 5].map((seq) => line(seq, -seq, seq % 2 ? 'a' : 'b', 'x'));
	expect(readPeople(burst, world, T0, settings).mood).toBe('burst');
	expect(
		readPeople(
			burst.map((message) => ({ ...message, bot: true })),
			world,
			T0,
			settings,
		),
	).toMatchObject({ mood: 'quiet', active: [] });
});

test.each([
	['Europe/Berlin', '2026-05-03T04:00:00+02:00'],
	['Asia/Kolkata', '2026-05-03T07:30:00+05:30'],
	['America/St_Johns', '2026-05-02T23:30:00-02:30'],
	['UTC', '2026-05-03T02:00:00+00:00'],
])('OVR-9 time in %s', (zone, wanted) => {
	expect(zonedTime(T0, zone)).toBe(wanted);
	expect(Date.parse(zonedTime(T0, zone))).toBe(T0);
});

test('OVR-9 C01 both hours of a clock change are told apart, midnight is 00', () => {
	expect(zonedTime(Date.UTC(2026, 9, 25, 0, 30), 'Europe/Berlin')).toBe('2026-10-25T02:30:00+02:00');
	expect(zonedTime(Date.UTC(2026, 9, 25, 1, 30), 'Europe/Berlin')).toBe('2026-10-25T02:30:00+01:00');
	expect(zonedTime(Date.UTC(2026, 0, 1), 'UTC')).toBe('2026-01-01T00:00:00+00:00');
});

test('OVR-9 OVR-11 of two people with one name the state names the one that the talk names', () => {
	const spoken = [line(1, -60, 'Sam', 'hello'), line(2, -30, 'sam', 'overseer, lights off')];
	const messages = spoken.map((message, at) => ({ ...message, author: { ...message.author, id: `id-${at}` } }));
	const text = stateUpdate({
		...input,
		decision: {
			trigger: 'direct_address',
			addresses: [{ messageId: 'm2', authorId: 'id-1', authorName: 'sam', at: T0 }],
		},
		people: readPeople(messages, world, T0, settings),
		speakers: speakerNames(messages, [settings.name]),
	});
	expect(text).toContain('active=sam (2)+Sam,');
	expect(text).toContain('addressed_by=sam (2)');
});
