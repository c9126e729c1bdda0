import { Hono } from 'hono';
import { z } from 'zod';
import type { RoverView } from '../../core/overseer/world.ts';
import type { HttpEnv } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { fail } from './http-failure.ts';
import { bearerToken, isAnySecret } from './secret-compare.ts';

/** One line of a person's or device's words: no control or direction characters, bounded. */
const line = (max: number) =>
	z
		.string()
		.max(max)
		.transform((text) => text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim())
		.transform((text) => (text === '' ? undefined : text));

/** What a rover says of itself. Absent = not known. */
export const roverReport = z.strictObject({
	driving: z.boolean().describe('Somebody drives it now.'),
	driver: line(80).optional().describe('Who drives it, as people know them.'),
	docked: z.boolean().optional().describe('It stands in its dock.'),
	charging: z.boolean().optional().describe('It charges.'),
	hazard: line(120).optional().describe('What endangers it, such as stuck or tilted.'),
});

/** `POST /room/<room>/rovers/<rover>`: a rover that is configured with source http reports itself. */
export function createRoverReports(deps: HttpDeps): Hono<HttpEnv> {
	const routes = new Hono<HttpEnv>();
	const { rovers, secrets, metrics, clock } = deps;
	routes.post('/room/:room/rovers/:rover', async (c) => {
		const { room: roomId, rover: roverId } = c.req.param();
		const tokens = Object.entries(secrets.roomTokens ?? {}).filter(([room]) => room === roomId);
		const wanted = [secrets.adminToken, ...tokens.map(([, token]) => token)];
		if (!wanted.some(Boolean))
			return fail(
				c,
				503,
				'no_token_set',
				'Rover reports are closed: no token is set.',
				'Set ROOM_TOKENS or ADMIN_TOKEN.',
			);
		if (!isAnySecret(bearerToken(c.req.header('authorization')), wanted)) {
			metrics.count('http_refused_total', { reason: 'rover_token' });
			c.header('WWW-Authenticate', 'Bearer');
			return fail(
				c,
				401,
				'token_needed',
				'This needs the token of the room.',
				'Send "Authorization: Bearer …" with it.',
			);
		}
		if (!rovers) return fail(c, 404, 'no_rooms', 'This process keeps no rooms.');
		const room = rovers.rooms().find((item) => item.id === roomId);
		if (!room) return fail(c, 404, 'unknown_room', `There is no room "${roomId}".`);
		const rover = room.rovers.find((item) => item.id === roverId);
		if (!rover) {
			const known = room.rovers.map((item) => item.id).join(', ') || 'none';
			return fail(c, 404, 'unknown_rover', `The room has no rover "${roverId}".`, `Its rovers: ${known}.`);
		}
		if (rover.source !== 'http')
			return fail(
				c,
				409,
				'rover_by_entities',
				'This rover is read from Home Assistant.',
				'Set its source: http to report it here.',
			);
		const body: unknown = await c.req.json().catch(() => undefined);
		if (body === undefined) return fail(c, 400, 'not_json', 'The body is not JSON.', 'Send {"driving": true}.');
		const parsed = roverReport.safeParse(body);
		if (!parsed.success) {
			const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
			return fail(c, 422, 'invalid_report', problems.join('; '), 'See /openapi.json.');
		}
		const view: RoverView = { id: rover.id, available: true, ...parsed.data };
		await rovers.reports.write(room.id, view, clock.now());
		return c.json({ accepted: true, room: room.id, rover: rover.id });
	});
	return routes;
}
