import { type APIButtonComponentWithCustomId, ButtonStyle, ComponentType } from 'discord.js';
import { hasEnded } from '../../../core/fleet/session.ts';
import { type HeaderInput, threadHeader } from '../../../core/fleet/thread-view.ts';
import { wordingOf } from '../../../core/fleet/wording/wording-of.ts';
import { createTranslate, type Language, type Translate } from '../../catalogue.ts';
import { clip, inline, type View } from '../../views/view.ts';
import { stamp } from '../plain-text.ts';
import { formatThreadId, type ThreadAction } from './thread-id.ts';

/** What stands on top of a session's thread: how it is, and what can be done with it. */
export function headerView(
	input: Omit<HeaderInput, 'ago' | 'plain' | 'words'>,
	language: Language,
): View & { readonly content: string } {
	const { session } = input;
	const t = createTranslate(language);
	const words = wordingOf(language);
	const button = (
		action: ThreadAction,
		style: ButtonStyle = ButtonStyle.Secondary,
	): APIButtonComponentWithCustomId => ({
		type: ComponentType.Button,
		style: style as APIButtonComponentWithCustomId['style'],
		custom_id: formatThreadId(action, session.id),
		label: t(`fleet.thread.button.${action}`),
	});
	const buttons = [
		button('transcript'),
		button(session.muted === true ? 'unmute' : 'mute'),
		...(hasEnded(session) ? [] : [button('end')]),
	];
	return {
		content: clip(threadHeader({ ...input, ago: stamp, plain: (text) => inline(text, 700), words }), 2_000),
		components: [{ type: ComponentType.ActionRow, components: buttons }],
	};
}

/** Asks which of the two is meant; nothing happens before that. */
export function endView(session: HeaderInput['session'], t: Translate): View {
	const button = (action: 'abort' | 'stop', style: ButtonStyle.Secondary | ButtonStyle.Danger) => ({
		type: ComponentType.Button as const,
		style,
		custom_id: formatThreadId(action, session.id),
		label: t(`fleet.thread.button.${action}`),
	});
	return {
		content: t('fleet.thread.endWhich', { name: inline(session.name, 80) }),
		components: [
			{
				type: ComponentType.ActionRow,
				components: [button('abort', ButtonStyle.Secondary), button('stop', ButtonStyle.Danger)],
			},
		],
	};
}
