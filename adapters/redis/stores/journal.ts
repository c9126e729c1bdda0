import { z } from 'zod';
import type { DecisionJournal } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { modelReplySchema } from '../schema/model-reply.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

const KEEP_MS = 7 * 86_400_000;

/** The first reply of a step stands: a second run of the decision must go on from the same one. KEYS replies; ARGV field, json, ms. */
const KEEP = createScript(`
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

/** KEYS replies; ARGV field, json, ms. */
const KEEP_NEWEST = createScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

/** Replies and notes by decision. A damaged one counts as absent: the model is asked again. */
export function createDecisionJournal(redis: RedisConnection, stored: Stored): DecisionJournal {
	const { keys } = redis;

	async function read<T>(decisionId: string, field: string, schema: z.ZodType<T>): Promise<T | undefined> {
		const key = keys.decision(decisionId);
		return stored.parse(schema, await redis.ask((client) => client.hget(key, field)), `${key} ${field}`);
	}

	return {
		reply: (decisionId, step) => read(decisionId, `reply:${step}`, modelReplySchema),
		async keepReply(decisionId, step, reply) {
			await redis.run(KEEP, [keys.decision(decisionId)], [`reply:${step}`, JSON.stringify(reply), KEEP_MS]);
		},
		note: (decisionId, name) => read(decisionId, `note:${name}`, z.unknown()),
		/** `undefined` is kept as null: JSON has no word for it. */
		async keepNote(decisionId, name, value) {
			await redis.run(
				KEEP_NEWEST,
				[keys.decision(decisionId)],
				[`note:${name}`, JSON.stringify(value ?? null), KEEP_MS],
			);
		},
	};
}
