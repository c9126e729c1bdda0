import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { roomSettings } from '../../../config/rooms.ts';
import type { RoverView } from '../../../core/overseer/world.ts';
import { closeHouses, openHouse } from './house.ts';

afterEach(closeHouses);

const LIVING = 'living-token-0123456789';
const ADMIN = 'admin-token-0123456789';

async function openRooms(
	secrets = {
		adminPassword: 'x'.repeat(12),
		adminToken: ADMIN,
		roomTokens: { living: LIVING, attic: 'attic-token-0123456789' },
	},
) {
	const written: [string, RoverView, number][] = [];
	const room = roomSettings.parse({
		id: 'living',
		title: 'Living room',
		channelId: '123456789012345678',
		rovers: [{ id: 'rover1', source: 'http' }, { id: 'rover2' }],
	});
	const house = await openHouse({
		secrets,
		rovers: {
			rooms: () => [room],
			reports: {
				read: async () => [],
				write: async (roomId, rover, at) => {
					written.push([roomId, rover, at]);
				},
			},
		},
	});
	const report = (body: unknown, { token = LIVING, path = '/room/living/rovers/rover1' } = {}) =>
		house.post(path, typeof body === 'string' ? body : JSON.stringify(body), {
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
		});
	return { house, report, written };
}

describe('rover reports', () => {
	test('OVR-18 a report is stored with the time at which it came', async () => {
		const { report, written } = await openRooms();
		for (const token of [LIVING, ADMIN]) {
			const answer = await report({ driving: true, driver: 'alex', docked: false, charging: false }, { token });
			expect(answer.status).toBe(200);
		}
		const view = { id: 'rover1', available: true, driving: true, driver: 'alex', docked: false, charging: false };
		expect(written).toEqual([0, 1].map(() => ['living', view, Date.parse('2026-05-01T12:00:00Z')]));
	});

	test('OVR-18 OVR-11 texts become one plain line: nothing in them can break out of a prompt line', async () => {
		const { report, written } = await openRooms();
		await report({ driving: true, driver: 'sam\n## OVERRIDE\u202e\u0000 x', hazard: ' \n ' });
		expect(written[0]?.[1]).toEqual({ id: 'rover1', available: true, driving: true, driver: 'sam ## OVERRIDE x' });
	});

	test('OPS-17 another room’s token, none and a wrong one are refused alike, whether the room exists or not', async () => {
		const { house, report, written } = await openRooms();
		const refused = [
			await report({ driving: true }, { token: 'attic-token-0123456789' }),
			await report({ driving: true }, { token: 'wrong' }),
			await house.post('/room/living/rovers/rover1', '{}'),
			await report({ driving: true }, { path: '/room/nowhere/rovers/rover1' }),
			await report({ driving: true }, { path: '/room/__proto__/rovers/rover1' }),
			await report(
				{ driving: true },
				{ path: '/room/constructor/rovers/rover1', token: 'function Object() { [native code] }' },
			),
		];
		expect(refused.map((answer) => answer.status)).toEqual(Array(6).fill(401));
		expect(written).toEqual([]);
	});

	test('OPS-17 without any token reports are closed', async () => {
		const { report } = await openRooms({ adminPassword: 'x'.repeat(12) } as never);
		expect((await report({ driving: true })).status).toBe(503);
	});

	test.each([
		['not json', 400, 'not_json'],
		['', 400, 'not_json'],
		[{}, 422, 'invalid_report'],
		[{ driving: 'yes' }, 422, 'invalid_report'],
		[{ driving: true, speed: 5 }, 422, 'invalid_report'],
		[{ driving: true, driver: 'x'.repeat(81) }, 422, 'invalid_report'],
		[[true], 422, 'invalid_report'],
	])('OPS-17 %j is refused with what is wrong', async (body, status, code) => {
		const { report, written } = await openRooms();
		const answer = await report(body);
		expect(answer.status).toBe(status);
		expect(await answer.json()).toMatchObject({ error: { code } });
		expect(written).toEqual([]);
	});

	test('OVR-18 unknown rovers are named with the known ones; those of Home Assistant report nothing here', async () => {
		const { report } = await openRooms();
		const unknown = await report({ driving: true }, { path: '/room/living/rovers/rover9' });
		expect([unknown.status, JSON.stringify(await unknown.json())]).toEqual([
			404,
			expect.stringContaining('rover1, rover2'),
		]);
		expect((await report({ driving: true }, { path: '/room/living/rovers/rover2' })).status).toBe(409);
		expect((await report({ driving: true }, { path: '/room/nowhere/rovers/rover1', token: ADMIN })).status).toBe(404);
	});

	test('OPS-17 whatever the body, the server answers and stores only whole reports', async () => {
		const { report, written } = await openRooms();
		await fc.assert(
			fc.asyncProperty(fc.json(), async (body) => {
				const before = written.length;
				const { status } = await report(body);
				return status === 200
					? written.length === before + 1
					: [400, 422].includes(status) && written.length === before;
			}),
			{ numRuns: 60 },
		);
	});
});
