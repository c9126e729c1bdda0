import type { CallOutcome } from '../../../../core/tooling/call.ts';
import type { Claims, Ledger } from '../../../../core/tooling/ledger-port.ts';
import type { ToolFamily } from '../../../../core/tooling/tool-name.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Ledger of one room in this process. */
export function createMemoryLedger(): Ledger & { readonly booked: readonly string[] } {
	const readyAt: Partial<Record<ToolFamily, number>> = {};
	const running = new Map<ToolFamily, { callId: string; until: number }>();
	const spent: number[] = [];
	const booked: string[] = [];
	const within = (now: number, ms: number) => spent.filter((at) => at > now - ms);
	return {
		booked,
		async read(_roomId, now) {
			const minute = within(now, 60_000);
			const hour = within(now, 3_600_000);
			return {
				readyAt: { ...readyAt },
				running: [...running].filter(([, { until }]) => until > now).map(([family]) => family),
				budget: {
					minuteUsed: minute.length,
					hourUsed: hour.length,
					...(minute[0] !== undefined && { minuteFreeAt: minute[0] + 60_000 }),
					...(hour[0] !== undefined && { hourFreeAt: hour[0] + 3_600_000 }),
				},
			};
		},
		async attempt({ family, callId, now, cooldownMs, ignoreCooldown, spend, limits, runningUntil }) {
			const holder = running.get(family);
			if (runningUntil !== undefined && holder !== undefined && holder.until > now)
				return { ok: false, reason: 'busy', freeAt: holder.until };
			const ready = readyAt[family] ?? 0;
			if (!ignoreCooldown && ready > now) return { ok: false, reason: 'cooldown', freeAt: ready };
			const minute = within(now, 60_000);
			if (spend && minute.length >= limits.perMinute) {
				return { ok: false, reason: 'rate_limit', freeAt: (minute[0] ?? now) + 60_000 };
			}
			readyAt[family] = now + cooldownMs;
			if (spend) spent.push(now);
			if (runningUntil !== undefined) running.set(family, { callId, until: runningUntil });
			booked.push(callId);
			return { ok: true };
		},
		async release(_roomId, family, callId) {
			if (running.get(family)?.callId === callId) running.delete(family);
		},
	};
}

/** Claims in this process: the first word stands, only `unknown` may be replaced. */
export function createMemoryCallClaims(
	time: VirtualTime,
): Claims & { readonly kept: ReadonlyMap<string, CallOutcome | number> } {
	const kept = new Map<string, CallOutcome | number>();
	const outcome = (callId: string) => {
		const found = kept.get(callId);
		return typeof found === 'object' ? found : undefined;
	};
	return {
		kept,
		async claim(callId, now) {
			const found = kept.get(callId);
			if (typeof found === 'object') return { kind: 'done', outcome: found };
			if (found !== undefined) return { kind: 'in_doubt', since: found };
			kept.set(callId, now);
			return { kind: 'won' };
		},
		async settle(callId, result) {
			const found = outcome(callId);
			if (found === undefined || found.kind === 'unknown') kept.set(callId, result);
		},
		outcome: async (callId) => outcome(callId),
		async waitForOutcome(callId, deadlineMs, signal) {
			const until = time.now() + deadlineMs;
			while (outcome(callId) === undefined && time.now() < until && !signal?.aborted) await time.sleep(500, signal);
			return outcome(callId);
		},
	};
}
