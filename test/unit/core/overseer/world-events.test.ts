import { expect, test } from 'vitest';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import type { RoverView, WorldView } from '../../../../core/overseer/world.ts';
import {
	FRESH_WORLD_MEMORY,
	observeWorld,
	siteEvents,
	type WorldMemory,
} from '../../../../core/overseer/world-events.ts';
import { worldOrigins } from '../../../../core/overseer/world-facts.ts';
import { entity, roomOf, statesOf } from './home-fixture.ts';
import { T0, worldOf } from './room-fixture.ts';

const rover = (change: Partial<RoverView> = {}): RoverView => ({
	id: 'r1',
	driving: false,
	docked: true,
	available: true,
	...change,
});
const lamp = (state: 'on' | 'off', color?: string) => ({
	entityId: 'light.a',
	label: 'a',
	show: 'state' as const,
	state,
	available: true,
	colorModes: [],
	...(color ? { color } : {}),
});

/** Looks at worlds one after the other, each at its second; gives the texts of all events. */
function watch(...looks: readonly [number, WorldView][]): string[] {
	let memory: WorldMemory = FRESH_WORLD_MEMORY;
	return looks.flatMap(([second, world]) => {
		const look = observeWorld(memory, world, { room: 'den', now: T0 + second * 1_000, debounceMs: 1_500 });
		memory = look.memory;
		return look.events.map(({ kind, text }) => `${kind}: ${text}`);
	});
}
const rovers = (change: Partial<RoverView>) => worldOf({ rovers: [rover(change)] });

test('OVR-3 the first look tells nothing; a change that lasts is one event', () => {
	expect(
		watch(
			[0, rovers({})],
			[1, rovers({ docked: false })],
			[3, rovers({ docked: false })],
			[5, rovers({ docked: false })],
		),
	).toEqual(['undock: r1 left its dock']);
});

test('OVR-3 flapping is no event, in neither direction', () => {
	const on = rovers({});
	const off = rovers({ docked: false });
	expect(watch([0, on], [1, off], [2, on], [3, off], [4, on], [9, on])).toEqual([]);
});

test('OVR-3 a change that moves on within the time is told as what it became', () => {
	expect(
		watch(
			[0, rovers({ docked: false })],
			[1, rovers({ docked: false, driving: true, driver: 'alex' })],
			[2, rovers({ docked: false, driving: true, driver: 'sam' })],
			[4, rovers({ docked: false, driving: true, driver: 'sam' })],
		),
	).toEqual(['control: sam took r1']);
});

test('OVR-3 control passes, is taken from somebody, is let go; hazards and errors fire when they come, not when they go', () => {
	const steps: Partial<RoverView>[] = [
		{ driving: true, driver: 'alex' },
		{ driving: true, driver: 'sam' },
		{ driving: false },
		{ hazard: 'cliff' },
		{},
	];
	const looks: [number, WorldView][] = [[0, rovers({})]];
	for (const [index, step] of steps.entries())
		looks.push([index * 10 + 10, rovers(step)], [index * 10 + 12, rovers(step)]);
	expect(watch(...looks)).toEqual([
		'control: alex took r1',
		'control: sam took r1 from alex',
		'control: sam let go of r1',
		'hazard: r1: cliff',
	]);
});

test('OVR-3 H08 an alert of the vacuum wakes nobody, however long it stays; an error does once', () => {
	const neato = { connected: true, state: 'docked' as const, canClearErrors: true };
	const quiet = worldOf({ neato });
	const alert = worldOf({ neato: { ...neato, alert: 'dust bin' } });
	const broken = worldOf({ neato: { ...neato, state: 'error', error: 'brush stuck' } });
	expect(watch([0, quiet], [5, alert], [10, alert], [600, alert])).toEqual([]);
	expect(watch([0, quiet], [5, broken], [10, broken], [600, broken])).toEqual(['device_error: neato: brush stuck']);
});

test('OVR-3 a colour or a lamp that changes is no event, a lamp that goes away is', () => {
	expect(
		watch(
			[0, worldOf({ lights: [lamp('on', 'red')] })],
			[5, worldOf({ lights: [lamp('on', 'blue')] })],
			[10, worldOf({ lights: [lamp('off')] })],
			[15, worldOf({ lights: [lamp('off')] })],
		),
	).toEqual([]);
	const gone = worldOf({ lights: [{ ...lamp('off'), state: 'unavailable', available: false }] });
	expect(
		watch(
			[0, worldOf({ lights: [lamp('on')] })],
			[5, gone],
			[7, gone],
			[10, worldOf({ lights: [lamp('on')] })],
			[12, worldOf({ lights: [lamp('on')] })],
		),
	).toEqual(['device_gone: light.a is gone', 'device_back: light.a is back']);
});

test('OVR-3 when Home Assistant goes away that is one event, not one for every device', () => {
	const away = worldOf({
		homeReady: false,
		rovers: [rover({ available: false })],
		lights: [{ ...lamp('on'), available: false }],
		lift: { position: 'up', busy: false, available: false },
	});
	const back = worldOf({
		rovers: [rover()],
		lights: [lamp('on')],
		lift: { position: 'up', busy: false, available: true },
	});
	expect(watch([0, back], [5, away], [7, away], [60, back], [62, back])).toEqual([
		'device_gone: home is gone',
		'device_back: home is back',
	]);
});

test('OVR-3 OVR-18 both lift switches on, and a lift that is stuck, are device errors', () => {
	const lift = (change: object) => worldOf({ lift: { position: 'up', busy: false, available: true, ...change } });
	expect(watch([0, lift({})], [5, lift({ position: 'conflict' })], [7, lift({ position: 'conflict' })])).toEqual([
		'device_error: lift: both directions on',
	]);
	expect(watch([0, lift({})], [5, lift({ stale: true })], [7, lift({ stale: true })])).toEqual([
		'device_error: lift: stuck',
	]);
});

test('OVR-3 two watchers name one happening alike, with the context that caused it', () => {
	const room = roomOf({ rovers: [{ id: 'r1', dockedEntityId: 'binary_sensor.docked' }] });
	const origins = worldOrigins(room, statesOf(entity('binary_sensor.docked', 'off', {}, 10, 'ours')));
	const ids = [0, 700].map((offset) => {
		let memory: WorldMemory = FRESH_WORLD_MEMORY;
		for (const [second, docked] of [
			[-30, true],
			[-9, false],
			[0, false],
		] as const) {
			const look = observeWorld(memory, rovers({ docked }), {
				room: 'den',
				now: T0 + second * 1_000 + offset,
				debounceMs: 1_500,
				origins,
			});
			memory = look.memory;
			if (look.events[0]) return [look.events[0].id, look.events[0].contextId, look.events[0].at];
		}
		return [];
	});
	expect(ids[0]).toEqual(ids[1]);
	expect(ids[0]).toEqual([`den:undock:r1::${T0 - 10_000}`, 'ours', T0 - 10_000]);
});

test('OVR-3 an unsettled change asks to be looked at again', () => {
	const first = observeWorld(FRESH_WORLD_MEMORY, rovers({}), { room: 'den', now: T0, debounceMs: 1_500 });
	expect(first.dueAt).toBeUndefined();
	const second = observeWorld(first.memory, rovers({ docked: false }), {
		room: 'den',
		now: T0 + 100,
		debounceMs: 1_500,
	});
	expect(second.dueAt).toBe(T0 + 1_600);
});

test('OVR-3 OVR-23 site mode and lights lock are events, pausing is none', () => {
	const after = { mode: 'lockdown', lightsLock: 'on', paused: true } as const;
	const events = siteEvents(OPEN_SITE, after, T0);
	expect(events.map(({ kind, text }) => [kind, text])).toEqual([
		['site_mode', 'site mode is lockdown'],
		['lights_lock', 'lights are locked on'],
	]);
	expect(siteEvents(OPEN_SITE, after, T0 + 40).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
	expect(siteEvents(OPEN_SITE, { ...OPEN_SITE, paused: true }, T0)).toEqual([]);
});
