import { createLoopbackDiscord } from '../../../demo/discord/server.ts';
import type { DiscordRig } from './rig.ts';

/** The rig on our own server. */
export async function createLoopbackRig(): Promise<DiscordRig> {
	const discord = await createLoopbackDiscord();
	const { control } = discord;
	let openModal = '';
	return {
		restUrl: discord.restUrl,
		token: discord.token,
		guildId: discord.guildId,
		channelId: discord.channels['room'] ?? '',
		people: { alex: discord.people['alex'] ?? '', sam: discord.people['sam'] ?? '' },
		say: async (as, text) => (await control.message({ as, channel: 'room', text })).id,
		edit: async (as, message, text) => void (await control.edit({ as, message, text })),
		remove: async (as, message) => void (await control.delete({ as, message })),
		slash: async (as, command, options = []) => {
			const values = Object.fromEntries(options.map((one) => [one.name, one.value]));
			await control.command({ as, channel: 'room', command, options: values });
		},
		complete: async (as, command, focused, typed) => {
			const options = { [focused]: typed };
			const result = await control.autocomplete({ as, channel: 'room', command, options, focused });
			return (result.choices ?? []).map((one) => one.name);
		},
		press: async (as, message, button) => {
			openModal = (await control.button({ as, message, button })).id;
		},
		choose: async (as, message, select, values) => void (await control.select({ as, message, select, values })),
		submitModal: async (as, _customId, fields) => {
			await control.modal({ as, interaction: openModal, fields });
		},
		close: () => discord.close(),
	};
}
