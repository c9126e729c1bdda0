import type { RedisConnection } from '../connection.ts';
import { createStored } from '../stored.ts';
import { createConciergeStore, createMemory, createWatchStore } from './concierge-store.ts';
import { createFeedStore, type FeedBounds } from './feed-store.ts';
import { createFleetKeys } from './fleet-keys.ts';
import { createFleetOutbox } from './fleet-outbox.ts';
import { createFleetPlaces } from './fleet-places.ts';
import { createHostPost } from './host-post.ts';
import { createHostRegister } from './host-register.ts';
import { createQuestionStore } from './question-store.ts';
import { createSessionInbox } from './session-inbox.ts';
import { createSessionTable } from './session-table.ts';

/** Every store of the fleet on one connection; bounds are asked anew at each use. */
export function createFleetStores(redis: RedisConnection, bounds: { feed(): FeedBounds; maxInbox(): number }) {
	const stored = createStored(redis);
	const keys = createFleetKeys(redis.prefix);
	const maxEvents = () => bounds.feed().maxEvents;
	const feed = createFeedStore(redis, stored, keys, bounds.feed);
	const questions = createQuestionStore(redis, stored, keys, maxEvents, feed.told);
	return {
		feed,
		questions,
		sessions: createSessionTable({ redis, stored, keys, questions, maxEvents, feedTold: feed.told }),
		inbox: createSessionInbox(redis, stored, keys, bounds.maxInbox),
		concierge: createConciergeStore(redis, stored, keys),
		memory: createMemory(redis, stored, keys),
		watches: createWatchStore(redis, stored, keys),
		places: createFleetPlaces(redis, stored, keys),
		outbox: createFleetOutbox(redis, stored, keys),
		hosts: createHostRegister(redis, stored, keys),
		hostPost: createHostPost(redis, stored, keys),
	};
}

export type FleetStores = ReturnType<typeof createFleetStores>;
