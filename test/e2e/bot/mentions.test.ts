import { afterEach, expect, test } from 'vitest';
import { type BotHouse, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
afterEach(() => house.close());

test('D03 OPS-12 OVR-14 no path out of here pings anybody, whatever the text says', async () => {
	house = await createBotHouse({
		permissions: [
			'ViewChannel',
			'SendMessages',
			'ReadMessageHistory',
			'EmbedLinks',
			'AttachFiles',
			'MentionEveryone',
			'UseExternalEmojis',
		],
	});
	const { people, roles } = house.discord;
	const loud = `@everyone and @here: <@&${roles['Resident']}> should look, also <@${people['sam']}>.`;
	house.change({
		overseer: { ...house.settings().overseer, name: 'Everyone' },
		rooms: house.settings().rooms.map((room) => ({ ...room, title: loud.slice(0, 80) })),
	});
	await house.status.write('lab', house.status0({ lastTrigger: { at: 1, trigger: 'direct_address', note: loud } }));
	await house.memory.write('lab', 1, loud);
	await house.newBot().start();
	const asked = await house.control.message({ as: 'alex', channel: 'room', text: 'overseer?' });
	await house.bus.publish(house.botLine('m1', loud));
	await house.bus.publish(house.botLine('m2', loud, { replyTo: { id: asked.id, toBot: false } }));
	await house.bus.publish(house.botLine('m3', `${loud}\n`.repeat(60)));
	await eventually(async () => (await house.posted()).length >= 4);
	const run = (command: string, options = {}) =>
		house.control.command({ as: 'alex', channel: 'room', command, options, until: 'complete', timeoutMs: 10_000 });
	for (const command of ['overseer memory', 'overseer status', 'overseer panel', 'overseer why', 'room state', 'help'])
		await run(command);
	await run('overseer stage', { value: 'chat' });
	await house.control.restFault({
		kind: 'error',
		method: 'PATCH',
		path: '/webhooks/**',
		status: 401,
		code: 50_027,
		times: 1,
	});
	await house.control.command({ as: 'alex', channel: 'room', command: 'overseer memory' });
	await house.control.waitMessage({ channel: 'room', contains: 'took too long', after: '0' });
	await house.status.write('lab', house.status0({ lastTrigger: { at: 2, trigger: 'challenge', note: loud } }));
	await eventually(
		async () => (await house.control.requests({ route: 'PATCH /channels/:id/messages/:id' })).length > 0,
	);

	const all = await house.control.requests({});
	const speaking = all.filter(({ body }) => {
		const { content, embeds } = (body ?? {}) as { content?: string; embeds?: unknown[] };
		return (content ?? '') !== '' || (embeds ?? []).length > 0;
	});
	const routes = new Set(speaking.map((request) => request.route));
	expect([...routes].some((route) => route.startsWith('POST /channels'))).toBe(true);
	expect([...routes].some((route) => route.startsWith('PATCH /channels'))).toBe(true);
	expect([...routes].some((route) => route.startsWith('PATCH /webhooks'))).toBe(true);
	for (const request of speaking) {
		expect(request.body, request.route).toMatchObject({ allowed_mentions: { parse: [], replied_user: false } });
		expect((request.body as { allowed_mentions: object }).allowed_mentions).not.toHaveProperty('users');
	}
	for (const message of await house.control.messages({ author: 'Majordomo', limit: 500 }))
		expect(message.pings).toEqual([]);
});
