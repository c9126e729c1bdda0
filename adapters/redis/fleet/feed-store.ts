import { z } from 'zod';
import { type FeedDraft, type FeedEvent, feedDraft } from '../../../core/fleet/feed-event.ts';
import type { FeedStore } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { APPEND, FEED_FACTS } from './fleet-scripts.ts';

export interface FeedBounds {
	readonly maxEvents: number;
	readonly maxAgeMs: number;
}

const entriesSchema = z.array(z.tuple([z.string(), z.array(z.string())]));

/** The form in which scripts take drafts: who caused it and when stand beside the text, so that counting reads no texts. */
export function packDrafts(drafts: readonly FeedDraft[]): string[] {
	return drafts.flatMap((draft) => [draft.cause.whoId, String(draft.at), JSON.stringify(draft)]);
}

export function createFeedStore(
	redis: RedisConnection,
	stored: Stored,
	keys: FleetKeys,
	bounds: () => FeedBounds,
): FeedStore & { told(): Promise<void>; trim(now: number): Promise<void> } {
	const topic = redis.keys.topic('fleet-feed');
	const told = async () => {
		await redis.ask((client) => client.publish(topic, ''));
	};

	function parse(entries: z.infer<typeof entriesSchema>): FeedEvent[] {
		return entries.flatMap(([id, fields]) => {
			const draft = stored.parse(feedDraft, fields[5], `${keys.feed} ${id}`);
			return draft ? [{ ...draft, seq: Number.parseInt(id, 10) }] : [];
		});
	}

	const edge = async (newest: boolean): Promise<number> => {
		const found = entriesSchema.parse(
			await redis.ask((client) =>
				newest ? client.xrevrange(keys.feed, '+', '-', 'COUNT', 1) : client.xrange(keys.feed, '-', '+', 'COUNT', 1),
			),
		);
		return Number.parseInt(found[0]?.[0] ?? '0', 10);
	};

	return {
		told,
		async append(drafts) {
			if (drafts.length === 0) return [];
			const args = [bounds().maxEvents, drafts.length, ...packDrafts(drafts)];
			const last = Number(await redis.run(APPEND, [keys.feed, keys.feedSeq], args));
			await told();
			return drafts.map((draft, index) => ({ ...draft, seq: last - drafts.length + index + 1 }));
		},
		async read(after, limit) {
			const [entries, oldest, lastSeq] = await Promise.all([
				redis.ask((client) => client.xrange(keys.feed, `(${after}-18446744073709551615`, '+', 'COUNT', limit)),
				edge(false),
				edge(true),
			]);
			return {
				events: parse(entriesSchema.parse(entries)),
				lastSeq,
				missed: oldest > after + 1 ? oldest - after - 1 : 0,
			};
		},
		async readBack(before, limit) {
			const end = before === undefined ? '+' : `(${before}-0`;
			const [entries, lastSeq] = await Promise.all([
				redis.ask((client) => client.xrevrange(keys.feed, end, '-', 'COUNT', limit)),
				edge(true),
			]);
			return { events: parse(entriesSchema.parse(entries)), lastSeq, missed: 0 };
		},
		async facts(after, ownId) {
			const reply = await redis.run(FEED_FACTS, [keys.feed, keys.feedSeq], [after, ownId]);
			const [lastSeq, foreign, first] = z.tuple([z.number(), z.number(), z.string()]).parse(reply);
			return { lastSeq, foreign, firstForeignAt: first === '' ? undefined : Number(first) };
		},
		onAppend: (listener) => redis.topics.listen(topic, listener, listener),
		async trim(now) {
			for (;;) {
				const page = parse(
					entriesSchema.parse(await redis.ask((client) => client.xrange(keys.feed, '-', '+', 'COUNT', 500))),
				);
				const kept = page.find(({ at }) => at >= now - bounds().maxAgeMs);
				const upTo = kept?.seq ?? (page.at(-1)?.seq ?? 0) + 1;
				if (page.length === 0 || upTo === page[0]?.seq) return;
				await redis.ask((client) => client.xtrim(keys.feed, 'MINID', `${upTo}-0`));
				if (kept) return;
			}
		},
	};
}
