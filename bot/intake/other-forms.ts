import {
	type APIActionRowComponent,
	type APIComponentInMessageActionRow,
	type APIModalInteractionResponseCallbackData,
	ButtonStyle,
	ComponentType,
	TextInputStyle,
} from 'discord.js';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { Turn } from '../../core/intake/turn.ts';
import type { Translate } from '../catalogue.ts';
import { clip } from '../views/view.ts';
import { formatIntakeId } from './custom-id.ts';
import { editableTurns } from './editable-turns.ts';
import { FREE } from './round-form.ts';

/** Discord's limit for one text field. */
export const LONGEST_FIELD = 4_000;

function textForm(
	customId: string,
	words: { title: string; label: string; hint: string },
	value?: string,
): APIModalInteractionResponseCallbackData {
	return {
		custom_id: customId,
		title: clip(words.title, 45),
		components: [
			{
				type: ComponentType.Label,
				label: clip(words.label, 45),
				description: clip(words.hint, 100),
				component: {
					type: ComponentType.TextInput,
					custom_id: FREE,
					style: TextInputStyle.Paragraph,
					required: true,
					max_length: LONGEST_FIELD,
					...(value === undefined || value === '' ? {} : { value }),
				},
			},
		],
	};
}

/** Asks for the wish when a command came without it. */
export function startForm(t: Translate): APIModalInteractionResponseCallbackData {
	return textForm(formatIntakeId('start-form', 'new'), {
		title: t('intake.startTitle'),
		label: t('intake.startLabel'),
		hint: t('intake.startHint'),
	});
}

/** An earlier answer, to be written anew. */
export function editForm(sessionId: string, turn: Turn, t: Translate): APIModalInteractionResponseCallbackData {
	const words = { title: t('intake.edit.title'), label: t('intake.edit.label'), hint: t('intake.edit.hint') };
	return textForm(formatIntakeId('edit-form', sessionId, turn.id), words, turn.kind === 'skip' ? '' : turn.content);
}

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** Which answer to change: the newest 25, oldest first. */
export function editMenu(session: IntakeSession, t: Translate): Row {
	return {
		type: ComponentType.ActionRow,
		components: [
			{
				type: ComponentType.StringSelect,
				custom_id: formatIntakeId('edit-pick', session.id),
				placeholder: t('intake.edit.pick'),
				options: editableTurns(session)
					.slice(-25)
					.map((turn) => ({
						value: turn.id,
						label: clip(
							t('intake.edit.answer', { round: turn.round, text: turn.content.replace(/\s+/g, ' ').trim() || '–' }),
							100,
						),
					})),
			},
		],
	};
}

/** The second step of discarding. */
export function discardRow(sessionId: string, version: string, t: Translate): Row {
	return {
		type: ComponentType.ActionRow,
		components: [
			{
				type: ComponentType.Button,
				style: ButtonStyle.Danger,
				label: t('intake.button.sure'),
				custom_id: formatIntakeId('discard-sure', sessionId, version),
			},
		],
	};
}
