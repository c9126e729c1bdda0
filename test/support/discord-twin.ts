import { spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InteractionType } from 'discord.js';
import type { DiscordRig } from '../contract/discord/rig.ts';

const version = '0.1.1';
const manifest = {
	private: true,
	dependencies: { 'discord-digital-twin': version },
	// The release it asks for is not in the registry.
	overrides: { spiceflow: '1.19.0' },
};
const installDeadlineMs = 600_000;

interface TwinActor {
	sendMessage(wish: { content: string }): Promise<{ id: string }>;
	editMessage(wish: { messageId: string; content: string }): Promise<unknown>;
	deleteMessage(wish: { messageId: string }): Promise<void>;
	runSlashCommand(wish: { name: string; options?: object[] }): Promise<{ id: string }>;
	clickButton(wish: { messageId: string; customId: string }): Promise<{ id: string }>;
	selectMenu(wish: { messageId: string; customId: string; values: string[] }): Promise<{ id: string }>;
	submitModal(wish: { customId: string; fields: object[] }): Promise<{ id: string }>;
}

interface TwinScope {
	user(userId: string): TwinActor;
	waitForInteractionAck(wish: { interactionId: string; timeout?: number }): Promise<unknown>;
	getInteractionResponse(interactionId: string): Promise<{ data: string | null } | null>;
}

interface Twin {
	restUrl: string;
	botToken: string;
	guildId: string;
	start(): Promise<void>;
	stop(): Promise<void>;
	channel(channelId: string): TwinScope;
	simulateInteraction(wish: {
		type: number;
		channelId: string;
		userId: string;
		guildId?: string;
		data: Record<string, unknown>;
	}): Promise<{ id: string }>;
}

type TwinClass = new (options: object) => Twin;

function run(command: string, args: string[], cwd: string): Promise<string | undefined> {
	return new Promise((done) => {
		const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
		let complaint = '';
		const deadline = setTimeout(() => child.kill('SIGKILL'), installDeadlineMs);
		child.stderr.on('data', (chunk) => {
			complaint = (complaint + chunk).slice(-2000);
		});
		child.once('error', (error) => {
			clearTimeout(deadline);
			done(error.message);
		});
		child.once('exit', (code) => {
			clearTimeout(deadline);
			done(code === 0 ? undefined : `${command} ended with ${code}: ${complaint.trim()}`);
		});
	});
}

/** Installs the package into its own folder unless it is there; answers with why not, where it cannot be had. */
export async function installTwin(dataDir: string): Promise<{ folder: string } | { skipped: string }> {
	const folder = resolve(dataDir, `discord-twin-${version}`);
	const entry = join(folder, 'node_modules/discord-digital-twin/package.json');
	const isThere = await access(entry).then(
		() => true,
		() => false,
	);
	if (isThere) return { folder };
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, '\t'));
	const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-workspaces'];
	const problem = await run('npm', args, folder);
	return problem === undefined ? { folder } : { skipped: `discord-digital-twin ${version}: ${problem}` };
}

/** The rig on the twin, as far as the twin goes. */
export async function createTwinRig(folder: string): Promise<DiscordRig> {
	const require = createRequire(join(folder, 'package.json'));
	const path = require.resolve('discord-digital-twin/package.json').replace(/package\.json$/, 'dist/index.js');
	const { DigitalDiscord } = (await import(pathToFileURL(path).href)) as { DigitalDiscord: TwinClass };
	const channelId = '200000000000000001';
	const people = { alex: '200000000000000002', sam: '200000000000000003' };
	const twin = new DigitalDiscord({
		guild: { name: 'Twin House' },
		channels: [{ id: channelId, name: 'room', type: 0 }],
		users: [
			{ id: people.alex, username: 'alex' },
			{ id: people.sam, username: 'sam' },
		],
	});
	await twin.start();
	const scope = twin.channel(channelId);
	const actor = (who: 'alex' | 'sam'): TwinActor => scope.user(people[who]);
	const acknowledged = async (sent: Promise<{ id: string }>): Promise<string> => {
		const { id } = await sent;
		await scope.waitForInteractionAck({ interactionId: id, timeout: 10_000 });
		return id;
	};
	return {
		restUrl: twin.restUrl,
		token: twin.botToken,
		guildId: twin.guildId,
		channelId,
		people,
		say: async (who, content) => (await actor(who).sendMessage({ content })).id,
		edit: async (who, messageId, content) => void (await actor(who).editMessage({ messageId, content })),
		remove: (who, messageId) => actor(who).deleteMessage({ messageId }),
		slash: async (who, name, options) => void (await acknowledged(actor(who).runSlashCommand({ name, options }))),
		complete: async (who, name, option, typed) => {
			const options = [{ name: option, type: 3, value: typed, focused: true }];
			const data = { id: '200000000000000009', name, type: 1, options };
			const type = InteractionType.ApplicationCommandAutocomplete;
			const wish = { type, channelId, userId: people[who], guildId: twin.guildId, data };
			const id = await acknowledged(twin.simulateInteraction(wish));
			const response = JSON.parse((await scope.getInteractionResponse(id))?.data ?? '{}') as {
				choices?: { name: string }[];
			};
			return (response.choices ?? []).map((one) => one.name);
		},
		press: async (who, messageId, customId) =>
			void (await acknowledged(actor(who).clickButton({ messageId, customId }))),
		choose: async (who, messageId, customId, values) =>
			void (await acknowledged(actor(who).selectMenu({ messageId, customId, values }))),
		submitModal: async (who, customId, fields) => {
			const list = Object.entries(fields).map(([id, value]) => ({ customId: id, value }));
			await acknowledged(actor(who).submitModal({ customId, fields: list }));
		},
		close: () => twin.stop(),
	};
}
