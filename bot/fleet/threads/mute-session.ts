import type { FleetSession } from '../../../core/fleet/session.ts';
import type { Presser } from '../../../core/fleet/settle-question.ts';
import type { SessionTable } from '../../../core/fleet/stores.ts';
import type { Clock } from '../../../core/ports.ts';

const TRIES = 10;

/** One session as stored; undefined when it is not known. Rejects with `RedisUnavailable`. */
export async function readSession(
	sessions: Pick<SessionTable, 'load'>,
	sessionId: string,
): Promise<FleetSession | undefined> {
	return (await sessions.load(sessionId, [], [])).session;
}

/** Mutes a session or ends that. Gives the session as it then is; undefined when it is not known. */
export async function muteSession(
	{ sessions, clock }: { readonly sessions: Pick<SessionTable, 'load' | 'commit'>; readonly clock: Clock },
	sessionId: string,
	muted: boolean,
	by: Presser,
): Promise<FleetSession | undefined> {
	for (let tries = 0; tries < TRIES; tries += 1) {
		const { session, version } = await sessions.load(sessionId, [], []);
		if (session === undefined || (session.muted === true) === muted) return session;
		const { muted: _, ...rest } = session;
		const now = clock.now();
		const next = { ...rest, ...(muted ? { muted } : {}), updatedAt: now };
		const result = await sessions.commit({
			session: next,
			version,
			questions: [],
			events: [
				{
					at: now,
					kind: 'state',
					sessionId,
					sessionName: session.name,
					cause: { role: 'person', ...by },
					text: muted ? 'muted: no cards and mentions' : 'not muted any more',
				},
			],
			reportIds: [],
		});
		if (result.kind === 'stored') return next;
	}
	throw new Error('the session is written by others all the time');
}
