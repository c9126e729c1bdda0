import { anySignal } from '../../core/any-signal.ts';
import type { HostPost } from '../../core/fleet/host-post.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import { hasEnded } from '../../core/fleet/session.ts';
import { HOSTED_SOURCE } from '../../core/fleet/session-control.ts';
import type { SessionTable } from '../../core/fleet/stores.ts';
import type { Random } from '../../core/ports.ts';

export interface TranscriptDeskDeps {
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly hosts: Pick<HostRegister, 'offers'>;
	readonly hostPost: HostPost;
	readonly random: Random;
}

/** A transcript is worth a short wait, no long one. */
const WAIT_MS = 5_000;
const LINES_MAX = 500;

/**
 * The last lines of a session, newest last: from the process that runs it, else what is stored. Undefined when there are none.
 * Rejects with `RedisUnavailable`.
 */
export function createTranscriptDesk({ sessions, hosts, hostPost, random }: TranscriptDeskDeps) {
	async function fromHost(
		host: string,
		sessionId: string,
		lines: number,
		signal: AbortSignal,
	): Promise<readonly string[] | undefined> {
		if (!(await hosts.offers()).some((offer) => offer.host === host)) return undefined;
		const id = `transcript-${random.id()}`;
		await hostPost.put(host, { kind: 'transcript', id, sessionId, lines }, WAIT_MS);
		const answer = await hostPost.wait(id, anySignal([signal, AbortSignal.timeout(WAIT_MS)]));
		if (answer === undefined) await hostPost.withdraw(host, id);
		return answer?.kind === 'transcript' ? answer.lines : undefined;
	}

	return async (sessionId: string, lines: number, signal: AbortSignal): Promise<readonly string[] | undefined> => {
		const wanted = Math.max(1, Math.min(LINES_MAX, Math.floor(lines)));
		const { session } = await sessions.load(sessionId, [], []);
		if (session === undefined) return undefined;
		const isHosted = session.source === HOSTED_SOURCE && !hasEnded(session);
		const found = isHosted ? await fromHost(session.host, sessionId, wanted, signal) : undefined;
		if (found !== undefined && found.length > 0) return found;
		const stored = session.tail.slice(-wanted).map(({ role, text }) => `${role}: ${text}`);
		return stored.length === 0 ? undefined : stored;
	};
}
