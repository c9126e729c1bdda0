import { type Interaction, type MessageComponentInteraction, MessageFlags } from 'discord.js';
import type { Log, Metrics } from '../../../core/ports.ts';
import { createTranslate, toLanguage } from '../../catalogue.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import type { InteractionArea } from '../../interactions/interactions.ts';
import { toPayload, type View } from '../../views/view.ts';
import { cardForm, WORDS } from './card-form.ts';
import { type CardId, isCardId, parseCardId } from './card-id.ts';
import type { CardPress } from './card-press.ts';

export interface CardAreaDeps {
	readonly press: CardPress;
	/** How long the store may take before a form has to be given up. */
	readonly formDeadlineMs?: number;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Discord wants the first answer within three seconds, and a form can only be the first answer. */
const FORM_DEADLINE_MS = 1_500;

/** Buttons, menus and forms of cards. Everything they stand for is in the stores: any process may answer, also later. */
export function createCardArea({ press, formDeadlineMs, log, metrics }: CardAreaDeps): InteractionArea {
	const inTime = async <Result>(work: Promise<Result>): Promise<Result | 'slow'> => {
		let timer: NodeJS.Timeout | undefined;
		const slow = new Promise<'slow'>((resolve) => {
			timer = setTimeout(() => resolve('slow'), formDeadlineMs ?? FORM_DEADLINE_MS);
		});
		return Promise.race([work.catch(() => 'slow' as const), slow]).finally(() => clearTimeout(timer));
	};

	const openForm = async (interaction: MessageComponentInteraction, id: CardId) => {
		const t = createTranslate(toLanguage(interaction.locale));
		const on = await inTime(press.read(id));
		const refusal = (): View | undefined => {
			if (on === 'slow') return { content: t('fleet.card.slow') };
			if (on === undefined) return { content: t('fleet.card.gone') };
			const action = on.question === undefined ? 'message' : 'answer';
			return press.isAllowed(action, interaction, on) ? undefined : { content: t('fleet.card.notYours') };
		};
		const refused = refusal();
		try {
			if (refused !== undefined || on === 'slow' || on === undefined) {
				await interaction.reply({ ...toPayload(refused ?? {}), flags: MessageFlags.Ephemeral });
			} else {
				const name = on.question?.sessionName ?? on.session?.name ?? '';
				await interaction.showModal(cardForm({ ...id, name, isAnswer: on.question !== undefined }, t));
			}
			const outcome = refused === undefined ? 'done' : 'refused';
			metrics.count('discord_interactions_total', { kind: 'component', outcome });
		} catch (error) {
			const { reason } = toDiscordFailure(error);
			metrics.count('discord_interactions_total', { kind: 'component', outcome: 'late' });
			log.warn({ error, reason, interactionId: interaction.id }, 'a form was not opened in time; pressing again helps');
		}
	};

	return {
		take(interaction: Interaction, serve) {
			const isComponent = interaction.isMessageComponent();
			if (!isComponent && !interaction.isModalSubmit()) return undefined;
			if (!isCardId(interaction.customId)) return undefined;
			const id = parseCardId(interaction.customId);
			if (isComponent && id?.act === 'reply') return openForm(interaction, id);
			const kind = isComponent ? ('component' as const) : ('form' as const);
			return serve(interaction, { kind, path: `card ${id?.act ?? 'unknown'}` }, async (t) => {
				if (id === undefined) return { view: { content: t('fleet.card.old') }, outcome: 'refused' };
				if (isComponent) return press.press(interaction, id, t);
				return press.say(interaction, id, interaction.fields.getTextInputValue(WORDS), t);
			});
		},
	};
}
