import type { Client, TextChannel } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../../demo/discord/server.ts';
import { codeOf, connect } from './rig.ts';

describe('trouble on request', () => {
	let discord: LoopbackDiscord;
	let client: Client<true>;
	let room: TextChannel;
	let waits: { timeToReset: number; retryAfter: number; global: boolean }[] = [];

	beforeAll(async () => {
		discord = await createLoopbackDiscord();
		client = await connect(discord, { timeoutMs: 1000, retries: 1 });
		room = client.channels.cache.get(discord.channels['room'] ?? '') as TextChannel;
		client.rest.on('rateLimited', (info) => waits.push(info));
	});
	beforeEach(async () => {
		await discord.control.reset({});
		await discord.control.rateLimits({ mode: 'relaxed' });
		waits = [];
	});
	afterAll(async () => {
		await client.destroy();
		await discord.close();
	});

	const path = '/channels/*/messages';
	const sends = async () => discord.control.requests({ route: 'POST /channels/:id/messages' });

	test('a 429 with headers is waited for once and then succeeds', async () => {
		await discord.control.restFault({ method: 'post', path, kind: 'rate-limit', times: 1, retryAfterMs: 250 });
		expect((await room.send('patient')).content).toBe('patient');
		expect((await sends()).map((one) => one.status)).toEqual([429, 200]);
		expect(waits[0]?.retryAfter).toBeGreaterThanOrEqual(250);
	});

	test('a global 429 says so', async () => {
		await discord.control.restFault({ path, kind: 'rate-limit', times: 1, retryAfterMs: 100, global: true });
		await room.send('all wait');
		expect(waits[0]?.global).toBe(true);
	});

	test('Discord’s own pace: the sixth message in five seconds has to wait, with headers that let the client know', async () => {
		await discord.control.rateLimits({ mode: 'discord' });
		const url = `${discord.restUrl}/v10/channels/${room.id}/messages`;
		const headers = { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' };
		const send = () => fetch(url, { method: 'POST', headers, body: '{"content":"quick"}' });
		const answers: Response[] = [];
		for (let at = 0; at < 6; at += 1) answers.push(await send());
		expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200, 200, 429]);
		expect(answers.map((one) => one.headers.get('x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0']);
		const refused = answers[5] as Response;
		const body = (await refused.json()) as { retry_after: number; global: boolean };
		expect(Number(refused.headers.get('retry-after'))).toBeCloseTo(body.retry_after, 2);
		expect(refused.headers.get('x-ratelimit-bucket')).toBe(answers[0]?.headers.get('x-ratelimit-bucket'));
		await discord.control.clock({ advanceMs: 5000 });
		expect((await send()).status).toBe(200);
	});

	test('server errors are retried by the client and then surface', async () => {
		await discord.control.restFault({ method: 'POST', path, kind: 'error', status: 503, times: 1 });
		expect((await room.send('second try')).content).toBe('second try');
		await discord.control.restFault({ method: 'POST', path, kind: 'error', status: 500 });
		await expect(room.send('never')).rejects.toMatchObject({ status: 500 });
	});

	test('a chosen refusal reaches the bot with its code', async () => {
		await discord.control.restFault({
			path,
			kind: 'error',
			status: 403,
			code: 50013,
			message: 'Missing Permissions',
			times: 1,
		});
		expect(await codeOf(room.send('no'))).toBe(50013);
		expect((await discord.control.requests({})).at(-1)).toMatchObject({ status: 403, code: 50013, bot: 'Majordomo' });
	});

	test('an answer that comes late or never is a timeout although the message was posted', async () => {
		await discord.control.restFault({ method: 'POST', path, kind: 'hang', times: 1, afterEffect: true });
		expect((await room.send({ content: 'twice?', nonce: 'n-1', enforceNonce: true })).content).toBe('twice?');
		expect(await discord.control.messages({ channel: 'room' })).toHaveLength(1);
	});

	test('a cut connection is an error of its own and the fault can be taken back', async () => {
		const fault = await discord.control.restFault({ method: 'POST', path, kind: 'drop' });
		await expect(room.send('lost')).rejects.toThrow();
		await discord.control.clearFaults({ id: fault.id });
		expect((await room.send('found')).content).toBe('found');
	});

	test('a wrong token is refused with 401', async () => {
		const answer = await fetch(`${discord.restUrl}/v10/users/@me`, { headers: { authorization: 'Bot nonsense' } });
		expect(answer.status).toBe(401);
		await expect(connect({ restUrl: discord.restUrl, token: 'nonsense' })).rejects.toMatchObject({
			code: 'TokenInvalid',
		});
	});

	test('bodies that are no JSON and routes that do not exist are refused as by Discord', async () => {
		const headers = { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' };
		const bad = await fetch(`${discord.restUrl}/v10/channels/${room.id}/messages`, {
			method: 'POST',
			headers,
			body: '{',
		});
		expect([bad.status, ((await bad.json()) as { code: number }).code]).toEqual([400, 50109]);
		expect((await fetch(`${discord.restUrl}/v10/nowhere`, { headers })).status).toBe(404);
	});
});
