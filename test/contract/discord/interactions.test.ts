import {
	ApplicationCommandOptionType,
	ApplicationCommandType,
	type ButtonInteraction,
	type ChatInputCommandInteraction,
	type Client,
	type Interaction,
	type Message,
	type MessageContextMenuCommandInteraction,
	MessageFlags,
	type ModalSubmitInteraction,
	type TextChannel,
} from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../../demo/discord/server.ts';
import { codeOf, connect, eventually } from './rig.ts';

describe('interactions of the loopback Discord', () => {
	let discord: LoopbackDiscord;
	let client: Client<true>;
	let room: TextChannel;
	let heard: Message[] = [];
	let answer: (interaction: Interaction) => Promise<unknown> = async () => {};

	beforeAll(async () => {
		discord = await createLoopbackDiscord();
		client = await connect(discord);
		room = client.channels.cache.get(discord.channels['room'] ?? '') as TextChannel;
		client.on('messageCreate', (message) => heard.push(message));
		client.on('interactionCreate', (interaction) => void answer(interaction).catch(() => {}));
		await client.application.commands.set([
			{
				name: 'lamp',
				description: 'Lamps',
				options: [
					{
						name: 'set',
						description: 'Set one',
						type: ApplicationCommandOptionType.Subcommand,
						options: [
							{
								name: 'level',
								description: '0–100',
								type: ApplicationCommandOptionType.Integer,
								required: true,
								minValue: 0,
								maxValue: 100,
							},
							{ name: 'who', description: 'For whom', type: ApplicationCommandOptionType.User },
							{ name: 'plan', description: 'A file', type: ApplicationCommandOptionType.Attachment },
						],
					},
				],
			},
			{ name: 'Explain', type: ApplicationCommandType.Message },
			{ name: 'secret', description: 'For administrators', defaultMemberPermissions: '8' },
		]);
	});
	beforeEach(async () => {
		await discord.control.reset({});
		heard = [];
		answer = async () => {};
	});
	afterAll(async () => {
		await client.destroy();
		await discord.close();
	});

	const run = (options: Record<string, string | number> = { level: 5 }, extra: object = {}) =>
		discord.control.command({ as: 'sam', channel: 'room', command: 'lamp set', options, ...extra });
	const keep = async (): Promise<ChatInputCommandInteraction> => {
		let kept: ChatInputCommandInteraction | undefined;
		answer = async (one) => {
			kept = one as ChatInputCommandInteraction;
		};
		await run({ level: 5 }, { until: 'sent' });
		return eventually('the interaction', () => kept);
	};

	test('after three seconds an answer is refused with 10062 and the person sees a failure', async () => {
		const interaction = await keep();
		await discord.control.clock({ advanceMs: 3001 });
		expect(await codeOf(interaction.reply('too late'))).toBe(10062);
		expect((await discord.control.interaction({ id: interaction.id })).state).toBe('failed');
	});

	test('just before three seconds an answer is taken', async () => {
		const interaction = await keep();
		await discord.control.clock({ advanceMs: 1500 });
		await interaction.reply('in time');
		expect((await discord.control.interaction({ id: interaction.id })).state).toBe('replied');
	});

	test('after fifteen minutes the token is worthless; before an answer it is unknown', async () => {
		const interaction = await keep();
		expect(await codeOf(interaction.webhook.send('nothing yet'))).toBe(10015);
		await interaction.deferReply();
		await discord.control.clock({ advanceMs: 15 * 60_000 + 1000 });
		expect(await codeOf(interaction.editReply('late'))).toBe(50027);
		expect(await codeOf(interaction.followUp('late'))).toBe(50027);
		expect(await codeOf(room.send('still logged in').then(() => Promise.reject({ code: 'fine' })))).toBe('fine');
	});

	test('a deleted answer cannot be edited any more', async () => {
		const interaction = await keep();
		await interaction.reply('short-lived');
		await interaction.deleteReply();
		expect(await codeOf(interaction.editReply('again'))).toBe(10008);
	});

	test('an ephemeral answer is seen by the invoker only, not by others, the gateway or history', async () => {
		const interaction = await keep();
		await interaction.reply({ content: 'for your eyes', flags: MessageFlags.Ephemeral });
		const followUp = await interaction.followUp({ content: 'and this', flags: MessageFlags.Ephemeral });
		await room.send('for all');
		const seenBy = async (as: string) =>
			(await discord.control.messages({ as, channel: 'room' })).map((one) => one.text);
		expect(await seenBy('sam')).toEqual(['for your eyes', 'and this', 'for all']);
		expect(await seenBy('alex')).toEqual(['for all']);
		await eventually('the public message', () => heard.some((one) => one.content === 'for all'));
		expect(heard.map((one) => one.content)).toEqual(['for all']);
		expect([...(await room.messages.fetch()).values()].map((one) => one.content)).toEqual(['for all']);
		expect(await codeOf(room.messages.fetch({ message: followUp.id, force: true }))).toBe(10008);
		await expect(discord.control.react({ as: 'alex', message: followUp.id, emoji: '👍' })).rejects.toThrow(/visible/);
	});

	test('a deferred ephemeral answer stays ephemeral, and its first follow-up fills it', async () => {
		const interaction = await keep();
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const [waiting] = await discord.control.messages({ as: 'sam', channel: 'room' });
		expect(waiting).toMatchObject({ thinking: true, ephemeral: true, onlyFor: 'sam' });
		await interaction.editReply('thought through');
		const state = await discord.control.interaction({ id: interaction.id });
		expect(state).toMatchObject({ state: 'deferred', complete: true, ephemeral: true });
		expect(state.message?.text).toBe('thought through');
		const second = await keep();
		await second.deferReply();
		const filled = await second.followUp('filled in');
		expect((await second.fetchReply()).id).toBe(filled.id);
	});

	test('withResponse brings the message and what it stands for', async () => {
		const interaction = await keep();
		const response = await interaction.reply({ content: 'here', withResponse: true });
		expect(response.resource?.message?.content).toBe('here');
		expect(response.interaction.responseMessageId).toBe(response.resource?.message?.id);
	});

	test('users and files given as options are resolved', async () => {
		let seen: unknown;
		answer = async (one) => {
			const interaction = one as ChatInputCommandInteraction;
			const plan = interaction.options.getAttachment('plan', true);
			const user = interaction.options.getUser('who', true);
			seen = [user.username, interaction.options.getMember('who') !== null, await (await fetch(plan.url)).text()];
			await interaction.reply(`level ${interaction.options.getInteger('level')}`);
		};
		const plan = { name: 'plan.txt', text: 'more light' };
		const result = await discord.control.command({
			as: 'sam',
			channel: 'room',
			command: '/lamp set',
			options: { level: '70', who: 'casey', plan },
		});
		expect(result.message?.text).toBe('level 70');
		expect(seen).toEqual(['casey', true, 'more light']);
	});

	test('what Discord’s client would not let a person send is refused before it is sent', async () => {
		await expect(run({ level: 101 })).rejects.toThrow(/at most 100/);
		await expect(run({})).rejects.toThrow(/required/);
		await expect(run({ level: 1, colour: 'red' })).rejects.toThrow(/no option/);
		await expect(discord.control.command({ as: 'sam', channel: 'room', command: 'lamp' })).rejects.toThrow(
			/subcommand/,
		);
		await expect(discord.control.command({ as: 'sam', channel: 'room', command: 'secret' })).rejects.toThrow(/may not/);
		answer = (one) => (one as ChatInputCommandInteraction).reply('welcome');
		const asAdmin = await discord.control.command({ as: 'alex', channel: 'room', command: 'secret' });
		expect(asAdmin.message?.text).toBe('welcome');
	});

	test('a command on a message carries that message', async () => {
		const said = await discord.control.message({ as: 'casey', channel: 'room', text: 'obscure' });
		answer = (one) => {
			const { targetMessage } = one as MessageContextMenuCommandInteraction;
			return (one as MessageContextMenuCommandInteraction).reply(`about “${targetMessage.content}”`);
		};
		const result = await discord.control.messageCommand({ as: 'sam', message: said.id, command: 'Explain' });
		expect(result.message).toMatchObject({ text: 'about “obscure”', type: 23 });
	});

	test('a modal of labels brings text, select, radio, checkboxes, checkbox and file back', async () => {
		const option = (value: string) => ({ label: value.toUpperCase(), value });
		const label = (text: string, component: object) => ({ type: 18, label: text, component });
		const form = {
			custom_id: 'round',
			title: 'Round 1',
			components: [
				label('Say', { type: 4, custom_id: 'text', style: 2, max_length: 10 }),
				label('Pick', { type: 3, custom_id: 'select', options: [option('a'), option('b')] }),
				label('One', { type: 21, custom_id: 'radio', options: [option('x'), option('y')] }),
				label('Many', { type: 22, custom_id: 'many', options: [option('p'), option('q')], max_values: 2 }),
				label('Proof', { type: 19, custom_id: 'file' }),
			],
		};
		let fields: unknown;
		answer = async (one) => {
			if (one.isButton()) await (one as ButtonInteraction).showModal(form as never);
			if (!one.isModalSubmit()) return;
			const given = (one as ModalSubmitInteraction).fields;
			fields = [
				given.getTextInputValue('text'),
				given.getStringSelectValues('select'),
				given.getRadioGroup('radio'),
				given.getCheckboxGroup('many'),
				given.getUploadedFiles('file')?.first()?.name,
			];
			await (one as ModalSubmitInteraction).deferUpdate();
		};
		const button = { type: 2, style: 1, label: 'Answer', custom_id: 'answer' };
		const sent = await room.send({ content: 'round 1', components: [{ type: 1, components: [button] }] as never });
		const opened = await discord.control.button({ as: 'sam', message: sent.id, button: 'Answer' });
		expect(opened.state).toBe('modal');
		const values = {
			text: 'hello',
			select: ['B'],
			radio: 'y',
			many: ['p', 'q'],
			file: [{ name: 'proof.txt', text: 'x' }],
		};
		const submit = (as: string, change: object = {}) =>
			discord.control.modal({ as, interaction: opened.id, fields: { ...values, ...change } });
		await expect(submit('sam', { text: 'far too long for it' })).rejects.toThrow(/10 or fewer/);
		await expect(submit('sam', { radio: 'z' })).rejects.toThrow(/no option/);
		await expect(submit('alex')).rejects.toThrow(/no modal/);
		expect((await submit('sam')).state).toBe('deferred-update');
		expect(fields).toEqual(['hello', ['b'], 'y', ['p', 'q'], 'proof.txt']);
	});

	test('a malformed answer is refused and leaves the interaction open', async () => {
		const interaction = await keep();
		expect(await codeOf(interaction.reply('x'.repeat(2001)))).toBe(50035);
		const path = `/interactions/${interaction.id}/${interaction.token}/callback` as const;
		expect(await codeOf(client.rest.post(path, { body: { type: 8, data: { choices: [] } }, auth: false }))).toBe(50035);
		await client.rest.post(path, { body: { type: 4, data: { content: 'short' } }, auth: false });
		expect((await discord.control.interaction({ id: interaction.id })).message?.text).toBe('short');
	});

	test('a disabled button cannot be pressed, and hidden messages have none', async () => {
		const button = { type: 2, style: 1, label: 'Off', custom_id: 'off', disabled: true };
		const sent = await room.send({ content: 'x', components: [{ type: 1, components: [button] }] as never });
		await expect(discord.control.button({ as: 'sam', message: sent.id, button: 'off' })).rejects.toThrow(/disabled/);
		await expect(discord.control.button({ as: 'sam', message: sent.id, button: 'on' })).rejects.toThrow(/none/);
	});

	test('commands are replaced, kept by id, fetched, refused when malformed', async () => {
		const before = await client.application.commands.fetch();
		const lamp = before.find((one) => one.name === 'lamp');
		const guild = client.guilds.cache.get(discord.guildId);
		const made = await guild?.commands.create({ name: 'extra', description: 'x' });
		expect((await guild?.commands.fetch(made?.id ?? ''))?.name).toBe('extra');
		await guild?.commands.delete(made?.id ?? '');
		expect(await codeOf(guild?.commands.fetch(made?.id ?? '') ?? Promise.resolve())).toBe(10063);
		const bad = { name: 'Bad Name', description: 'x' };
		expect(await codeOf(client.rest.post(`/applications/${discord.applicationId}/commands`, { body: bad }))).toBe(
			50035,
		);
		expect((await client.application.commands.fetch()).find((one) => one.name === 'lamp')?.id).toBe(lamp?.id);
	});
});
