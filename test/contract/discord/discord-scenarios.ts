import {
	ApplicationCommandOptionType,
	ButtonStyle,
	ChannelType,
	type ChatInputCommandInteraction,
	type Client,
	ComponentType,
	type Interaction,
	type Message,
	MessageFlags,
	type MessageReaction,
	type PrivateThreadChannel,
	REST,
	type TextChannel,
} from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, connect, type DiscordRig, eventually, type MakeRig } from './rig.ts';

const row = (...components: object[]) => [{ type: ComponentType.ActionRow, components }] as never;
const openButton = { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'Open', custom_id: 'open' };

/** What any Discord must do for the real discord.js; ours is held to it, and so is a stand-in made by others. */
export function discordScenarios(name: string, makeRig: MakeRig): void {
	describe(`discord.js on ${name}`, () => {
		let rig: DiscordRig;
		let client: Client<true>;
		let channel: TextChannel;
		let messages: Message[] = [];
		let interactions: Interaction[] = [];
		let answer: (interaction: Interaction) => Promise<unknown> = async () => {};

		beforeAll(async () => {
			rig = await makeRig();
			client = await connect(rig);
			client.on('messageCreate', (message) => messages.push(message));
			client.on('interactionCreate', (interaction) => {
				interactions.push(interaction);
				void answer(interaction).catch(() => {});
			});
			channel = (await client.channels.fetch(rig.channelId)) as TextChannel;
			await client.guilds.cache.get(rig.guildId)?.commands.set([
				{
					name: 'lamp',
					description: 'Switch a lamp',
					options: [
						{ name: 'which', description: 'lamp', type: ApplicationCommandOptionType.String, autocomplete: true },
					],
				},
			]);
		});
		beforeEach(() => {
			messages = [];
			interactions = [];
			answer = async () => {};
		});
		afterAll(async () => {
			await client?.destroy();
			await rig?.close();
		});

		const heard = (text: string): Promise<Message> =>
			eventually(`a message "${text}"`, () => messages.find((one) => one.content === text));
		const texts = async (): Promise<string[]> =>
			[...(await channel.messages.fetch({ limit: 50 })).values()].map((one) => one.content);
		const asked = (): Promise<Interaction> => eventually('an interaction', () => interactions[0]);

		test('it is ready with its guild, channel and own membership', () => {
			expect(client.guilds.cache.get(rig.guildId)?.available).toBe(true);
			expect(client.guilds.cache.get(rig.guildId)?.members.me?.id).toBe(client.user.id);
			expect(channel.type).toBe(ChannelType.GuildText);
		});

		test('a wrong token is refused at login', async () => {
			await expect(connect({ restUrl: rig.restUrl, token: 'wrong.token.here' })).rejects.toThrow();
		});

		test('a message of a person arrives with author, text and channel', async () => {
			await rig.say('alex', 'good evening');
			const message = await heard('good evening');
			expect(message.author.id).toBe(rig.people.alex);
			expect(message.author.bot).toBe(false);
			expect(message.channelId).toBe(rig.channelId);
			expect(message.guildId).toBe(rig.guildId);
		});

		test('the bot sends, edits and deletes, and history follows', async () => {
			const sent = await channel.send('first wording');
			await sent.edit('second wording');
			expect(await texts()).toContain('second wording');
			await sent.delete();
			expect(await texts()).not.toContain('second wording');
		});

		test('edits and deletions by people are heard', async () => {
			const updates: string[] = [];
			const deletions: string[] = [];
			const onUpdate = (_: unknown, after: { content: string | null }) => updates.push(after.content ?? '');
			const onDelete = (message: { id: string }) => deletions.push(message.id);
			client.on('messageUpdate', onUpdate);
			client.on('messageDelete', onDelete);
			const id = await rig.say('sam', 'a typo heer');
			await rig.edit('sam', id, 'a typo here');
			await eventually('the edit', () => updates.includes('a typo here'));
			await rig.remove('sam', id);
			await eventually('the deletion', () => deletions.includes(id));
			client.off('messageUpdate', onUpdate);
			client.off('messageDelete', onDelete);
		});

		test('a reply points at its message', async () => {
			const id = await rig.say('alex', 'a question');
			await (await heard('a question')).reply('an answer');
			const reply = [...(await channel.messages.fetch({ limit: 10 })).values()].find(
				(one) => one.content === 'an answer',
			);
			expect(reply?.reference?.messageId).toBe(id);
		});

		test('reactions of the bot are set and taken back', async () => {
			const added: string[] = [];
			const onAdd = (reaction: { emoji: MessageReaction['emoji'] }) => added.push(reaction.emoji.name ?? '');
			client.on('messageReactionAdd', onAdd);
			const sent = await channel.send('react to me');
			const reaction = await sent.react('👍');
			await eventually('the reaction', () => added.includes('👍'));
			await reaction.users.remove(client.user.id);
			expect((await sent.fetch(true)).reactions.cache.get('👍')?.me ?? false).toBe(false);
			client.off('messageReactionAdd', onAdd);
		});

		test('threads on messages and private ones are made, spoken in, renamed, archived and locked', async () => {
			const sent = await channel.send('a topic');
			const thread = await sent.startThread({ name: 'about it' });
			await thread.send('inside');
			await heard('inside');
			await thread.setName('about that');
			await thread.setArchived(true);
			const archived = await client.channels.fetch(thread.id, { force: true });
			expect(archived?.isThread() && archived.archived && archived.name).toBe('about that');
			await thread.setArchived(false);
			await thread.setLocked(true);
			const secret = (await channel.threads.create({
				name: 'in private',
				type: ChannelType.PrivateThread as never,
			})) as PrivateThreadChannel;
			expect(secret.type).toBe(ChannelType.PrivateThread);
			await secret.send('whispered');
			await heard('whispered');
		});

		test('a second thread on one message is refused with 160004', async () => {
			const sent = await channel.send('one thread only');
			await sent.startThread({ name: 'one' });
			const rest = new REST({ api: rig.restUrl, version: '10' }).setToken(rig.token);
			const path = `/channels/${rig.channelId}/messages/${sent.id}/threads` as const;
			expect(await codeOf(rest.post(path, { body: { name: 'two' } }))).toBe(160004);
		});

		test('unknown messages and channels are refused with 10008 and 10003', async () => {
			expect(await codeOf(channel.messages.fetch('100000000000000001'))).toBe(10008);
			expect(await codeOf(client.channels.fetch('100000000000000002', { force: true }))).toBe(10003);
		});

		test('a slash command is answered', async () => {
			answer = async (one) => (one as ChatInputCommandInteraction).reply('lamp is on');
			await rig.slash('alex', 'lamp', [{ name: 'which', type: 3, value: 'shelf' }]);
			const interaction = (await asked()) as ChatInputCommandInteraction;
			expect(interaction.commandName).toBe('lamp');
			expect(interaction.options.getString('which')).toBe('shelf');
			expect(interaction.user.id).toBe(rig.people.alex);
			await eventually('the answer', async () => (await texts()).includes('lamp is on'));
		});

		test('a deferred answer is filled in, followed up, read and taken back', async () => {
			let done = false;
			answer = async (one) => {
				const interaction = one as ChatInputCommandInteraction;
				await interaction.deferReply();
				await interaction.editReply('now I know');
				const followUp = await interaction.followUp('and one more thing');
				expect(followUp.content).toBe('and one more thing');
				expect((await interaction.fetchReply()).content).toBe('now I know');
				await interaction.deleteReply();
				done = true;
			};
			await rig.slash('sam', 'lamp');
			await eventually('the whole exchange', () => done);
			expect(await texts()).not.toContain('now I know');
			expect(await texts()).toContain('and one more thing');
		});

		test('a second answer is refused with 40060', async () => {
			let code: number | string | undefined;
			answer = async (one) => {
				const interaction = one as ChatInputCommandInteraction;
				await interaction.reply({ content: 'once', flags: MessageFlags.Ephemeral });
				const rest = new REST({ api: rig.restUrl, version: '10' });
				const path = `/interactions/${interaction.id}/${interaction.token}/callback` as const;
				code = await codeOf(rest.post(path, { body: { type: 4, data: { content: 'twice' } }, auth: false }));
			};
			await rig.slash('alex', 'lamp');
			expect(await eventually('the refusal', () => code)).toBe(40060);
		});

		test('a button updates its message', async () => {
			const sent = await channel.send({ content: 'press', components: row(openButton) });
			answer = async (one) => one.isButton() && one.update({ content: 'pressed', components: [] });
			await rig.press('alex', sent.id, 'open');
			await eventually('the update', async () => (await sent.fetch(true)).content === 'pressed');
		});

		test('a select carries what was chosen', async () => {
			const options = [
				{ label: 'Red', value: 'r' },
				{ label: 'Blue', value: 'b' },
			];
			const select = { type: ComponentType.StringSelect, custom_id: 'colour', options };
			const sent = await channel.send({ content: 'choose', components: row(select) });
			answer = async (one) => one.isStringSelectMenu() && one.deferUpdate();
			await rig.choose('sam', sent.id, 'colour', ['b']);
			const interaction = await asked();
			expect(interaction.isStringSelectMenu() && interaction.values).toEqual(['b']);
		});

		test('a modal is shown and what was filled in comes back', async () => {
			const sent = await channel.send({ content: 'tell me', components: row(openButton) });
			const input = { type: ComponentType.TextInput, custom_id: 'wish', label: 'Wish', style: 1 };
			answer = async (one) => {
				if (one.isButton()) await one.showModal({ custom_id: 'form', title: 'Form', components: row(input) });
				if (one.isModalSubmit()) await one.reply(`wish: ${one.fields.getTextInputValue('wish')}`);
			};
			await rig.press('alex', sent.id, 'open');
			await rig.submitModal('alex', 'form', { wish: 'more light' });
			await eventually('the answer', async () => (await texts()).includes('wish: more light'));
		});

		test('autocomplete offers what the bot suggests', async () => {
			answer = async (one) =>
				one.isAutocomplete() && one.respond([{ name: `${one.options.getFocused()}-lamp`, value: 'shelf' }]);
			expect(await rig.complete('sam', 'lamp', 'which', 'sh')).toEqual(['sh-lamp']);
		});
	});
}
