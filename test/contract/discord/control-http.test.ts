import type { Client } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../../demo/discord/server.ts';
import { connect } from './rig.ts';

describe('control API over HTTP', () => {
	let discord: LoopbackDiscord;
	let client: Client<true>;

	beforeAll(async () => {
		discord = await createLoopbackDiscord();
		client = await connect(discord);
		client.on('messageCreate', (message) => {
			if (!message.author.bot) void message.reply(`heard: ${message.content}`);
		});
	});
	afterAll(async () => {
		await client.destroy();
		await discord.close();
	});

	const post = async (name: string, body: unknown, headers: Record<string, string> = {}) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const response = await fetch(`${discord.url}/control/${name}`, { method: 'POST', headers, body: text });
		return { status: response.status, body: (await response.json()) as Record<string, never> };
	};

	test('a stranger speaks, waits for the answer and reads it, in plain HTTP', async () => {
		const sent = await post('message', { as: 'alex', channel: 'room', text: 'hello' });
		expect(sent.status).toBe(200);
		const query = new URLSearchParams({
			as: 'alex',
			channel: 'room',
			after: sent.body['id'] ?? '',
			author: 'majordomo',
		});
		const answer = await (await fetch(`${discord.url}/control/wait-message?${query}`)).json();
		expect(answer).toMatchObject({ text: 'heard: hello', replyTo: { id: sent.body['id'] }, author: { bot: true } });
		const requests = (await (await fetch(`${discord.url}/control/requests?limit=1`)).json()) as { route: string }[];
		expect(requests[0]?.route).toBe('POST /channels/:id/messages');
	});

	test('bad input is named, unknown things are 404, waits that run out are 408', async () => {
		expect(await post('message', '{')).toMatchObject({ status: 400, body: { error: 'invalid' } });
		const wrong = await post('message', { as: 1, channel: 'room' });
		expect(wrong.body['message']).toContain('as:');
		expect((await post('message', { as: 'nobody', channel: 'room', text: 'x' })).status).toBe(404);
		expect((await post('no-such-thing', {})).status).toBe(404);
		expect((await post('message', { as: 'casey', channel: 'admin', text: 'x' })).status).toBe(403);
		expect((await post('message', { as: 'sam', channel: 'room', text: '' })).body['message']).toContain('50006');
		expect((await post('wait-message', { channel: 'intake', timeoutMs: 50 })).status).toBe(408);
		expect((await post('messages', { matches: '(' })).status).toBe(400);
	});

	test('pages of other origins may not steer it', async () => {
		const refused = await post('reset', {}, { origin: 'http://evil.example' });
		expect(refused.status).toBe(403);
		expect((await post('faults', {}, { origin: discord.url })).status).toBe(200);
	});

	test('reset forgets messages, threads, faults and changed permissions', async () => {
		await post('message', { as: 'sam', channel: 'room', text: 'old' });
		await post('thread', { as: 'sam', channel: 'room', name: 'old thread' });
		await post('channel-permissions', { channel: 'room', target: 'casey', deny: ['ViewChannel'] });
		await post('member-roles', { who: 'sam', roles: ['Admin'] });
		await post('rest-fault', { kind: 'drop' });
		await post('reset', {});
		const state = await discord.control.state({ as: 'casey' });
		expect(state.channels.map((one) => one.name)).toEqual(['House', 'room', 'intake', 'fleet', 'Staff']);
		expect(state.people.find((one) => one.name === 'sam')?.roles).toEqual(['Resident']);
		expect(await discord.control.messages({})).toEqual([]);
		expect((await discord.control.faults({})).rest).toEqual([]);
	});

	test('unknown permissions and roles are refused by name', async () => {
		await expect(discord.control.rolePermissions({ role: 'Admin', permissions: ['Fly'] })).rejects.toThrow(/Fly/);
		await expect(discord.control.memberRoles({ who: 'sam', roles: ['King'] })).rejects.toThrow(/King/);
	});
});
