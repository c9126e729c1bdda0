import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { anySignal } from '../../../core/any-signal.ts';
import { type HostPost, hostAnswer, hostAsk, type TakenAsk } from '../../../core/fleet/host-post.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';

/** How long an answer is given again under its id. */
const ANSWER_KEPT_MS = 86_400_000;
/** A call over pub/sub may be lost: it is looked this often while somebody waits. */
const LOOK_AGAIN_MS = 500;

const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/**
 * An ask is kept as `<begun by end> <term that began it, or 0> <JSON>`.
 * KEYS place, asks; ARGV id, host, JSON, within, ms its id is known. Returns its machine and whether it is new.
 */
const PUT = createScript(`${NOW}
if not redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[5]) then return {redis.call('GET', KEYS[1]), 0} end
redis.call('HSET', KEYS[2], ARGV[1], (now + tonumber(ARGV[4])) .. ' 0 ' .. ARGV[3])
return {ARGV[2], 1}
`);

/** KEYS place, asks; ARGV id. */
const WITHDRAW = createScript(`
local kept = redis.call('HGET', KEYS[2], ARGV[1])
if not kept or string.match(kept, '^%d+ (%d+)') ~= '0' then return 0 end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
return 1
`);

/** KEYS asks; ARGV term. Returns state, milliseconds left and JSON of each. */
const TAKE = createScript(`${NOW}
local taken = {}
local asks = redis.call('HGETALL', KEYS[1])
for index = 1, #asks, 2 do
  local ends, term, json = string.match(asks[index + 1], '^(%d+) (%d+) (.*)$')
  local left = tonumber(ends) - now
  if term ~= ARGV[1] then
    redis.call('HSET', KEYS[1], asks[index], ends .. ' ' .. ARGV[1] .. ' ' .. json)
    local state = term ~= '0' and 'broken' or left > 0 and 'new' or 'late'
    taken[#taken + 1] = {state, math.max(0, left), json}
  elseif left < -tonumber(ARGV[2]) then
    redis.call('HDEL', KEYS[1], asks[index])
  end
end
return taken
`);

const takenSchema = z.array(z.tuple([z.enum(['new', 'late', 'broken']), z.number(), z.string()]));

export function createHostPost(redis: RedisConnection, stored: Stored, keys: FleetKeys): HostPost {
	const topicOf = (host: string) => redis.keys.topic(`fleet-host-${host}`);
	const answers = redis.keys.topic('fleet-host-answers');

	return {
		async put(host, ask, withinMs) {
			const reply = await redis.run(
				PUT,
				[keys.hostAsk(ask.id), keys.hostAsks(host)],
				[ask.id, host, JSON.stringify(ask), Math.ceil(withinMs), ANSWER_KEPT_MS],
			);
			const [place, isNew] = z.tuple([z.string(), z.number()]).parse(reply);
			if (isNew === 1) await redis.ask((client) => client.publish(topicOf(host), ''));
			return place;
		},
		async wait(askId, signal) {
			let call = new AbortController();
			const unhear = redis.topics.listen(answers, (about) => {
				if (about === askId) call.abort();
			});
			try {
				for (;;) {
					const text = await redis.ask((client) => client.get(keys.hostAnswer(askId)));
					const answer = stored.parse(hostAnswer, text, keys.hostAnswer(askId));
					if (answer !== undefined || signal.aborted) return answer;
					const wake = anySignal([call.signal, signal]);
					await sleep(LOOK_AGAIN_MS, undefined, { signal: wake }).catch(() => undefined);
					call = new AbortController();
				}
			} finally {
				await unhear();
			}
		},
		async withdraw(host, askId) {
			return (await redis.run(WITHDRAW, [keys.hostAsk(askId), keys.hostAsks(host)], [askId])) === 1;
		},
		async take(host, term) {
			const reply = await redis.run(TAKE, [keys.hostAsks(host)], [term, ANSWER_KEPT_MS]);
			return takenSchema.parse(reply).flatMap(([state, leftMs, json]): TakenAsk[] => {
				const ask = stored.parse(hostAsk, json, keys.hostAsks(host));
				return ask === undefined ? [] : [{ state, ask, leftMs }];
			});
		},
		async answer(host, askId, answer) {
			await redis.ask((client) =>
				client
					.multi()
					.set(keys.hostAnswer(askId), JSON.stringify(answer), 'PX', ANSWER_KEPT_MS)
					.hdel(keys.hostAsks(host), askId)
					.exec(),
			);
			await redis.ask((client) => client.publish(answers, askId));
		},
		async call(host, sessionId) {
			await redis.ask((client) => client.publish(topicOf(host), sessionId));
		},
		onCall: (host, listener, afterGap) =>
			redis.topics.listen(topicOf(host), (about) => listener(about === '' ? undefined : about), afterGap),
	};
}
