import { type Finding, findingsOf } from './finding.ts';

/** Another clock, read over a line that took `uncertainMs` at most to answer. */
export interface ClockReading {
	readonly source: string;
	/** Its time minus ours, in milliseconds. */
	readonly aheadMs: number;
	/** How far off the reading itself can be. */
	readonly uncertainMs: number;
}

const NOTICEABLE_MS = 5_000;
const HARMFUL_MS = 60_000;
const { error, warning } = findingsOf('clock');

/** Compares clocks. Where most others agree against ours, it is ours that is wrong. */
export function judgeClock(readings: readonly ClockReading[]): Finding[] {
	const off = readings.filter(({ aheadMs, uncertainMs }) => Math.abs(aheadMs) - uncertainMs > NOTICEABLE_MS);
	const ours = off.length > 0 && off.length > readings.length / 2;
	const told = ours ? off.slice(0, 1) : off;
	return told.map(({ source, aheadMs }) => {
		const by = `${Math.round(Math.abs(aheadMs) / 1_000)} s`;
		const severity = Math.abs(aheadMs) >= HARMFUL_MS ? error : warning;
		return ours
			? severity(
					'clock_ours',
					`This machine's clock is ${by} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${source}: cooldowns, catch-up and signatures go wrong.`,
					'Switch on time synchronisation: sudo timedatectl set-ntp true (in a virtual machine also on its host).',
				)
			: severity(
					'clock_theirs',
					`The clock of ${source} is ${by} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`,
					`Switch on time synchronisation on the machine of ${source}: sudo timedatectl set-ntp true.`,
				);
	});
}
