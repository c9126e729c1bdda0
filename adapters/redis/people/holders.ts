import type { PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { createBusHolder, createTranscriptHolder } from './conversation.ts';
import { createFleetHolder } from './fleet-holder.ts';
import { createAuditHolder, createNoteHolder, createVoteHolder } from './room-holders.ts';
import { createWorkingDataHolder } from './working-data.ts';

/** Every place in Redis that may hold something about a person, in the order in which it is erased. */
export function createRedisHolders(redis: RedisConnection): PersonHolder[] {
	return [
		createTranscriptHolder(redis),
		createBusHolder(redis),
		createVoteHolder(redis),
		createAuditHolder(redis),
		createNoteHolder(redis),
		createFleetHolder(redis),
		createWorkingDataHolder(redis),
	];
}
