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

	/** Number of the newest event ever, also when age has emptied the feed. */
	const newest = async (): Promise<number> => {
		const [entries, counter] = await Promise.all([
			redis.ask((client) => client.xrevrange(keys.feed, '+', '-', 'COUNT', 1)),
			redis.ask((client) => client.get(keys.feedSeq)),
		]);
		const found = entriesSchema.parse(entries);
		return found[0] === undefined ? Number(counter ?? 0) : Number.parseInt(found[0][0], 10);
	};

	/** Number of the oldest event that is kept; undefined for an empty feed. */
	const oldest = async (): Promise<number | undefined> => {
		const found = entriesSchema.parse(await redis.ask((client) => client.xrange(keys.feed, '-', '+', 'COUNT', 1)));
		return found[0] === undefined ? undefined : Number.parseInt(found[0][0], 10);
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
			// In this order: what is appended in between must not look like something that is gone.
			const [last, entries, first] = await Promise.all([
				newest(),
				redis.ask((client) => client.xrange(keys.feed, `(${after}-18446744073709551615`, '+', 'COUNT', limit)),
				oldest(),
			]);
			const events = parse(entriesSchema.parse(entries));
			return {
				events,
				lastSeq: Math.max(last, events.at(-1)?.seq ?? 0),
				missed: Math.max(0, (first ?? last + 1) - after - 1),
			};
		},
		async readBack(before, limit) {
			const end = before === undefined ? '+' : `(${before}-0`;
			const [lastSeq, entries, first] = await Promise.all([
				newest(),
				redis.ask((client) => client.xrevrange(keys.feed, end, '-', 'COUNT', limit)),
				oldest(),
			]);
			const found = entriesSchema.parse(entries);
			const isEnd = found.length < limit;
			return { events: parse(found), lastSeq, missed: isEnd ? Math.max(0, (first ?? lastSeq + 1) - 1) : 0 };
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
