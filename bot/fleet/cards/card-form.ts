import { type APIModalInteractionResponseCallbackData, ComponentType, TextInputStyle } from 'discord.js';
import type { Translate } from '../../catalogue.ts';
import { clip } from '../../views/view.ts';
import { formatCardId } from './card-id.ts';

/** Custom id of its one field. */
export const WORDS = 'words';
/** Discord's limit for one text field. */
const LONGEST = 4_000;

/** Takes a person's own words for a question or a failed session. */
export function cardForm(
	card: { readonly needId: string; readonly detail: string; readonly name: string; readonly isAnswer: boolean },
	t: Translate,
): APIModalInteractionResponseCallbackData {
	return {
		custom_id: formatCardId('words', card.needId, card.detail),
		title: clip(t('fleet.card.formTitle', { name: card.name }), 45),
		components: [
			{
				type: ComponentType.Label,
				label: clip(t(card.isAnswer ? 'fleet.card.formAnswer' : 'fleet.card.formMessage'), 45),
				description: clip(t('fleet.card.formHint'), 100),
				component: {
					type: ComponentType.TextInput,
					custom_id: WORDS,
					style: TextInputStyle.Paragraph,
					required: true,
					max_length: LONGEST,
				},
			},
		],
	};
}
