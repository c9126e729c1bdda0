import type { TextKey, Translate } from '../catalogue.ts';
import type { View } from './view.ts';

export interface HelpItem {
	readonly path: string;
	readonly help: TextKey;
	readonly example: string;
}

/** Answer of `/help`: how to talk to us, then the commands with one line and an example each. */
export function helpView(
	items: readonly HelpItem[],
	bot: { name: string; readsEverything: boolean },
	t: Translate,
): View {
	const talk = [t('help.talk', { name: bot.name }), ...(bot.readsEverything ? [] : [t('help.mentionsOnly')])];
	const lines = items.map(({ path, help, example }) => {
		const hint = example === `/${path}` ? '' : `\n-# ${t('help.example', { example: `\`${example}\`` })}`;
		return `\`/${path}\` ${t(help)}${hint}`;
	});
	const description = [...talk, '', ...(lines.length === 0 ? [t('help.none')] : lines)].join('\n');
	return { embeds: [{ title: t('help.title'), color: 0x5865f2, description }] };
}
