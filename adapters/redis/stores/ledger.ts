import { z } from 'zod';
import type { Ledger } from '../../../core/tooling/ledger-port.ts';
import type { ToolFamily } from '../../../core/tooling/tool-name.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { ATTEMPT, READ, RELEASE } from './ledger-scripts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const familySchema: z.ZodType<ToolFamily> = z.enum(['chat', 'lift', 'neato', 'light', 'script', 'memory', 'buttonBox']);
const readReply = z.tuple([z.array(z.string()), z.array(z.string()), z.array(z.coerce.number())]);
const attemptReply = z.tuple([z.enum(['ok', 'cooldown', 'busy', 'rate_limit']), z.coerce.number()]);

/** Cooldowns, running calls and spent budget of rooms. One script each, so two processes never both pass. */
export function createLedger(redis: RedisConnection, stored: Stored): Ledger {
	const ledgerKeys = (roomId: string) =>
		(['cooldowns', 'running', 'budget'] as const).map((part) => redis.keys.room(roomId, part));

	function pairs(flat: readonly string[], key: string): [ToolFamily, string[]][] {
		const found: [ToolFamily, string[]][] = [];
		for (let index = 0; index + 1 < flat.length; index += 2) {
			const family = familySchema.safeParse(flat[index]);
			const parts = (flat[index + 1] ?? '').split(' ');
			if (family.success && Number.isFinite(Number(parts[0] || Number.NaN))) found.push([family.data, parts]);
			else stored.report(`${key} ${flat[index]}`, 'not a booking');
		}
		return found;
	}

	return {
		async read(roomId, now) {
			const [cooldownsKey = '', runningKey = ''] = ledgerKeys(roomId);
			const reply = await redis.run(READ, ledgerKeys(roomId), [now, MINUTE_MS, HOUR_MS]);
			const [cooldowns, running, [minuteUsed = 0, hourUsed = 0, minuteOldest = 0, hourOldest = 0]] =
				readReply.parse(reply);
			const readyAt: Partial<Record<ToolFamily, number>> = {};
			for (const [family, [until, cooldownMs]] of pairs(cooldowns, cooldownsKey)) {
				// A clock that was set back must not stretch a cooldown beyond its length.
				readyAt[family] = Math.min(Number(until), now + Number(cooldownMs ?? 0));
			}
			return {
				readyAt,
				running: pairs(running, runningKey)
					.filter(([, [until]]) => Number(until) > now)
					.map(([family]) => family),
				budget: {
					minuteUsed,
					hourUsed,
					...(minuteUsed > 0 && { minuteFreeAt: Math.min(minuteOldest, now) + MINUTE_MS }),
					...(hourUsed > 0 && { hourFreeAt: Math.min(hourOldest, now) + HOUR_MS }),
				},
			};
		},

		async attempt(request) {
			const reply = await redis.run(ATTEMPT, ledgerKeys(request.roomId), [
				request.family,
				request.callId,
				request.now,
				request.cooldownMs,
				request.ignoreCooldown ? 1 : 0,
				request.spend ? 1 : 0,
				request.limits.perMinute,
				request.limits.perHour,
				request.runningUntil ?? '',
				MINUTE_MS,
				HOUR_MS,
			]);
			const [result, freeAt] = attemptReply.parse(reply);
			return result === 'ok' ? { ok: true } : { ok: false, reason: result, freeAt };
		},

		async release(roomId, family, callId) {
			await redis.run(RELEASE, [redis.keys.room(roomId, 'running')], [family, callId]);
		},
	};
}
