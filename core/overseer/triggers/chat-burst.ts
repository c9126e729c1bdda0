import type { Finding, TriggerInput } from './finding.ts';

/** Fires when several people wrote many lines in a short time, all of them not yet decided on. */
export function chatBurst({ fresh, now, settings }: TriggerInput): Finding | undefined {
	const { messages, people, windowMs } = settings.gate.burst;
	const recent = fresh.filter(({ at }) => now - at <= windowMs);
	const voices = new Set(recent.map(({ author }) => author.id));
	const [first] = recent;
	if (first === undefined || recent.length < messages || voices.size < people) return undefined;
	return {
		trigger: 'chat_burst',
		evidence: {
			trigger: 'chat_burst',
			messageIds: recent.map(({ id }) => id),
			counts: { messages: recent.length, people: voices.size },
			note: `${recent.length} messages by ${voices.size} people`,
		},
		since: first.at,
		newestAt: Math.max(...recent.map(({ at }) => at)),
	};
}
