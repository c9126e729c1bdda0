import {
	type ChatInputCommandInteraction,
	type MessageComponentInteraction,
	type MessageContextMenuCommandInteraction,
	MessageFlags,
	type ModalSubmitInteraction,
} from 'discord.js';
import { toDiscordFailure } from '../discord-failure.ts';

/**
 * `ours`: answered in time, go on. `taken`: it was acknowledged before, by a retry of ours or by another process.
 * `late`: Discord does not know it any more and has told the person so. `lost`: nothing reached Discord.
 */
export type Acknowledgement = 'ours' | 'taken' | 'late' | 'lost';

type Deferrable =
	| ChatInputCommandInteraction
	| MessageContextMenuCommandInteraction
	| MessageComponentInteraction
	| ModalSubmitInteraction;

/** The first thing done with any interaction: a private "thinking…", within Discord's three seconds. Never rejects. */
export async function acknowledge(interaction: Deferrable): Promise<Acknowledgement> {
	const first = await tryOnce(interaction);
	// The request may have arrived although its answer did not: asking again tells.
	return first === 'lost' ? tryOnce(interaction) : first;
}

async function tryOnce(interaction: Deferrable): Promise<Acknowledgement> {
	try {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		return 'ours';
	} catch (error) {
		const { reason } = toDiscordFailure(error);
		if (reason === 'interaction_late') return 'late';
		if (reason !== 'interaction_taken') return 'lost';
		// So that the library lets us edit what is there instead of answering a second time.
		interaction.deferred = true;
		interaction.ephemeral = true;
		return 'taken';
	}
}
