import { z } from 'zod';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import type { Claims } from '../../../core/tooling/ledger-port.ts';
import type { RedisConnection } from '../connection.ts';
import { callOutcomeSchema } from '../schema/call-outcome.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

const KEEP_MS = 7 * 86_400_000;
const POLL_MS = 1_000;

/** KEYS call; ARGV claim, ms. Returns what is there already, or nothing when this claim is the first. */
const CLAIM = createScript(`
local there = redis.call('GET', KEYS[1])
if there then return there end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
`);

/**
 * The first word on a call stands, except that "unknown" may still be replaced by what really happened.
 *
 * KEYS call; ARGV settled, ms, topic, call id.
 */
const SETTLE = createScript(`
local there = redis.call('GET', KEYS[1])
if there and string.sub(there, 1, 5) == 'done ' and string.sub(there, 1, 13) ~= 'done unknown ' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1
`);

const claimText = /^claimed (\d+)(?: (.+))?$/s;
const doneText = /^done \S+ (.*)$/s;

/** Claims on calls: "claimed <since> <owner>" until it is "done <kind> <outcome as JSON>". */
export function createClaims(redis: RedisConnection, stored: Stored): Claims {
	const topic = redis.keys.topic('call-settled');

	function settled(callId: string, text: string | null): CallOutcome | undefined {
		const json = doneText.exec(text ?? '')?.[1];
		return json === undefined ? undefined : stored.parse(callOutcomeSchema, json, redis.keys.call(callId));
	}

	const outcome = async (callId: string) =>
		settled(callId, await redis.ask((client) => client.get(redis.keys.call(callId))));

	return {
		outcome,
		async claim(callId, now, owner) {
			const claim = ['claimed', Math.round(now), owner].filter((part) => part !== undefined).join(' ');
			const reply = await redis.run(CLAIM, [redis.keys.call(callId)], [claim, KEEP_MS]);
			if (reply === null) return { kind: 'won' };
			const text = z.string().parse(reply);
			const found = settled(callId, text);
			if (found) return { kind: 'done', outcome: found };
			// Damaged or open: nobody knows what happened, so nobody may act.
			const [, since, by] = claimText.exec(text) ?? [];
			if (since === undefined) stored.report(redis.keys.call(callId), 'neither claimed nor done');
			return { kind: 'in_doubt', since: Number(since ?? 0), ...(by === undefined ? {} : { owner: by }) };
		},
		async settle(callId, result) {
			const text = `done ${result.kind} ${JSON.stringify(result)}`;
			await redis.run(SETTLE, [redis.keys.call(callId)], [text, KEEP_MS, topic, callId]);
		},
		waitForOutcome(callId, deadlineMs, signal) {
			return new Promise((resolve, reject) => {
				let over = false;
				const removeListener = redis.topics.listen(topic, (payload) => {
					if (payload === callId) void look();
				});
				// The word may be spoken while this process does not listen: look now and then as well.
				const poll = setInterval(() => void look(), POLL_MS);
				const deadline = setTimeout(() => void look(true), deadlineMs);
				const stop = () => end(() => resolve(undefined));
				function end(answer: () => void): void {
					if (over) return;
					over = true;
					clearInterval(poll);
					clearTimeout(deadline);
					signal?.removeEventListener('abort', stop);
					void removeListener();
					answer();
				}
				async function look(last = false): Promise<void> {
					try {
						const found = await outcome(callId);
						if (found || last) end(() => resolve(found));
					} catch (error) {
						if (last) end(() => reject(error));
					}
				}
				signal?.addEventListener('abort', stop);
				if (signal?.aborted) stop();
				else void look();
			});
		},
	};
}
