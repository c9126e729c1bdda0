import { type FleetSession, isBusy } from './session.ts';

/** The fleet as far as the scheduler is concerned. */
export interface FleetFacts {
	/** Sessions that run or wait. */
	readonly active: number;
	/** Changes when anything worth telling changed. */
	readonly print: string;
}

export function fleetFacts(sessions: readonly FleetSession[]): FleetFacts {
	const parts = sessions.map(({ id, state, stateAt, staleSince }) => `${id}:${state}:${stateAt}:${staleSince ?? ''}`);
	return { active: sessions.filter(isBusy).length, print: hashOf(parts.sort().join('|')) };
}

/** FNV-1a; only ever compared with itself. */
function hashOf(text: string): string {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
	return `${text.length.toString(36)}-${hash.toString(36)}`;
}
