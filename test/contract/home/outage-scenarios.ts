import { expect, test } from 'vitest';
import { eventually, openConnectedHome } from './connected-home.ts';
import { request, type Scenario, stateDeadlineMs } from './scenario.ts';

/** Lines that break, calls that hang, restarts, refused tokens. */
export function describeOutages({ rig, open }: Scenario): void {
	test('H01 a call that is never answered is in doubt at its deadline', async () => {
		const { home } = await open();
		const { slowScript } = rig().entities;
		await rig().armSlowScript();
		const service = slowScript.slice(slowScript.indexOf('.') + 1);
		const result = await home.call({ ...request(slowScript, service), deadlineMs: 700 });
		expect(result).toEqual({ kind: 'in_doubt', reason: 'deadline' });
		expect(home.status().connected).toBe(true);
	});

	test('H01 a call whose line is cut before the answer is in doubt, and the state tells later', async () => {
		const { home, line, reach } = await open({ pingEveryMs: 60_000 });
		const { light } = rig().entities;
		const wanted = home.states().get(light)?.state === 'on' ? 'off' : 'on';
		line.setDeaf(true);
		const call = home.call(request(light, `turn_${wanted}`));
		await eventually(async () => (await rig().state(light))?.state === wanted, 'the light obeys');
		line.cut();
		expect(await call).toEqual({ kind: 'in_doubt', reason: 'lost' });
		line.setDeaf(false);
		await reach('ready');
		expect(home.states().get(light)?.state).toBe(wanted);
	});

	test('H01 without a connection a call is certain not to have been sent', async () => {
		const { home, line, reach } = await open({ firstRetryMs: 60_000 });
		line.cut();
		await reach('lost');
		expect(home.status()).toMatchObject({ connected: false, lastError: { code: 'connection_lost' } });
		expect(await home.call(request(rig().entities.light, 'turn_on'))).toEqual({ kind: 'unreachable' });
		await home.stop();
		expect(await home.call(request(rig().entities.light, 'turn_on'))).toEqual({ kind: 'unreachable' });
	});

	test('H01 a half-open line is noticed by the ping and replaced', async () => {
		const { home, line, reach } = await open({ connectTimeoutMs: 1_500 });
		line.setSilent(true);
		const inFlight = home.call(request(rig().entities.light, 'turn_on'));
		await reach('lost');
		expect(await inFlight).toEqual({ kind: 'in_doubt', reason: 'lost' });
		line.setSilent(false);
		await reach('ready');
		expect(await home.call(request(rig().entities.light, 'turn_on'))).toMatchObject({ kind: 'ok' });
	});

	test('OVR-19 states are read anew after a loss: changes and disappearances while away are told', async () => {
		const { home, line, changes, reach } = await open({ firstRetryMs: 3_000 });
		const { renamed } = rig().entities;
		const id = rig().entities.switch;
		const wanted = home.states().get(id)?.state === 'on' ? 'off' : 'on';
		line.cut();
		await reach('lost');
		await rig().act('switch', `turn_${wanted}`, id);
		await rig().rename(renamed, `${renamed}_away`);
		await reach('ready');
		await eventually(() => changes.some(({ entityId, after }) => entityId === renamed && !after), 'removal told');
		expect(home.states().has(renamed)).toBe(false);
		expect(home.states().get(id)?.state).toBe(wanted);
		expect(changes.find(({ entityId }) => entityId === id)).toMatchObject({ own: false, after: { state: wanted } });
		await rig().rename(`${renamed}_away`, renamed);
		await eventually(() => home.states().has(renamed), 'renamed back');
	});

	test('H01 waits end undefined at their deadline, on abort and on stop', async () => {
		const { home } = await open();
		const { light } = rig().entities;
		const never = () => false;
		const abort = new AbortController();
		const aborted = home.waitFor(light, never, stateDeadlineMs, abort.signal);
		const stopped = home.waitFor(light, never, stateDeadlineMs);
		expect(await home.waitFor(light, never, 30)).toBeUndefined();
		abort.abort();
		expect(await aborted).toBeUndefined();
		await home.stop();
		expect(await stopped).toBeUndefined();
	});

	test('OPS-15 a restart of Home Assistant is survived: nothing is ready before its entities are', async () => {
		const { home, changes, phases, reach } = await open();
		const { light } = rig().entities;
		const restarted = rig().restart();
		await reach('lost');
		await restarted;
		await reach('ready');
		expect(phases).toEqual(['connecting', 'ready', 'lost', 'ready']);
		expect(home.states().has(light)).toBe(true);
		expect(changes.filter(({ entityId, after }) => entityId === light && !after)).toEqual([]);
		const wanted = home.states().get(light)?.state === 'on' ? 'off' : 'on';
		const seen = home.waitFor(light, ({ state }) => state === wanted, stateDeadlineMs);
		expect(await home.call(request(light, `turn_${wanted}`))).toMatchObject({ kind: 'ok' });
		expect((await seen)?.state).toBe(wanted);
	}, 180_000);

	test('H02 a wrong token is told once, tried a few times, and a new one is taken without a restart', async () => {
		const wrong = await openConnectedHome({ ...rig(), token: 'not-the-token' });
		try {
			wrong.home.start();
			await wrong.reach('auth_failed');
			await eventually(() => wrong.line.connections() >= 3, 'three tries');
			await new Promise((resolve) => setTimeout(resolve, 1_500));
			expect(wrong.line.connections()).toBe(3);
			expect(wrong.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
			expect(await wrong.home.call(request(rig().entities.light, 'turn_on'))).toEqual({ kind: 'unreachable' });
			wrong.home.setToken(rig().token);
			await wrong.reach('ready');
			expect(JSON.stringify([wrong.logged, wrong.home.status()])).not.toMatch(/not-the-token/);
		} finally {
			await wrong.close();
		}
	});

	test('H02 a token revoked while running ends in auth_failed, and a new token brings the house back', async () => {
		const { home, phases, logged, reach } = await open();
		await rig().revokeToken();
		await reach('auth_failed');
		expect(home.status()).toMatchObject({ connected: false, lastError: { code: 'invalid_auth' } });
		expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
		home.setToken(await rig().newToken());
		await reach('ready');
		expect(phases.at(-1)).toBe('ready');
		expect(await home.call(request(rig().entities.light, 'turn_on'))).toMatchObject({ kind: 'ok' });
	}, 120_000);
}
