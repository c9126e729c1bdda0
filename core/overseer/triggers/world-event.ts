import type { Finding, TriggerInput } from './finding.ts';

/** Fires for every event of the house that somebody else caused. */
export function worldEvent({ events }: TriggerInput): Finding | undefined {
	const [first] = events;
	if (first === undefined) return undefined;
	const kinds: Record<string, number> = {};
	for (const { kind } of events) kinds[kind] = (kinds[kind] ?? 0) + 1;
	return {
		trigger: 'world_event',
		evidence: {
			trigger: 'world_event',
			eventIds: events.map(({ id }) => id),
			counts: kinds,
			note: events
				.slice(-3)
				.map(({ text }) => text)
				.join('; '),
		},
		since: Math.min(...events.map(({ at }) => at)),
		newestAt: Math.max(...events.map(({ at }) => at)),
	};
}
