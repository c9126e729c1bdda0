/** Keys of the fleet. All share one hash tag: one script may write sessions, questions and feed together. */
export function createFleetKeys(prefix: string) {
	const key = (part: string) => `{${prefix}:fleet}:v1:${part}`;
	return {
		sessions: key('sessions'),
		/** What each report changes of a session, beside its row. */
		pulses: key('session-pulses'),
		versions: key('session-versions'),
		updated: key('sessions-by-change'),
		/** Lower-case name → session id, and the other way. */
		names: key('names'),
		nameOf: key('name-of'),
		tail: (sessionId: string) => key(`tail:${sessionId}`),
		reports: (sessionId: string) => key(`reports:${sessionId}`),
		questions: key('questions'),
		revisions: key('question-revisions'),
		unsettled: key('questions-unsettled'),
		asked: key('questions-by-time'),
		questionsOf: (sessionId: string) => key(`questions-of:${sessionId}`),
		feed: key('feed'),
		feedSeq: key('feed-seq'),
		inbox: (sessionId: string) => key(`inbox:${sessionId}`),
		inboxIds: (sessionId: string) => key(`inbox-ids:${sessionId}`),
		inboxSeq: key('inbox-seq'),
		watches: key('watches'),
		concierge: key('concierge'),
		memory: key('concierge-memory'),
		cards: key('cards'),
		cardsByTime: key('cards-by-time'),
		places: key('places'),
		threads: key('threads'),
		threadCursor: key('thread-cursor'),
		statusMessage: key('status-message'),
		outbox: key('outbox'),
		outboxDue: key('outbox-due'),
		outboxIds: key('outbox-ids'),
		hosts: key('hosts'),
		hostTerms: key('host-terms'),
		host: (host: string) => key(`host:${host}`),
		hostAsks: (host: string) => key(`host-asks:${host}`),
		/** Machine where an ask was put. */
		hostAsk: (askId: string) => key(`host-ask:${askId}`),
		hostAnswer: (askId: string) => key(`host-answer:${askId}`),
	};
}

export type FleetKeys = ReturnType<typeof createFleetKeys>;
