import type { FleetSession } from './session.ts';

/** Something long within a turn: one command, one call of a tool. */
export interface RunningCall {
	/** Untrusted: the agent's own words. */
	readonly what: string;
	/** Epoch ms. */
	readonly since: number;
}

/** It is worth telling only when it takes long. */
const LONG_MS = 60_000;

/** What a session is known to run now. One that waits for an answer runs nothing, whatever it began. */
export function runningCall({ state, running }: Pick<FleetSession, 'state' | 'running'>): RunningCall | undefined {
	if (state !== 'working' || running?.what === undefined) return undefined;
	return { what: running.what, since: running.since ?? 0 };
}

/** The same once it takes long. */
export function longCall(session: Pick<FleetSession, 'state' | 'running'>, now: number): RunningCall | undefined {
	const call = runningCall(session);
	return call !== undefined && now - call.since >= LONG_MS ? call : undefined;
}
