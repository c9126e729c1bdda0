import { type APIButtonComponentWithCustomId, ButtonStyle, ComponentType } from 'discord.js';
import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import { type LogPage, logLine, logPage } from '../../../core/fleet/log-view.ts';
import type { ConciergeStore, FeedStore } from '../../../core/fleet/stores.ts';
import { wordingOf } from '../../../core/fleet/wording/wording-of.ts';
import type { Clock } from '../../../core/ports.ts';
import { createTranslate, type Language } from '../../catalogue.ts';
import { clip, type View } from '../../views/view.ts';
import { plainText } from '../plain-text.ts';
import { formatLogId, type LogQuery } from './log-query.ts';

export interface FleetLogDeps {
	readonly feed: Pick<FeedStore, 'readBack'>;
	readonly concierge: Pick<ConciergeStore, 'read'>;
	readonly clock: Clock;
}

const PAGE = 12;
const CHUNK = 250;
/** Events looked through for one page; the next button goes on where that ended. */
const SCAN_MAX = 5_000;
/** Of one embed. */
const LINES_MAX = 3_900;

/** One page of the feed. Rejects with `RedisUnavailable`. */
export async function showLog(deps: FleetLogDeps, query: LogQuery, language: Language): Promise<View> {
	const t = createTranslate(language);
	const { state } = query.isOwn ? await deps.concierge.read() : { state: undefined };
	if (state?.id === '') return { content: t('fleet.cmd.log.noConcierge') };
	const filter = {
		kinds: query.kinds,
		...(query.sessionId === undefined ? {} : { sessionId: query.sessionId }),
		...(state === undefined ? {} : { causedBy: state.id }),
	};
	const scanned: FeedEvent[] = [];
	let page: LogPage = { events: [], older: undefined };
	let before = query.before;
	let gone = 0;
	for (;;) {
		const { events, missed } = await deps.feed.readBack(before, CHUNK);
		scanned.push(...events);
		gone = missed;
		const isEnd = events.length < CHUNK;
		page = logPage(scanned, filter, PAGE, isEnd);
		if (isEnd || page.events.length === PAGE || scanned.length >= SCAN_MAX) break;
		before = events.at(-1)?.seq;
	}
	return logView(page, gone, query, deps.clock.now(), language);
}

/** `gone`: older events that the feed does not keep any more; said on the last page. */
function logView({ events, older }: LogPage, gone: number, query: LogQuery, now: number, language: Language): View {
	const t = createTranslate(language);
	const words = wordingOf(language);
	const button = (key: 'older' | 'newest', before: number | undefined): APIButtonComponentWithCustomId => {
		const { before: _, ...rest } = query;
		return {
			type: ComponentType.Button,
			style: ButtonStyle.Secondary,
			custom_id: formatLogId(before === undefined ? rest : { ...rest, before }),
			label: t(`fleet.cmd.log.${key}`),
		};
	};
	const buttons = [
		...(query.before === undefined ? [] : [button('newest', undefined)]),
		...(older === undefined ? [] : [button('older', older)]),
	];
	const lines = events.map((event) => plainText(logLine(event, now, words), 600));
	const end = older === undefined && gone > 0 ? `\n-# ${t('fleet.cmd.log.gone', { count: gone })}` : '';
	const body = `${lines.length === 0 ? t('fleet.cmd.log.none') : clip(lines.join('\n'), LINES_MAX)}${end}`;
	return {
		embeds: [
			{
				title: t(query.isOwn ? 'fleet.cmd.log.ownTitle' : 'fleet.cmd.log.title'),
				description: body,
			},
		],
		components: buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }],
	};
}
