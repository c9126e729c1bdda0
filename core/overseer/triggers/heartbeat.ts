import type { OverseerSettings } from '../../../config/overseer.ts';
import type { Finding, TriggerInput } from './finding.ts';

/** Milliseconds between heartbeats; undefined = none. */
export function heartbeatEvery(settings: OverseerSettings, inhabited: boolean): number | undefined {
	const { heartbeatMs, idleHeartbeatMs } = settings.gate;
	if (inhabited) return heartbeatMs;
	return idleHeartbeatMs === 0 ? undefined : Math.max(idleHeartbeatMs, heartbeatMs);
}

/** Fires when nothing was decided for a heartbeat; thinner while nobody is there. */
export function heartbeat({ now, settings, lastDecisionAt, inhabited }: TriggerInput): Finding | undefined {
	const every = heartbeatEvery(settings, inhabited);
	if (every === undefined || now - lastDecisionAt < every) return undefined;
	return {
		trigger: 'heartbeat',
		evidence: {
			trigger: 'heartbeat',
			counts: { quietSeconds: Math.round((now - lastDecisionAt) / 1_000) },
			note: inhabited ? 'nothing decided for a while' : 'nobody here for a while',
		},
		since: now,
		newestAt: now,
	};
}
