import { ChannelType, type Client, type TextChannel, type ThreadChannel } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultBotPermissions } from '../../../demo/discord/layout.ts';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../../demo/discord/server.ts';
import { codeOf, connect, eventually } from './rig.ts';

describe('threads of the loopback Discord', () => {
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

	const withoutManaging = () =>
		discord.control.rolePermissions({
			role: 'Majordomo',
			permissions: defaultBotPermissions.filter((one) => one !== 'ManageThreads'),
		});
	const openThread = async (name = 'talk'): Promise<ThreadChannel> =>
		(await room.send('a topic')).startThread({ name });

	test('a thread on a message has the message’s id', async () => {
		const message = await room.send('a topic');
		const thread = await message.startThread({ name: 'talk' });
		expect(thread.id).toBe(message.id);
		expect((await message.fetch(true)).hasThread).toBe(true);
	});

	test('speaking in an archived thread opens it again', async () => {
		const thread = await openThread();
		await thread.setArchived(true);
		expect((await discord.control.state({})).channels.find((one) => one.id === thread.id)?.archived).toBe(true);
		await thread.send('still there?');
		expect((await discord.control.state({})).channels.find((one) => one.id === thread.id)?.archived).toBe(false);
		await discord.control.threadState({ thread: thread.id, archived: true });
		await discord.control.message({ as: 'sam', channel: thread.id, text: 'yes' });
		await eventually('the thread opened', () => thread.archived === false);
	});

	test('a locked thread takes nothing from those who do not manage threads', async () => {
		const thread = await openThread();
		await discord.control.threadState({ thread: thread.id, locked: true, archived: true });
		await expect(discord.control.message({ as: 'sam', channel: thread.id, text: 'x' })).rejects.toThrow(/160005/);
		await withoutManaging();
		expect(await codeOf(thread.send('x'))).toBe(160005);
	});

	test('edits, reactions and members in an archived thread are refused with 50083', async () => {
		const thread = await openThread();
		const inside = await thread.send('inside');
		await discord.control.threadState({ thread: thread.id, archived: true });
		expect(await codeOf(inside.edit('changed'))).toBe(50083);
		expect(await codeOf(inside.react('👍'))).toBe(50083);
		expect(await codeOf(thread.members.add(discord.people['sam'] ?? ''))).toBe(50083);
	});

	test('a private thread is seen by its members only, and by those it mentions from then on', async () => {
		const secret = await room.threads.create({ name: 'private', type: ChannelType.PrivateThread as never });
		const visible = async (as: string) =>
			(await discord.control.state({ as })).channels.some((one) => one.id === secret.id);
		expect(await visible('casey')).toBe(false);
		await expect(discord.control.message({ as: 'casey', channel: secret.id, text: 'x' })).rejects.toThrow(/hidden/);
		await secret.send(`come in, <@${discord.people['casey']}>`);
		expect(await visible('casey')).toBe(true);
		expect(await visible('sam')).toBe(false);
		await secret.members.remove(discord.people['casey'] ?? '');
		expect(await visible('casey')).toBe(false);
	});

	test('the bot hears of a private thread when it is let in, and not before', async () => {
		await withoutManaging();
		const heard: string[] = [];
		client.on('threadCreate', (thread) => heard.push(thread.id));
		const made = await discord.control.thread({ as: 'sam', channel: 'room', name: 'without you', private: true });
		await discord.control.message({ as: 'sam', channel: made.id, text: 'psst' });
		await discord.control.thread({ as: 'sam', channel: 'room', name: 'for all' });
		await eventually('the public thread', () => heard.length === 1);
		expect(heard).not.toContain(made.id);
		await discord.control.threadMember({ thread: made.id, who: 'Majordomo' });
		await eventually('the private thread', () => heard.includes(made.id));
	});

	test('a quiet thread is archived after its time', async () => {
		const thread = await openThread();
		await discord.control.clock({ advanceMs: 4320 * 60_000 + 60_000 });
		await eventually('the archiving', () => thread.archived === true);
	});

	test('a deleted thread is gone for everybody, and so are deleted channels', async () => {
		const thread = await openThread();
		const gone = new Promise<string>((resolve) => client.once('threadDelete', (one) => resolve(one.id)));
		await discord.control.deleteChannel({ channel: thread.id });
		expect(await gone).toBe(thread.id);
		expect(await codeOf(thread.send('x'))).toBe(10003);
		const extra = await discord.control.createChannel({ name: 'extra' });
		const channelGone = new Promise<string>((resolve) => client.once('channelDelete', (one) => resolve(one.id)));
		await discord.control.deleteChannel({ channel: 'extra' });
		expect(await channelGone).toBe(extra.id);
	});

	test('active and archived threads are listed', async () => {
		const first = await openThread('first');
		const second = await openThread('second');
		await second.setArchived(true);
		expect([...(await room.guild.channels.fetchActiveThreads()).threads.keys()]).toEqual([first.id]);
		expect([...(await room.threads.fetchArchived()).threads.keys()]).toEqual([second.id]);
	});
});
