import {
	type Client,
	type FetchMessagesOptions,
	type GuildMember,
	MessageFlags,
	MessageType,
	type TextChannel,
} from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultBotPermissions } from '../../../demo/discord/layout.ts';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../../demo/discord/server.ts';
import { codeOf, connect, eventually } from './rig.ts';

describe('messages of the loopback Discord', () => {
	let discord: LoopbackDiscord;
	let client: Client<true>;
	let room: TextChannel;

	beforeAll(async () => {
		discord = await createLoopbackDiscord();
		client = await connect(discord);
		room = client.channels.cache.get(discord.channels['room'] ?? '') as TextChannel;
	});
	beforeEach(async () => {
		await discord.control.reset({});
	});
	afterAll(async () => {
		await client.destroy();
		await discord.close();
	});

	const allowedTo = (...without: string[]) =>
		discord.control.rolePermissions({
			role: 'Majordomo',
			permissions: defaultBotPermissions.filter((one) => !without.includes(one)),
		});
	const deny = (...permissions: string[]) =>
		discord.control.channelPermissions({ channel: 'room', target: 'Majordomo', deny: permissions });

	test('2000 characters pass, 2001 do not, nothing at all does not either', async () => {
		expect((await room.send('x'.repeat(2000))).content).toHaveLength(2000);
		expect(await codeOf(room.send('x'.repeat(2001)))).toBe(50035);
		expect(await codeOf(room.send('   '))).toBe(50006);
		expect(await codeOf(room.send({ content: '' }))).toBe(50006);
	});

	test('embeds, components and custom ids beyond the limits are refused', async () => {
		expect(await codeOf(room.send({ embeds: [{ title: 'x'.repeat(257) }] }))).toBe(50035);
		const long = { description: 'x'.repeat(3100) };
		expect(await codeOf(room.send({ embeds: [long, long] }))).toBe(50035);
		const button = { type: 2, style: 1, label: 'a', custom_id: 'same' };
		expect(await codeOf(room.send({ components: [{ type: 1, components: [button, button] }] as never }))).toBe(50035);
		const six = Array.from({ length: 6 }, (_, at) => ({ ...button, custom_id: String(at) }));
		expect(await codeOf(room.send({ components: [{ type: 1, components: six }] as never }))).toBe(50035);
	});

	test('permissions missing in a channel are refused with 50013, a hidden channel with 50001', async () => {
		await deny('SendMessages');
		expect(await codeOf(room.send('hello'))).toBe(50013);
		await deny('EmbedLinks', 'AttachFiles');
		expect(await codeOf(room.send({ embeds: [{ title: 'x' }] }))).toBe(50013);
		expect(await codeOf(room.send({ files: [{ attachment: Buffer.from('x'), name: 'x.txt' }] }))).toBe(50013);
		await deny('ViewChannel');
		expect(await codeOf(room.send('hello'))).toBe(50001);
		await allowedTo('PinMessages');
		await deny();
		const sent = await room.send('pin me');
		expect(await codeOf(sent.pin())).toBe(50013);
		expect(await codeOf((await room.guild.members.fetch(discord.people['sam'] ?? '')).ban())).toBe(50013);
	});

	test('mentions obey allowed_mentions, in the payload and in who is pinged', async () => {
		const sam = discord.people['sam'];
		const open = await room.send(`hello <@${sam}>`);
		expect([...open.mentions.users.keys()]).toEqual([sam]);
		const closed = await room.send({ content: `hello <@${sam}>`, allowedMentions: { parse: [] } });
		expect(closed.mentions.users.size).toBe(0);
		const seen = await discord.control.messages({ as: 'sam', channel: 'room' });
		expect(seen.map((one) => one.pings)).toEqual([['sam'], []]);
		expect((await room.send('@everyone')).mentions.everyone).toBe(false);
		const both = { parse: ['users'] as const, users: [sam ?? ''] };
		expect(await codeOf(room.send({ content: 'x', allowedMentions: { ...both, parse: ['users'] } }))).toBe(50035);
	});

	test('a reply is of type 19 with the message it answers, and pings its author unless told not to', async () => {
		const asked = await discord.control.message({ as: 'alex', channel: 'room', text: 'where?' });
		const target = await room.messages.fetch(asked.id);
		const reply = await target.reply('there');
		expect(reply.type).toBe(MessageType.Reply);
		expect((await reply.fetchReference()).content).toBe('where?');
		expect((await discord.control.messageById({ message: reply.id })).pings).toEqual(['alex']);
		const quiet = await target.reply({ content: 'there', allowedMentions: { repliedUser: false } });
		expect((await discord.control.messageById({ message: quiet.id })).pings).toEqual([]);
		await target.delete().catch(() => {});
		await discord.control.delete({ as: 'alex', message: asked.id });
		const lost = { messageReference: asked.id, failIfNotExists: true };
		expect(await codeOf(room.send({ content: 'x', reply: lost }))).toBe(50035);
		expect((await room.send({ content: 'x', reply: { ...lost, failIfNotExists: false } })).type).toBe(
			MessageType.Default,
		);
	});

	test('the same nonce, enforced, makes one message', async () => {
		const wish = { content: 'only once', nonce: 'claim-1', enforceNonce: true };
		const first = await room.send(wish);
		const second = await room.send(wish);
		expect(second.id).toBe(first.id);
		expect(await discord.control.messages({ channel: 'room' })).toHaveLength(1);
	});

	test('files go up with a message and come down unchanged, as downloads', async () => {
		const bytes = Buffer.from('## spec <script>alert(1)</script>');
		const sent = await room.send({ files: [{ attachment: bytes, name: 'spec.html', description: 'the spec' }] });
		const file = sent.attachments.first();
		expect(file?.description).toBe('the spec');
		const response = await fetch(file?.url ?? '');
		expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
		expect(response.headers.get('content-disposition')).toContain('attachment');
		const given = await discord.control.message({
			as: 'sam',
			channel: 'room',
			attachments: [{ name: 'note.txt', text: 'from sam' }],
		});
		const received = await room.messages.fetch(given.id);
		expect(await (await fetch(received.attachments.first()?.url ?? '')).text()).toBe('from sam');
	});

	test('history is paged by before, after and around', async () => {
		const ids: string[] = [];
		for (const text of ['a', 'b', 'c', 'd', 'e']) ids.push((await room.send(text)).id);
		const letters = async (query: FetchMessagesOptions) =>
			(await room.messages.fetch({ ...query, cache: false })).map((one) => one.content).join('');
		expect(await letters({ limit: 2 })).toBe('ed');
		expect(await letters({ limit: 2, before: ids[2] })).toBe('ba');
		expect(await letters({ limit: 2, after: ids[1] })).toBe('dc');
		expect(await letters({ limit: 3, around: ids[2] })).toBe('dcb');
	});

	test('only the author edits; others need permission to delete', async () => {
		const said = await discord.control.message({ as: 'sam', channel: 'room', text: 'mine' });
		const message = await room.messages.fetch(said.id);
		expect(
			await codeOf(client.rest.patch(`/channels/${room.id}/messages/${said.id}`, { body: { content: 'x' } })),
		).toBe(50005);
		expect(await codeOf(message.delete())).toBe(50013);
	});

	test('typing is shown until the one who types has spoken', async () => {
		const seen = discord.control.waitTyping({ as: 'sam', channel: 'room', who: 'Majordomo' });
		await room.sendTyping();
		await seen;
		await room.send('done');
		expect((await discord.control.state({ as: 'sam' })).typing).toEqual({});
	});

	test('pins, reactions of people and their removal reach the bot', async () => {
		const sent = await room.send('note this');
		await sent.pin();
		const pins = await room.messages.fetchPins();
		expect(pins.items.map((one) => one.message.id)).toEqual([sent.id]);
		const added = new Promise<string>((resolve) => client.once('messageReactionAdd', (_, user) => resolve(user.id)));
		await discord.control.react({ as: 'sam', message: sent.id, emoji: '🎉' });
		expect(await added).toBe(discord.people['sam']);
		const removed = new Promise<string>((resolve) =>
			client.once('messageReactionRemove', (_, user) => resolve(user.id)),
		);
		await discord.control.react({ as: 'sam', message: sent.id, emoji: '🎉', remove: true });
		expect(await removed).toBe(discord.people['sam']);
		expect(await codeOf(sent.react('not-an-emoji'))).toBe(10014);
	});

	test('components of the second generation exclude plain content', async () => {
		const components = [{ type: 17, components: [{ type: 10, content: '## Panel' }] }] as never;
		const sent = await room.send({ components, flags: MessageFlags.IsComponentsV2 });
		expect((await discord.control.messageById({ message: sent.id })).allText).toBe('## Panel');
		const mixed = { content: 'x', components, flags: MessageFlags.IsComponentsV2 } as const;
		expect(await codeOf(room.send(mixed))).toBe(50035);
	});

	test('a direct message goes both ways', async () => {
		const member: GuildMember = await room.guild.members.fetch(discord.people['casey'] ?? '');
		await member.send('a word in private');
		const [seen] = await discord.control.messages({ as: 'casey', channel: 'dm:Majordomo' });
		expect(seen?.text).toBe('a word in private');
		const heard = new Promise<string>((resolve) => client.once('messageCreate', (one) => resolve(one.content)));
		await discord.control.message({ as: 'casey', channel: 'dm:Majordomo', text: 'and back' });
		expect(await eventually('the answer', () => heard)).toBe('and back');
	});
});
