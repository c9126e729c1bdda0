import { DiscordAPIError, HTTPError } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { toDiscordFailure } from '../../../bot/discord-failure.ts';

const api = (status: number, code: number) =>
	new DiscordAPIError({ code, message: 'x' }, code, status, 'POST', 'http://x', { files: undefined, body: undefined });

describe('toDiscordFailure', () => {
	test.each([
		[404, 10_003, 'gone'],
		[404, 10_008, 'gone'],
		[403, 50_013, 'forbidden'],
		[403, 50_001, 'forbidden'],
		[400, 50_083, 'locked'],
		[403, 160_005, 'locked'],
		[404, 10_062, 'interaction_late'],
		[400, 40_060, 'interaction_taken'],
		[401, 50_027, 'interaction_expired'],
		[400, 50_035, 'invalid'],
		[400, 200_000, 'blocked'],
	])('D08 D10 %i with code %i is permanent: %s', (status, code, reason) => {
		expect(toDiscordFailure(api(status, code))).toEqual({ isPermanent: true, code, reason });
	});

	test.each([
		[api(500, 0), 'network'],
		[api(429, 0), 'network'],
		[api(401, 0), 'token'],
		[new HTTPError(503, 'busy', 'POST', 'http://x', { files: undefined, body: undefined }), 'network'],
		[new TypeError('fetch failed'), 'network'],
		['odd', 'network'],
	])('D08 %s may pass', (error, reason) => {
		expect(toDiscordFailure(error)).toMatchObject({ isPermanent: false, reason });
	});
});
