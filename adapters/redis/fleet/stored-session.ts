import type { z } from 'zod';
import { type FleetSession, fleetSession } from '../../../core/fleet/session.ts';

/** What every report changes. It stands beside the row, so that an ordinary report need not write all of it again. */
export const sessionPulse = fleetSession.pick({
	reportedAt: true,
	updatedAt: true,
	lastReport: true,
	lastAt: true,
	order: true,
});
type SessionPulse = z.infer<typeof sessionPulse>;

const APART: ReadonlySet<string> = new Set(['tail', ...Object.keys(sessionPulse.shape)]);
const ROW_PARTS = (Object.keys(fleetSession.shape) as (keyof FleetSession)[]).filter((part) => !APART.has(part));

/** A session without its tail, which is a list of its own. */
export function rowText(session: FleetSession): string {
	return JSON.stringify({ ...session, tail: [] });
}

export function pulseText({ reportedAt, updatedAt, lastReport, lastAt, order }: FleetSession): string {
	return JSON.stringify({ reportedAt, updatedAt, lastReport, lastAt, order } satisfies SessionPulse);
}

/** Whether the row of one is good for the other; parts that were made anew count as changed. */
export function hasSameRow(left: FleetSession, right: FleetSession): boolean {
	for (const part of ROW_PARTS) if (left[part] !== right[part]) return false;
	return true;
}
