import {
	type APIActionRowComponent,
	type APIButtonComponentWithCustomId,
	type APIComponentInMessageActionRow,
	ButtonStyle,
	ComponentType,
} from 'discord.js';
import { clip, inline } from '../../views/view.ts';

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export const TONES = { open: 0xf0b232, sending: 0x5865f2, done: 0x57c7a3, failed: 0xd83c3e, gone: 0x80848e } as const;

const STYLES = {
	primary: ButtonStyle.Primary,
	secondary: ButtonStyle.Secondary,
	success: ButtonStyle.Success,
	danger: ButtonStyle.Danger,
} as const;

export function button(
	customId: string,
	label: string,
	style: keyof typeof STYLES = 'secondary',
): APIButtonComponentWithCustomId {
	return { type: ComponentType.Button, custom_id: customId, label: clip(label, 80), style: STYLES[style] };
}

/** No row at all where there is nothing to press. */
export function buttonRow(buttons: readonly APIButtonComponentWithCustomId[]): Row[] {
	return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: [...buttons] }];
}

/** Above a card: who is called, and the concierge's words. */
export function cardHead(mentions: readonly string[], headline: string | undefined): string {
	const said = headline === undefined ? [] : [inline(headline, 500)];
	return [...mentions.map((id) => `<@${id}>`), ...said].join(' ');
}
