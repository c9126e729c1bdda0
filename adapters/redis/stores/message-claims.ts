import { randomUUID } from 'node:crypto';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

export interface MessageClaimLimits {
	/** A claim without a mark is free again after this: its holder died half-way. */
	readonly claimMs: number;
	/** How long a handled message is known; longer than any catch-up looks back. */
	readonly handledMs: number;
}

const LIMITS: MessageClaimLimits = { claimMs: 120_000, handledMs: 3 * 86_400_000 };
const snowflake = /^[1-9]\d{0,24}$/;

/** Only the claim's own holder gives it back. KEYS claim; ARGV owner. */
const RELEASE = createScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/**
 * Ids are longer than Lua's numbers are exact: a longer one is later, of two equally long the greater text. The first mark of
 * all is kept beside the last. KEYS last, first; ARGV id.
 */
const MARK = createScript(`
local old = redis.call('GET', KEYS[1])
local new = ARGV[1]
if old and (#old > #new or (#old == #new and old >= new)) then return 0 end
if not old then redis.call('SET', KEYS[2], new) end
redis.call('SET', KEYS[1], new)
return 1
`);

/** Claims on Discord messages, and how far each channel has been handled. */
export function createMessageClaims(
	redis: RedisConnection,
	stored: Stored,
	limits: MessageClaimLimits = LIMITS,
): MessageClaims {
	const { keys } = redis;
	const owner = `claimed ${randomUUID()}`;

	async function readMark(key: string): Promise<string | undefined> {
		const id = await redis.ask((client) => client.get(key));
		if (id === null) return undefined;
		if (snowflake.test(id)) return id;
		stored.report(key, 'not a message id');
		return undefined;
	}

	return {
		async claim(messageId) {
			return (
				(await redis.ask((client) => client.set(keys.message(messageId), owner, 'PX', limits.claimMs, 'NX'))) === 'OK'
			);
		},
		async release(messageId) {
			await redis.run(RELEASE, [keys.message(messageId)], [owner]);
		},
		lastHandled: (channelId) => readMark(keys.channel(channelId, 'last')),
		firstHandled: (channelId) => readMark(keys.channel(channelId, 'first')),
		async markHandled(channelId, messageId) {
			if (!snowflake.test(messageId)) throw new RangeError('a Discord message id is needed');
			await redis.ask((client) => client.set(keys.message(messageId), 'handled', 'PX', limits.handledMs));
			await redis.run(MARK, [keys.channel(channelId, 'last'), keys.channel(channelId, 'first')], [messageId]);
		},
	};
}
