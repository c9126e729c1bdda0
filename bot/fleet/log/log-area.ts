import type { MessageComponentInteraction } from 'discord.js';
import type { Log, Metrics } from '../../../core/ports.ts';
import { createTranslate, toLanguage } from '../../catalogue.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import type { InteractionArea } from '../../interactions/interactions.ts';
import { toPayload, type View } from '../../views/view.ts';
import { type FleetLogDeps, showLog } from './fleet-log.ts';
import { isLogId, parseLogId } from './log-query.ts';

/** Turns the pages of the log in place. The same press in two processes shows the same page, so nobody has to claim it. */
export function createLogArea(deps: FleetLogDeps & { readonly log: Log; readonly metrics: Metrics }): InteractionArea {
	const { log, metrics } = deps;

	const pageFor = async (customId: string, locale: string): Promise<View> => {
		const language = toLanguage(locale);
		const t = createTranslate(language);
		const query = parseLogId(customId);
		if (query === undefined) return { content: t('fleet.cmd.log.old') };
		return showLog(deps, query, language).catch((error: unknown) => {
			log.error({ error }, 'a page of the log could not be read');
			return { content: t('fleet.cmd.log.failed') };
		});
	};

	const turn = async (interaction: MessageComponentInteraction) => {
		const count = (outcome: string) => metrics.count('discord_interactions_total', { kind: 'component', outcome });
		try {
			await interaction.deferUpdate();
			await interaction.editReply(toPayload(await pageFor(interaction.customId, interaction.locale)));
			count('done');
		} catch (error) {
			const { reason } = toDiscordFailure(error);
			count(reason === 'interaction_taken' ? 'taken' : 'late');
			log.info({ error, reason, interactionId: interaction.id }, 'a page of the log was not turned here');
		}
	};

	return {
		take(interaction) {
			if (!interaction.isMessageComponent() || !isLogId(interaction.customId)) return undefined;
			return turn(interaction);
		},
	};
}
