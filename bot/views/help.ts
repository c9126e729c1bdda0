import type { TextKey, Translate } from '../catalogue.ts';
import type { View } from './view.ts';

export interface HelpItem {
	readonly path: string;
	readonly help: TextKey;
	readonly example: string;
}

/** Parts of the bot that help can be asked about. */
export const HELP_TOPICS = ['room', 'overseer', 'admin', 'intake', 'fleet'] as const;

const FLEET_WORDS = ['concierge', 'session', 'ask', 'log'];
/** What Discord shows in one embed, and some air. */
const LONGEST = 4_000;

function topicOf(path: string): string {
	const [first = ''] = path.split(' ');
	return FLEET_WORDS.includes(first) ? 'fleet' : first;
}

/**
 * Answer of `/help`: how to talk to us, then the commands with one line and an example each. Where that is too long for
 * everything at once, the examples come with `about` only.
 */
export function helpView(
	items: readonly HelpItem[],
	bot: { name: string; readsEverything: boolean },
	t: Translate,
	about?: string,
): View {
	const talk = [t('help.talk', { name: bot.name }), ...(bot.readsEverything ? [] : [t('help.mentionsOnly')])];
	const meant = items.filter(({ path }) => about === undefined || topicOf(path) === about);
	const textOf = (withExamples: boolean) => {
		const lines = meant.map(({ path, help, example }) => {
			const isNews = withExamples && example !== `/${path}`;
			const hint = isNews ? `\n-# ${t('help.example', { example: `\`${example}\`` })}` : '';
			return `\`/${path}\` ${t(help)}${hint}`;
		});
		const more = withExamples ? [] : ['', t('help.more')];
		return [...talk, '', ...(lines.length === 0 ? [t('help.none')] : lines), ...more].join('\n');
	};
	const full = textOf(true);
	const description = full.length <= LONGEST ? full : textOf(false);
	return { embeds: [{ title: t('help.title'), color: 0x5865f2, description }] };
}
