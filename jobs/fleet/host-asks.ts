import { anySignal } from '../../core/any-signal.ts';
import type { HostAnswer, HostAsk, HostPost, TakenAsk } from '../../core/fleet/host-post.ts';
import type { SessionControl, StartResult } from '../../core/fleet/session-control.ts';
import type { SessionTable } from '../../core/fleet/stores.ts';
import type { Log } from '../../core/ports.ts';
import { outlastStore } from '../outlast-store.ts';

export interface HostAsksDeps {
	readonly host: string;
	readonly hostPost: HostPost;
	readonly sessions: Pick<SessionTable, 'load'>;
	readonly log: Log;
}

const failed = (why: string): StartResult => ({ kind: 'failed', code: 'not_ready', why });

/** Does what is asked of this machine; each ask once, several at a time. */
export function createHostAsks({ host, hostPost, sessions, log }: HostAsksDeps) {
	/** Begun by this process; a new term of its own does not make them somebody else's. */
	const inHand = new Map<string, Promise<void>>();

	async function act(ask: HostAsk, control: SessionControl, signal: AbortSignal): Promise<HostAnswer> {
		if (ask.kind === 'start') return { kind: 'start', result: await control.start(ask.request, signal) };
		const { session } = await sessions.load(ask.sessionId, [], []);
		const lines = session && (await control.transcript(session, ask.lines, signal));
		return { kind: 'transcript', ...(lines === undefined ? {} : { lines: [...lines] }) };
	}

	async function settle({ ask, state, leftMs }: TakenAsk, control: SessionControl, stopping: AbortSignal) {
		let answer: HostAnswer;
		if (state === 'new') {
			const signal = anySignal([stopping, AbortSignal.timeout(leftMs)]);
			answer = await act(ask, control, signal).catch((error: unknown): HostAnswer => {
				log.error({ host, ask: ask.id, error }, 'what was asked of this machine went wrong');
				return unable(ask, 'something went wrong on the way; the log has it');
			});
		} else {
			answer = unable(
				ask,
				state === 'late'
					? 'the machine came to it too late; nothing was started'
					: 'the process that was starting it ended half-way; look at the sessions before you try again',
			);
		}
		// What came of it is known here and nowhere else.
		await outlastStore(() => hostPost.answer(host, ask.id, answer), stopping);
	}

	return {
		/** Begins what waits; resolves once it is begun. */
		async look(term: number, control: SessionControl, stopping: AbortSignal): Promise<void> {
			for (const taken of await hostPost.take(host, term)) {
				const { id } = taken.ask;
				if (inHand.has(id)) continue;
				const work = settle(taken, control, stopping)
					.catch((error: unknown) => log.warn({ host, ask: id, error }, 'an answer could not be given'))
					.finally(() => inHand.delete(id));
				inHand.set(id, work);
			}
		},
		/** Resolves when nothing is in hand. */
		done: async () => void (await Promise.all(inHand.values())),
	};
}

function unable(ask: HostAsk, why: string): HostAnswer {
	return ask.kind === 'start' ? { kind: 'start', result: failed(why) } : { kind: 'transcript' };
}
