import type { LimitSettings } from '../../config/limits.ts';
import { localDay } from '../local-day.ts';
import type { CallAccount, LimitName } from '../model/model-port.ts';

/** One counter that a call counts in, and how far it may go. Money is in millionths of a US dollar. */
export interface LimitWindow {
	readonly name: LimitName;
	/** Same key, same counter. */
	readonly key: string;
	/** What this call adds. */
	readonly amount: number;
	readonly max: number;
	/** How long the counter has to be kept. */
	readonly keepMs: number;
}

const HOUR_MS = 3_600_000;
/** Longer than the longest local day. */
const DAY_KEPT_MS = 26 * HOUR_MS;
const MINUTE_MS = 60_000;

/**
 * What a call counts in. Hours are those of the clock, days those of the time zone. A call for several people counts for
 * each of them. `usd` is the most that it may cost; what it did cost is corrected afterwards.
 */
export function limitWindows(
	account: Exclude<CallAccount, 'own_budget'> | undefined,
	usd: number,
	settings: LimitSettings,
	now: number,
): LimitWindow[] {
	const hour = Math.floor(now / HOUR_MS);
	const day = localDay(now, settings.timeZone);
	const perHour = (name: 'person' | 'channel', id: string, max: number): LimitWindow => ({
		name,
		key: `${name}:${id}:${hour}`,
		amount: 1,
		max,
		keepMs: HOUR_MS,
	});
	const windows: LimitWindow[] = [
		...[...new Set(account?.personIds)].map((id) => perHour('person', id, settings.perPersonPerHour)),
		...(account === undefined ? [] : [perHour('channel', account.channelId, settings.perChannelPerHour)]),
		{ name: 'day_calls', key: `calls:${day}`, amount: 1, max: settings.perDayCalls, keepMs: DAY_KEPT_MS },
		{
			name: 'day_usd',
			key: `usd:${day}`,
			amount: microUsd(usd),
			max: microUsd(settings.perDayUsd),
			keepMs: DAY_KEPT_MS,
		},
	];
	return windows.filter(({ name, amount, max }) => max > 0 && (name !== 'day_usd' || amount > 0));
}

export function microUsd(usd: number): number {
	return Math.ceil(usd * 1_000_000);
}

/** Epoch ms at which a used-up limit opens again. */
export function limitOpensAt(name: LimitName, settings: LimitSettings, now: number): number {
	if (name === 'person' || name === 'channel') return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
	const today = localDay(now, settings.timeZone);
	// Days begin on a minute everywhere, but not everywhere on the hour of UTC, nor all with 24 hours.
	let [before, after] = [Math.floor(now / MINUTE_MS), Math.ceil((now + DAY_KEPT_MS) / MINUTE_MS)];
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (localDay(middle * MINUTE_MS, settings.timeZone) === today) before = middle;
		else after = middle;
	}
	return after * MINUTE_MS;
}

/** Which limit, for the log and for operators. */
export function limitHint(name: LimitName, settings: LimitSettings): string {
	const [setting, what] = {
		person: ['perPersonPerHour', `${settings.perPersonPerHour} model calls an hour for one person`] as const,
		channel: ['perChannelPerHour', `${settings.perChannelPerHour} model calls an hour for one channel`] as const,
		day_calls: ['perDayCalls', `${settings.perDayCalls} model calls a day`] as const,
		day_usd: ['perDayUsd', `${settings.perDayUsd} US dollars a day`] as const,
	}[name];
	return `The limit of ${what} is used up (limits.${setting}).`;
}
