import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHomeAssistant, type HomeAssistant } from '../../../adapters/home/home-assistant.ts';
import type { HomeCallRequest, HomeChange } from '../../../core/home/home-port.ts';
import { createLoopbackHome, type LoopbackHome } from '../../../demo/home/loopback-home.ts';
import { eventually, quickTiming } from './connected-home.ts';

/** What goes wrong on request only: real Home Assistant cannot be asked to. */
describe('the home on a loopback with faults', () => {
	let loopback: LoopbackHome;
	let home: HomeAssistant;
	let changes: HomeChange[];
	let reports: string[];

	beforeEach(async () => {
		loopback = await createLoopbackHome({ tickMs: 20, pace: { scriptMs: 100 } });
		changes = [];
		reports = [];
		const keep = (fields: unknown, message: string) => reports.push(JSON.stringify([fields, message]));
		home = createHomeAssistant({
			url: loopback.url,
			token: () => loopback.token,
			entityIds: ['light.shelf', 'light.corner', 'switch.aux2', 'script.movie_time'],
			log: { info: keep, warn: keep, error: keep },
			now: Date.now,
			timing: quickTiming,
		});
		home.onChange((change) => changes.push(change));
		home.start();
		await ready();
	});
	afterEach(async () => {
		await home.stop();
		await loopback.close();
	});

	const ready = () => eventually(() => home.status().phase === 'ready', 'ready');
	const turnOff = (patch: Partial<HomeCallRequest> = {}): HomeCallRequest => ({
		domain: 'light',
		service: 'turn_off',
		entityId: 'light.shelf',
		deadlineMs: 20_000,
		...patch,
	});

	test('H01 a hung call that acts: in doubt, done once, and its echo is still ours', async () => {
		await home.call({ ...turnOff({ entityId: 'light.corner' }) });
		loopback.control.fault({ kind: 'hang', entityId: 'light.shelf' });
		const seen = home.waitFor('light.shelf', ({ state }) => state === 'off', 20_000);
		expect(await home.call(turnOff({ deadlineMs: 300 }))).toEqual({ kind: 'in_doubt', reason: 'deadline' });
		expect((await seen)?.state).toBe('off');
		await eventually(() => changes.some(({ entityId }) => entityId === 'light.shelf'), 'change told');
		expect(changes.find(({ entityId }) => entityId === 'light.shelf')?.own).toBe(true);
		expect(loopback.control.actions()).toMatchObject({ 'light.shelf': 1 });
	});

	test('H01 a hung call that never acts: in doubt, and the state stays', async () => {
		loopback.control.fault({ kind: 'hang', acts: false });
		expect(await home.call(turnOff({ deadlineMs: 200 }))).toEqual({ kind: 'in_doubt', reason: 'deadline' });
		expect(loopback.control.actions()).toEqual({});
		expect(loopback.control.calls()).toMatchObject([{ service: 'turn_off', outcome: 'hang', executed: [] }]);
	});

	test('OVR-24 a socket dropped instead of the answer: in doubt, never sent again', async () => {
		loopback.control.fault({ kind: 'drop' });
		expect(await home.call(turnOff())).toEqual({ kind: 'in_doubt', reason: 'lost' });
		await eventually(
			() => home.status().phase === 'ready' && loopback.control.world().clients === 1,
			'connected again',
		);
		expect(loopback.control.calls()).toHaveLength(1);
		expect(loopback.control.actions()).toEqual({ 'light.shelf': 1 });
		expect(home.states().get('light.shelf')?.state).toBe('off');
	});

	test('H05 success that does nothing is told as success only, with no change', async () => {
		loopback.control.fault({ kind: 'no_effect' });
		expect(await home.call(turnOff())).toMatchObject({ kind: 'ok' });
		expect(await home.waitFor('light.shelf', ({ state }) => state === 'off', 200)).toBeUndefined();
	});

	test.each(['home_assistant_error', 'service_validation_error', 'unauthorized', 'timeout', 'unknown_error'])(
		'H04 a refusal with code %s is told with it',
		async (code) => {
			loopback.control.fault({ kind: 'reject', code, message: 'no' });
			expect(await home.call(turnOff())).toEqual({ kind: 'rejected', code, message: 'no' });
		},
	);

	test('H01 an abort before sending sends nothing; an abort while waiting is in doubt', async () => {
		expect(await home.call(turnOff({ signal: AbortSignal.abort() }))).toEqual({ kind: 'unreachable' });
		expect(loopback.control.calls()).toEqual([]);
		loopback.control.fault({ kind: 'delay', delayMs: 5_000 });
		const abort = new AbortController();
		const call = home.call(turnOff({ signal: abort.signal }));
		await eventually(() => loopback.control.calls().length === 1, 'call received');
		abort.abort();
		expect(await call).toEqual({ kind: 'in_doubt', reason: 'deadline' });
	});

	test('OVR-3 what a script of ours changes is ours, and so is what an automation answers to it by parent', async () => {
		const request = { domain: 'script', service: 'turn_on', entityId: 'script.movie_time', deadlineMs: 20_000 };
		const answer = await home.call(request);
		const changed = (id: string) => changes.filter(({ entityId }) => entityId === id);
		await eventually(() => changed('light.corner').length > 0, 'lamp changed by the script');
		expect(changed('light.corner')[0]?.own).toBe(true);
		const contextId = answer.kind === 'ok' ? answer.contextId : '';
		loopback.control.set('switch.aux2', { state: 'on' }, contextId);
		await eventually(
			() => changed('switch.aux2').some(({ after }) => after?.state === 'on'),
			'lamp changed by an automation',
		);
		expect(changed('switch.aux2').at(-1)).toMatchObject({ own: true, after: { contextParentId: contextId } });
	});

	test('OVR-3 a report that repeats itself is told to nobody', async () => {
		loopback.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
		loopback.control.act({ domain: 'light', service: 'turn_off', entityId: 'light.shelf' });
		await eventually(() => changes.length === 1, 'one change');
		loopback.control.act({ domain: 'light', service: 'turn_off', entityId: 'light.shelf' });
		loopback.control.act({ domain: 'switch', service: 'toggle', entityId: 'switch.aux2' });
		await eventually(() => changes.some(({ entityId }) => entityId === 'switch.aux2'), 'later change');
		expect(changes.map(({ entityId }) => entityId)).toEqual(['light.shelf', 'switch.aux2']);
	});

	test('OVR-3 a restart after which everything is as before is no change of any entity', async () => {
		const before = home.states().get('light.shelf');
		await loopback.control.restart({ downMs: 100, loadMs: 200 });
		await ready();
		await eventually(() => home.states().get('light.shelf')?.contextId !== before?.contextId, 'new report');
		expect(changes).toEqual([]);
	});

	test('H02 a token given as a function is asked again on retryNow', async () => {
		loopback.control.setToken('another');
		loopback.control.closeSockets();
		await eventually(() => home.status().phase === 'auth_failed', 'auth failed');
		loopback.control.setToken(loopback.token);
		home.retryNow();
		await ready();
		expect(reports.join()).not.toContain(loopback.token);
	});

	test('an empty list of entities follows nothing, rather than everything', async () => {
		const none = createHomeAssistant({
			url: `${loopback.url}/`,
			token: loopback.token,
			entityIds: [],
			log: { info() {}, warn() {}, error() {} },
			now: Date.now,
			timing: quickTiming,
		});
		none.start();
		await eventually(() => none.status().phase === 'ready', 'ready');
		expect(none.states().size).toBe(0);
		expect(loopback.control.frames().filter(({ frame }) => frame['type'] === 'subscribe_entities')).toHaveLength(1);
		await none.stop();
		expect(none.status().phase).toBe('stopped');
	});

	test('a home that was stopped can be started again', async () => {
		await home.stop();
		home.start();
		await ready();
		expect(await home.call(turnOff())).toMatchObject({ kind: 'ok' });
	});
});
