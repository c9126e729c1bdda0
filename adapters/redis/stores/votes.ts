import type { Vote, VoteStore } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';

/** Votes by person. A damaged vote is left out, so that the person counts as undecided. */
export function createVoteStore(redis: RedisConnection, stored: Stored): VoteStore {
	const key = (roomId: string) => redis.keys.room(roomId, 'votes');

	return {
		async read(roomId) {
			const votes: Record<string, Vote> = {};
			for (const [personId, vote] of Object.entries(await redis.ask((client) => client.hgetall(key(roomId))))) {
				if (vote === 'yes' || vote === 'no') votes[personId] = vote;
				else stored.report(key(roomId), 'neither yes nor no');
			}
			return votes;
		},
		async set(roomId, personId, vote) {
			await redis.ask((client) =>
				vote ? client.hset(key(roomId), personId, vote) : client.hdel(key(roomId), personId),
			);
		},
	};
}
