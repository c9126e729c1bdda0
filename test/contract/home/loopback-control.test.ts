import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLoopbackHome, type LoopbackHome } from '../../../demo/home/loopback-home.ts';
import { eventually } from './connected-home.ts';

type Json = Readonly<Record<string, unknown>>;

let loopback: LoopbackHome;
let sockets: WebSocket[];

beforeEach(async () => {
	loopback = await createLoopbackHome({ tickMs: 0 });
	sockets = [];
});
afterEach(async () => {
	for (const socket of sockets) socket.terminate();
	await loopback.close();
});

async function control(action: string, body: unknown): Promise<{ status: number; body: Json }> {
	const headers = { 'content-type': 'application/json' };
	const response = await fetch(`${loopback.url}/control/${action}`, {
		method: 'POST',
		headers,
		body: JSON.stringify(body),
	});
	return { status: response.status, body: (await response.json()) as Json };
}

const view = async (name: string) => (await fetch(`${loopback.url}/control/${name}`)).json() as Promise<Json>;
const rest = (path: string, token = loopback.token) =>
	fetch(loopback.url + path, { headers: { authorization: `Bearer ${token}` } });

/** A bare client: everything it got, in order. */
async function login(token = loopback.token): Promise<{ socket: WebSocket; got: Json[] }> {
	const socket = new WebSocket(`${loopback.url.replace('http', 'ws')}/api/websocket`);
	const got: Json[] = [];
	sockets.push(socket);
	socket.on('error', () => undefined);
	socket.on('message', (raw) => got.push(...[JSON.parse(String(raw)) as Json | Json[]].flat()));
	await eventually(() => got.length === 1, 'auth_required');
	socket.send(JSON.stringify({ type: 'auth', access_token: token }));
	await eventually(() => got.length === 2, 'answer to the login');
	return { socket, got };
}

test('the control interface does over HTTP what its methods do', async () => {
	expect((await control('act', { domain: 'light', service: 'turn_off', entityId: 'light.shelf' })).body).toEqual({
		executed: ['light.shelf'],
	});
	expect((await (await rest('/api/states/light.shelf')).json()) as Json).toMatchObject({ state: 'off' });
	await control('poke', { kind: 'bump', rover: 'rover1' });
	await control('presence', { id: 'lift', presence: 'unavailable' });
	await control('presence', { id: 'light.bench', presence: 'removed' });
	await control('rename', { entityId: 'light.corner', to: 'light.nook' });
	await control('set', { entityId: 'sensor.extra', state: '5', attributes: { unit_of_measurement: 'W' } });
	const { entities } = (await view('world')) as { entities: Record<string, Json> };
	expect(entities['binary_sensor.rover1_hazard']).toMatchObject({ state: 'on' });
	expect([entities['cover.lift']?.['state'], entities['switch.lift_up']?.['state']]).toEqual([
		'unavailable',
		'unavailable',
	]);
	expect(Object.keys(entities)).toEqual(expect.arrayContaining(['light.nook', 'sensor.extra']));
	expect(Object.keys(entities)).not.toEqual(expect.arrayContaining(['light.bench']));
	expect(Object.keys(entities)).not.toEqual(expect.arrayContaining(['light.corner']));
	await control('reset', {});
	const after = ((await view('world')) as { entities: Record<string, Json> }).entities;
	expect(Object.keys(after)).toEqual(expect.arrayContaining(['light.bench', 'light.corner']));
	expect(Object.keys(after)).not.toEqual(expect.arrayContaining(['light.nook']));
	expect(after).not.toHaveProperty('sensor.extra');
	expect(after['cover.lift']).toMatchObject({ state: 'closed' });
});

test('simulated time passes only when told to, if so chosen', async () => {
	await control('act', { domain: 'cover', service: 'open_cover', entityId: 'cover.lift' });
	await control('advance', { ms: 60_000 });
	expect(((await view('world')) as { entities: Record<string, Json> }).entities['cover.lift']).toMatchObject({
		state: 'open',
	});
});

test.each([
	['poke', { kind: 'explode' }],
	['poke', { kind: 'drive', rover: 'rover9' }],
	['presence', { id: 'lift', presence: 'asleep' }],
	['set', { entityId: 'no domain' }],
	['fault', { kind: 'hang', times: 0 }],
	['advance', { ms: -5 }],
	['reset', { extra: 1 }],
	['act', null],
])('a wrong request to %s is refused with the fields that are wrong', async (action, body) => {
	const answer = await control(action, body);
	expect(answer.status).toBe(400);
	expect(answer.body['problems']).not.toEqual([]);
});

test('unknown requests, other content types and broken JSON are refused', async () => {
	expect((await control('nothing', {})).status).toBe(404);
	expect((await control('constructor', {})).status).toBe(404);
	const url = `${loopback.url}/control/reset`;
	expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(415);
	const headers = { 'content-type': 'application/json' };
	expect((await fetch(url, { method: 'POST', headers, body: '{' })).status).toBe(400);
	expect((await fetch(`${loopback.url}/page/../house.ts`)).status).toBe(404);
});

test('the REST interface needs the token', async () => {
	expect((await rest('/api/', 'wrong')).status).toBe(401);
	expect(await (await rest('/api/')).json()).toEqual({ message: 'API running.' });
	expect((await rest('/api/states/light.never')).status).toBe(404);
});

test('the protocol refuses what Home Assistant refuses, with its codes', async () => {
	const { socket, got } = await login();
	let id = 0;
	const ask = async (message: Json) => {
		id += 1;
		const mine = id;
		socket.send(JSON.stringify({ id: mine, ...message }));
		await eventually(() => got.some((answer) => answer['id'] === mine), 'answer');
		const answer = got.find((one) => one['id'] === mine) ?? {};
		return ((answer['error'] as Json | undefined)?.['code'] ?? answer['success'] ?? answer['type']) as unknown;
	};
	const call = (service: string, data: Json, target: Json = { entity_id: 'light.shelf' }) =>
		ask({ type: 'call_service', domain: 'light', service, service_data: data, target });
	expect(await ask({ type: 'ping' })).toBe('pong');
	expect(await ask({ type: 'no_such_thing' })).toBe('unknown_command');
	expect(await call('turn_unavailable', {})).toBe('not_found');
	expect(await call('turn_on', { color: 'warm' })).toBe('invalid_format');
	expect(await call('turn_on', { brightness: 300 })).toBe('invalid_format');
	expect(await call('turn_on', { rgb_color: [1, 2, 3], color_name: 'red' })).toBe('invalid_format');
	expect(await call('turn_on', {}, {})).toBe('invalid_format');
	expect(await call('turn_on', {}, { entity_id: 'shelf lamp' })).toBe('invalid_format');
	expect(await call('turn_on', {}, { entity_id: '{{ states.light }}' })).toBe('invalid_format');
	expect(await call('turn_on', {}, { entity_id: 'light.never' })).toBe(true);
	expect(
		await ask({ type: 'call_service', domain: 'vacuum', service: 'clean_spot', target: { entity_id: 'vacuum.neato' } }),
	).toBe('service_validation_error');
	expect(await ask({ type: 'unsubscribe_events', subscription: 99 })).toBe('not_found');
	socket.send(JSON.stringify({ id: 1, type: 'ping' }));
	await eventually(
		() => got.some((one) => (one['error'] as Json | undefined)?.['code'] === 'id_reuse'),
		'id reuse refused',
	);
	expect((await view('actions')) as Json).toEqual({});
});

test('every frame and call is kept for reading, the token is not', async () => {
	const { socket, got } = await login();
	socket.send(
		JSON.stringify({
			id: 1,
			type: 'call_service',
			domain: 'light',
			service: 'turn_off',
			target: { entity_id: ['light.shelf', 'light.never'] },
		}),
	);
	await eventually(() => got.length === 3, 'answer');
	expect(loopback.control.frames().map(({ frame }) => frame['type'])).toEqual(['auth', 'call_service']);
	expect(JSON.stringify(loopback.control.frames())).not.toContain(loopback.token);
	expect(loopback.control.calls()).toMatchObject([
		{ entityIds: ['light.shelf', 'light.never'], executed: ['light.shelf'], outcome: 'ok' },
	]);
	expect(loopback.control.actions()).toEqual({ 'light.shelf': 1 });
});

test('a wrong token is refused and the socket closed', async () => {
	const { socket, got } = await login('wrong');
	expect(got[1]).toMatchObject({ type: 'auth_invalid' });
	await eventually(() => socket.readyState === socket.CLOSED, 'closed');
});

test('messages of one turn come as one array only to a client that asked for it', async () => {
	const { socket, got } = await login();
	const arrays: number[] = [];
	socket.on('message', (raw) => {
		const message: unknown = JSON.parse(String(raw));
		if (Array.isArray(message)) arrays.push(message.length);
	});
	socket.send(JSON.stringify({ id: 1, type: 'subscribe_entities', entity_ids: ['light.shelf'] }));
	await eventually(() => got.length === 4, 'result and first states');
	expect(arrays).toEqual([]);
	socket.send(JSON.stringify({ id: 2, type: 'supported_features', features: { coalesce_messages: 1 } }));
	await eventually(() => got.length === 5, 'result');
	socket.send(JSON.stringify({ id: 3, type: 'subscribe_events', event_type: 'state_changed' }));
	await eventually(() => got.length === 6, 'result');
	loopback.control.act({ domain: 'light', service: 'turn_off', entityId: 'light.shelf' });
	await eventually(() => got.length === 8, 'both events');
	expect(arrays).toEqual([2]);
	expect(got.slice(6).map(({ id }) => id)).toEqual([1, 3]);
});
