import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Resvg } from '@resvg/resvg-js';
import { ChannelType, type Client, type Interaction, type Message, MessageFlags } from 'discord.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../demo/discord/server.ts';
import { connect } from '../contract/discord/rig.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';

const executable = findChromium();
const attack =
	'<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [x](javascript:alert(1)) **bold**';

const button = (label: string, custom_id: string) => ({ type: 2, style: 1, label, custom_id });
const panel = {
	content: 'the panel',
	embeds: [{ title: 'Room', description: 'Lamps **on**', fields: [{ name: 'Stage', value: '2' }] }],
	components: [
		{ type: 1, components: [button('Ask me', 'ask'), button('Update', 'update'), button('Silence', 'silence')] },
		{
			type: 1,
			components: [
				{ type: 3, custom_id: 'pick', options: ['a', 'b'].map((one) => ({ label: one.toUpperCase(), value: one })) },
			],
		},
	],
	files: [{ attachment: Buffer.from('the spec'), name: 'spec.txt' }],
};
const form = {
	custom_id: 'form',
	title: 'A round',
	components: [
		{
			type: 18,
			label: 'One',
			component: {
				type: 21,
				custom_id: 'one',
				options: [
					{ label: 'Left', value: 'l' },
					{ label: 'Right', value: 'r' },
				],
			},
		},
		{ type: 18, label: 'Say', component: { type: 4, custom_id: 'say', style: 2, max_length: 50 } },
	],
};

const picture = {
	files: [
		{
			attachment: new Resvg('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>').render().asPng(),
			name: 'picture.png',
		},
	],
};

/** A thread that only its members see, linked before the page can know of it. */
async function linkToThread(message: Message): Promise<string> {
	if (message.channel.type !== ChannelType.GuildText) return 'not here';
	const thread = await message.channel.threads.create({ name: 'late', type: ChannelType.PrivateThread });
	await thread.members.add(message.author.id);
	return `see <#${thread.id}>`;
}

async function respond(message: Message): Promise<unknown> {
	if (message.author.bot) return undefined;
	if (message.content === 'panel') return message.reply(panel as never);
	if (message.content === 'picture') return message.reply(picture);
	if (message.content === 'thread') return message.reply(await linkToThread(message));
	return message.reply(`echo: ${message.content}`);
}

/** A small bot that answers whatever the page can send. */
async function answer(interaction: Interaction): Promise<unknown> {
	if (interaction.isAutocomplete()) {
		const typed = interaction.options.getFocused();
		return interaction.respond([{ name: `${typed} lamp`, value: `${typed}-1` }]);
	}
	if (interaction.isChatInputCommand()) {
		if (interaction.commandName === 'silent') return undefined;
		const which = interaction.options.getString('which');
		return interaction.reply({ content: `switched ${which}`, flags: MessageFlags.Ephemeral });
	}
	if (interaction.isMessageContextMenuCommand()) return interaction.reply(`read: ${interaction.targetMessage.content}`);
	if (interaction.isStringSelectMenu()) return interaction.reply(`picked ${interaction.values.join()}`);
	if (interaction.isModalSubmit()) {
		const { fields } = interaction;
		return interaction.reply(`form: ${fields.getRadioGroup('one')} ${fields.getTextInputValue('say')}`);
	}
	if (!interaction.isButton() || interaction.customId === 'silence') return undefined;
	if (interaction.customId === 'ask') return interaction.showModal(form as never);
	return interaction.update({ content: 'the panel, updated' });
}

describe.skipIf(executable === undefined)('chat page (skipped without Chromium)', () => {
	let discord: LoopbackDiscord;
	let client: Client<true>;
	let browser: Browser;
	let sideServer: Server;
	let context: BrowserContext;
	let page: Page;
	const problems: string[] = [];

	beforeAll(async () => {
		sideServer = createServer((_, response) => {
			response.setHeader('content-type', 'text/html');
			response.end('<h1>the simulated room</h1>');
		});
		await new Promise<void>((resolve) => sideServer.listen(0, '127.0.0.1', resolve));
		const side = `http://127.0.0.1:${(sideServer.address() as AddressInfo).port}/`;
		discord = await createLoopbackDiscord({
			sidePanels: [
				{ title: 'Room', url: side },
				{ title: 'Panel', url: side },
			],
		});
		client = await connect(discord);
		client.on('messageCreate', (message) => void respond(message).catch(() => {}));
		client.on('interactionCreate', (interaction) => void answer(interaction).catch(() => {}));
		await client.application.commands.set([
			{
				name: 'lamp',
				description: 'Switch a lamp',
				options: [{ name: 'which', description: 'lamp', type: 3, autocomplete: true, required: true }],
			},
			{ name: 'silent', description: 'Never answers' },
			{ name: 'Read aloud', type: 2 + 1 },
		]);
		browser = await launchChromium(executable ?? '');
	});
	beforeEach(async () => {
		await discord.control.reset({});
		problems.length = 0;
		context = await browser.newContext({ viewport: { width: 1300, height: 850 } });
		page = await context.newPage();
		page.setDefaultTimeout(15_000);
		page.on('pageerror', (error) => problems.push(error.message));
		page.on('console', (line) => {
			if (line.type() === 'error' && !line.text().includes('status of 4')) problems.push(line.text());
		});
		await enter('alex');
	});
	afterEach(async () => {
		await context.close();
		expect(problems).toEqual([]);
	});
	afterAll(async () => {
		await browser?.close();
		await client?.destroy();
		await discord?.close();
		sideServer?.close();
	});

	const enter = async (who: string): Promise<void> => {
		await page.goto(`${discord.url}/#${who}/room`);
		await page.waitForSelector('body[data-ready]');
	};
	const say = async (text: string): Promise<void> => {
		await page.getByTestId('composer').fill(text);
		await page.getByTestId('composer').press('Enter');
	};
	const textShown = (text: string) => page.getByTestId('message-text').filter({ hasText: text }).last().waitFor();

	test('what is typed reaches the bot, and its answer appears as a reply', async () => {
		await say('good evening');
		await textShown('echo: good evening');
		expect(await page.getByTestId('reply-line').last().textContent()).toContain('@Alex');
		await page.getByTestId('typing').waitFor({ state: 'attached' });
	});

	test('text of others never becomes markup', async () => {
		await say(attack);
		await textShown('echo:');
		const last = page.getByTestId('message-text').last();
		expect(await last.textContent()).toContain('<script>window.hacked=1</script>');
		expect(await last.locator('strong').textContent()).toBe('bold');
		expect(await last.locator('img, script, a').count()).toBe(0);
		expect(await page.evaluate('window.hacked')).toBeUndefined();
	});

	test('embeds, files, buttons and selects are shown and work', async () => {
		await say('panel');
		await page.getByTestId('embed').waitFor();
		expect(await page.getByTestId('embed').textContent()).toContain('Lamps on');
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('file').click()]);
		expect(download.suggestedFilename()).toBe('spec.txt');
		await page.getByTestId('select-pick').selectOption('b');
		await textShown('picked b');
		await page.getByTestId('button-update').click();
		await textShown('the panel, updated');
	});

	test('a modal is filled in and sent; a cancelled one changes nothing', async () => {
		await say('panel');
		await page.getByTestId('button-ask').click();
		await page.getByTestId('modal-cancel').click();
		await page.getByTestId('button-ask').click();
		expect(await page.getByTestId('modal-title').textContent()).toBe('A round');
		await page.getByTestId('field-say').fill('more light');
		await page.getByTestId('modal-submit').click();
		await page.getByTestId('modal-problem').filter({ hasText: 'must be chosen' }).waitFor();
		await page.getByTestId('field-one-r').check();
		await page.getByTestId('modal-submit').click();
		await textShown('form: r more light');
		expect(await page.getByTestId('modal').count()).toBe(0);
	});

	test('slash commands are picked, completed and answered for one person only', async () => {
		await page.getByTestId('composer').fill('/la');
		await page.getByTestId('pick-lamp').click();
		await page.getByTestId('option-which').fill('shelf');
		await page.getByTestId('suggestion').click();
		await page.getByTestId('command-send').click();
		await textShown('switched shelf-1');
		await page.getByTestId('person-sam').click();
		await page.getByTestId('person-sam').and(page.locator('.active')).waitFor();
		expect(await page.getByTestId('message').count()).toBe(0);
		await page.getByTestId('person-alex').click();
		await page.getByTestId('dismiss').click();
		await page.getByTestId('message').waitFor({ state: 'detached' });
	});

	test('a bot that does not answer is said to have failed', async () => {
		await say('panel');
		await page.getByTestId('button-silence').click();
		await page.getByTestId('composer').fill('/silent');
		await page.getByTestId('pick-silent').click();
		expect(await page.getByTestId('command-failed').textContent()).toContain('did not respond');
		expect(await page.getByTestId('interaction-failed').textContent()).toContain('failed');
	});

	test('reply, reaction, message command, thread and edit are a click away', async () => {
		await say('a remark');
		const own = page.getByTestId('message').filter({ hasText: 'a remark' }).first();
		await own.hover();
		await own.getByTestId('action-react').click();
		await page.getByTestId('emoji-🎉').click();
		await own.getByTestId('reaction').waitFor();
		await own.hover();
		await own.getByTestId('action-apps').click();
		await page.getByTestId('message-command-Read-aloud').click();
		await textShown('read: a remark');
		await own.hover();
		await own.getByTestId('action-reply').click();
		await say('about that');
		await textShown('echo: about that');
		page.once('dialog', (dialog) => void dialog.accept('side talk'));
		await own.hover();
		await own.getByTestId('action-thread').click();
		await page.getByTestId('thread-side talk').waitFor();
		await say('in the thread');
		await textShown('echo: in the thread');
		await page.getByTestId('parent-channel').click();
		await own.getByTestId('open-thread').waitFor();
	});

	test('files are attached and travel with the message', async () => {
		await page
			.getByTestId('file-input')
			.setInputFiles({ name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from('# note') });
		await page.getByTestId('chosen-files').waitFor();
		await say('with a file');
		await page.getByTestId('file').waitFor();
		const [sent] = await discord.control.messages({ channel: 'room', contains: 'with a file' });
		expect(sent?.attachments[0]?.name).toBe('note.md');
	});

	test('the newest message stays in view when pictures come late', async () => {
		for (const count of [1, 2, 3]) {
			await say('picture');
			await page
				.getByTestId('attached-image')
				.nth(count - 1)
				.waitFor();
		}
		await say('and after them');
		await textShown('echo: and after them');
		const below = 'messages.scrollHeight - messages.scrollTop - messages.clientHeight';
		await expect.poll(() => page.evaluate(below), { timeout: 15_000 }).toBeLessThan(2);
	});

	test('OPS-1 a link to a thread that comes before the thread gets its name', async () => {
		await say('thread');
		await page.getByTestId('message-text').filter({ hasText: 'see #late' }).waitFor();
	});

	test('OPS-1 what was said while the page waited for its line is there', async () => {
		await page.route('**/control/live*', async (route) => {
			await discord.control.message({ as: 'sam', channel: 'room', text: 'said in the gap' });
			await route.continue();
		});
		await page.getByTestId('person-casey').click();
		await textShown('said in the gap');
		await page.unroute('**/control/live*');
	});

	test('channels are hidden from those who may not see them, and typing of others is shown', async () => {
		await page.getByTestId('channel-admin').waitFor();
		await page.getByTestId('person-casey').click();
		await page.getByTestId('channel-admin').waitFor({ state: 'detached' });
		await discord.control.type({ as: 'sam', channel: 'room' });
		await page.getByTestId('typing').filter({ hasText: 'Sam is typing' }).waitFor();
		await discord.control.channelPermissions({ channel: 'room', target: 'casey', deny: ['SendMessages'] });
		await page.getByTestId('no-speech').waitFor();
	});

	test('side panels are tabs beside the chat', async () => {
		await page.getByTestId('panel-tab-1').click();
		const frame = page.frameLocator('[data-testid="panel-frame-1"]');
		await frame.getByText('the simulated room').waitFor();
		expect(await page.getByTestId('panel-frame-0').isVisible()).toBe(false);
	});

	test('on a phone the sidebar slides in and nothing is cut off', async () => {
		await page.setViewportSize({ width: 390, height: 780 });
		await page.getByTestId('open-sidebar').click();
		await page.getByTestId('channel-fleet').click();
		await page.getByTestId('channel-title').filter({ hasText: 'fleet' }).waitFor();
		await say('from my phone');
		await textShown('echo: from my phone');
		expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
	});
});
