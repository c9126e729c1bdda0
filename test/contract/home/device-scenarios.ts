import { expect, test } from 'vitest';
import type { EntityState } from '../../../core/home/entity.ts';
import { eventually } from './connected-home.ts';
import { callDeadlineMs, request, type Scenario, stateDeadlineMs } from './scenario.ts';

/** Each kind of device, present and obedient, away, or gone. */
export function describeDevices({ rig, open }: Scenario): void {
	test('OVR-18 a light goes off and on, and the house itself says so', async () => {
		const { home } = await open();
		const { light } = rig().entities;
		for (const [service, wanted] of [
			['turn_off', 'off'],
			['turn_on', 'on'],
			['turn_off', 'off'],
		] as const) {
			const seen = home.waitFor(light, ({ state }) => state === wanted, stateDeadlineMs);
			expect(await home.call(request(light, service))).toMatchObject({ kind: 'ok' });
			expect((await seen)?.state).toBe(wanted);
			expect((await rig().state(light))?.state).toBe(wanted);
		}
	});

	test('OVR-18 a light takes brightness and colour, and only its attributes change the second time', async () => {
		const { home, changes } = await open();
		const { light } = rig().entities;
		const on = home.waitFor(light, ({ state }) => state === 'on', stateDeadlineMs);
		await home.call(request(light, 'turn_on', { brightness: 90 }));
		await on;
		const dimmed = home.waitFor(light, ({ attributes }) => attributes['brightness'] === 200, stateDeadlineMs);
		await home.call(request(light, 'turn_on', { brightness: 200 }));
		const bright = await dimmed;
		const blue = home.waitFor(light, ({ attributes }) => isBlue(attributes['rgb_color']), stateDeadlineMs);
		await home.call(request(light, 'turn_on', { rgb_color: [0, 0, 255] }));
		const after = await blue;
		expect(after?.lastChangedAt).toBe(bright?.lastChangedAt);
		expect(after?.lastUpdatedAt).toBeGreaterThan(after?.lastChangedAt ?? Number.POSITIVE_INFINITY);
		await eventually(
			() => changes.some((change) => isBlue(change.after?.attributes['rgb_color'])),
			'colour change told',
		);
	});

	test('OVR-18 a switch follows', async () => {
		const { home } = await open();
		const id = rig().entities.switch;
		const wanted = home.states().get(id)?.state === 'on' ? 'off' : 'on';
		const seen = home.waitFor(id, ({ state }) => state === wanted, stateDeadlineMs);
		expect(await home.call(request(id, `turn_${wanted}`))).toMatchObject({ kind: 'ok' });
		expect((await seen)?.state).toBe(wanted);
	});

	test('OVR-18 a cover moves, stops and reports its position', async () => {
		const { home } = await open();
		const { cover } = rig().entities;
		const closed = home.waitFor(cover, ({ state }) => state === 'closed', stateDeadlineMs);
		await home.call(request(cover, 'close_cover'));
		expect((await closed)?.attributes['current_position']).toBe(0);
		const opening = home.waitFor(cover, ({ state }) => state === 'opening', stateDeadlineMs);
		await home.call(request(cover, 'open_cover'));
		expect((await opening)?.state).toBe('opening');
		const positionOf = ({ attributes }: Pick<EntityState, 'attributes'>) => Number(attributes['current_position']);
		const moved = await home.waitFor(cover, (state) => positionOf(state) > 0, stateDeadlineMs);
		expect(positionOf(moved ?? { attributes: {} })).toBeGreaterThan(0);
		expect(await home.call(request(cover, 'stop_cover'))).toMatchObject({ kind: 'ok' });
		// A cover may go on claiming that it opens after a stop; its position tells.
		const restingAt = positionOf(home.states().get(cover) ?? { attributes: {} });
		expect(restingAt).toBeLessThan(100);
		expect(await home.waitFor(cover, (state) => positionOf(state) !== restingAt, 2_500)).toBeUndefined();
	});

	test('OVR-18 a vacuum starts, pauses and goes home', async () => {
		const { home } = await open();
		const { vacuum } = rig().entities;
		for (const [service, wanted] of [
			['start', ['cleaning']],
			['pause', ['paused']],
			['return_to_base', ['returning', 'docked']],
		] as const) {
			const seen = home.waitFor(vacuum, ({ state }) => wanted.some((one) => one === state), stateDeadlineMs);
			expect(await home.call(request(vacuum, service))).toMatchObject({ kind: 'ok' });
			expect(wanted).toContain((await seen)?.state);
		}
	});

	test('OVR-18 a button can be pressed although its state is unknown', async () => {
		const { home } = await open();
		const { button } = rig().entities;
		const before = home.states().get(button);
		expect(before?.available).toBe(true);
		const pressed = home.waitFor(button, ({ state }) => state !== before?.state, stateDeadlineMs);
		expect(await home.call(request(button, 'press'))).toMatchObject({ kind: 'ok' });
		expect(Date.parse((await pressed)?.state ?? '')).toBeGreaterThan(0);
	});

	test('OVR-19 a call on an unavailable entity is answered with success and changes nothing', async () => {
		const { home } = await open();
		const { fickle } = rig().entities;
		const gone = home.waitFor(fickle, ({ available }) => !available, stateDeadlineMs);
		await rig().setFickle(false);
		expect((await gone)?.state).toBe('unavailable');
		const changed = home.waitFor(fickle, ({ available }) => available, 1_000);
		expect(await home.call(request(fickle, 'turn_on'))).toMatchObject({ kind: 'ok' });
		expect(await changed).toBeUndefined();
		const back = home.waitFor(fickle, ({ available }) => available, stateDeadlineMs);
		await rig().setFickle(true);
		expect((await back)?.available).toBe(true);
	});

	test('H05 a renamed entity is gone under its old id, and a call on it succeeds without effect', async () => {
		const { home, changes } = await open();
		const { renamed } = rig().entities;
		expect(home.states().has(renamed)).toBe(true);
		await rig().rename(renamed, `${renamed}_moved`);
		await eventually(() => !home.states().has(renamed), 'old id gone');
		await eventually(() => changes.some(({ entityId, after }) => entityId === renamed && !after), 'removal told');
		expect(home.states().has(`${renamed}_moved`)).toBe(false);
		expect(await home.call(request(renamed, 'turn_on'))).toMatchObject({ kind: 'ok' });
		await rig().rename(`${renamed}_moved`, renamed);
		await eventually(() => home.states().has(renamed), 'old id back');
	});

	test('H05 a configured id that never existed is absent, and everything else works', async () => {
		const { home } = await open();
		expect(home.states().has('light.never_there')).toBe(false);
		expect(home.states().has(rig().entities.light)).toBe(true);
	});

	test('OVR-20 what is not configured cannot be reached, nor smuggled in beside a configured id', async () => {
		const { home } = await open();
		const { light } = rig().entities;
		const other = { domain: 'light', service: 'turn_on', entityId: 'light.other', deadlineMs: callDeadlineMs };
		expect(await home.call(other)).toMatchObject({ kind: 'rejected', code: 'not_configured' });
		for (const key of ['entity_id', 'area_id', 'device_id', 'label_id', 'floor_id']) {
			const data = { [key]: 'all' };
			expect(await home.call(request(light, 'turn_on', data))).toMatchObject({
				kind: 'rejected',
				code: 'invalid_data',
			});
		}
		expect([...home.states().keys()].every((id) => Object.values(rig().entities).includes(id))).toBe(true);
	});

	test('H04 refusals come back with their code', async () => {
		const { home } = await open();
		const { light } = rig().entities;
		const unknown = await home.call(request(light, 'turn_unavailable'));
		expect(unknown).toMatchObject({ kind: 'rejected', code: 'not_found' });
		const extra = await home.call(request(light, 'turn_on', { colour: 'warm' }));
		expect(extra).toMatchObject({ kind: 'rejected', code: 'invalid_format' });
		expect(extra.kind === 'rejected' && extra.message).toContain('extra keys not allowed');
	});

	test('OVR-3 our own call is marked as ours, the same done by somebody else is not', async () => {
		const { home, changes } = await open();
		const id = rig().entities.switch;
		const flip = () => (home.states().get(id)?.state === 'on' ? 'turn_off' : 'turn_on');
		const told = (count: number) =>
			eventually(() => changes.filter((c) => c.entityId === id).length >= count, 'change');
		const answer = await home.call(request(id, flip()));
		await told(1);
		const own = changes.find(({ entityId }) => entityId === id);
		expect(own?.own).toBe(true);
		expect(answer).toEqual({ kind: 'ok', contextId: own?.after?.contextId });
		await rig().act('switch', flip(), id);
		await told(2);
		expect(changes.filter(({ entityId }) => entityId === id).at(-1)?.own).toBe(false);
	});
}

function isBlue(value: unknown): boolean {
	return Array.isArray(value) && value[2] === 255 && Number(value[0]) < 20 && Number(value[1]) < 20;
}
