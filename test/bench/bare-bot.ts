import { Client, Events, GatewayIntentBits } from 'discord.js';
import { callService, createConnection, createLongLivedTokenAuth } from 'home-assistant-js-websocket';
import { Ollama } from 'ollama';
import { openSocket } from '../../adapters/home/open-socket.ts';
import type { RehearsalHouse } from '../../demo/house.ts';

/** The bot that anybody writes first: the message handler calls the model, and acts on what it says. */
export async function startBareBot(house: RehearsalHouse, token: string, channelId: string) {
	const url = house.home.url;
	const ollama = new Ollama({ host: house.thinking.scripted?.url ?? '' });
	const home = await createConnection({
		auth: createLongLivedTokenAuth(url, house.home.token),
		createSocket: openSocket({ url, token: house.home.token, timeoutMs: 5_000, signal: AbortSignal.timeout(5_000) }),
	});
	const client = new Client({
		intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
		rest: { api: house.discord.restUrl, version: '10' },
	});
	client.on(Events.Error, () => undefined);
	client.on(Events.MessageCreate, async (message) => {
		if (message.author.bot || message.channelId !== channelId) return;
		const stream = await ollama.chat({
			model: 'bare',
			stream: true,
			messages: [
				{ role: 'system', content: 'Answer as JSON: {"entity":"light.x","state":"on","say":"..."}' },
				{ role: 'user', content: message.content },
			],
		});
		let text = '';
		for await (const part of stream) text += part.message.content;
		const wish = JSON.parse(text) as { entity: string; state: 'on' | 'off'; say: string };
		await callService(home, 'light', `turn_${wish.state}`, {}, { entity_id: wish.entity });
		await message.channel.send(wish.say);
	});
	await client.login(token);
	if (!client.isReady()) await new Promise((resolve) => client.once(Events.ClientReady, resolve));
	return async () => {
		await client.destroy();
		home.close();
	};
}
