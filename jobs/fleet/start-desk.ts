import { anySignal } from '../../core/any-signal.ts';
import { chooseHost } from '../../core/fleet/choose-host.ts';
import type { HostPost } from '../../core/fleet/host-post.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import type { StartRequest, StartResult } from '../../core/fleet/session-control.ts';
import type { StartDesk } from '../../core/fleet/start-desk.ts';

export interface StartDeskDeps {
	readonly hosts: Pick<HostRegister, 'offers'>;
	readonly hostPost: HostPost;
	/** Longest time that a machine takes until a session answers. */
	readyTimeoutMs(): number;
}

/** A machine notices an ask at once, or with its next beat. */
const NOTICE_MS = 10_000;
/** How often it is looked whether the machine is still there. */
const LOOK_MS = 2_000;

const failed = (why: string): StartResult => ({ kind: 'failed', code: 'not_ready', why });

/** Starts sessions from any process: the ask is kept in Redis, and the process that holds the machine takes it there. */
export function createStartDesk({ hosts, hostPost, readyTimeoutMs }: StartDeskDeps): StartDesk {
	const isThere = async (host: string) => (await hosts.offers()).some((offer) => offer.host === host);

	async function answered(requestId: string, signal: AbortSignal): Promise<StartResult | undefined> {
		const answer = await hostPost.wait(requestId, signal);
		return answer?.kind === 'start' ? answer.result : undefined;
	}

	/** The asker waits no longer. */
	async function giveUp(host: string, requestId: string, why: string): Promise<StartResult> {
		if (await hostPost.withdraw(host, requestId)) return failed(`${why}; nothing was started`);
		const late = await answered(requestId, AbortSignal.abort());
		return late ?? failed(`${why}; the session may still come up, so look at the sessions before you try again`);
	}

	async function waitFor(host: string, requestId: string, withinMs: number, signal: AbortSignal): Promise<StartResult> {
		const deadline = AbortSignal.timeout(withinMs + NOTICE_MS);
		let missing = 0;
		for (;;) {
			const slice = anySignal([signal, deadline, AbortSignal.timeout(LOOK_MS)]);
			const result = await answered(requestId, slice);
			if (result !== undefined) return result;
			if (signal.aborted) return giveUp(host, requestId, `there was no answer from ${host} in time`);
			if (deadline.aborted) return giveUp(host, requestId, `${host} did not answer in time`);
			missing = (await isThere(host)) ? 0 : missing + 1;
			// Twice: between two processes of one machine there is a moment without any.
			if (missing > 1) return giveUp(host, requestId, `${host} went away`);
		}
	}

	return {
		hosts: () => hosts.offers(),
		async start(requestId: string, request: StartRequest, signal: AbortSignal) {
			const before = await answered(requestId, AbortSignal.abort());
			if (before !== undefined) return before;
			const chosen = chooseHost(await hosts.offers(), request);
			if (chosen.kind === 'refused') return chosen;
			const withinMs = readyTimeoutMs() + NOTICE_MS;
			const host = await hostPost.put(chosen.host, { kind: 'start', id: requestId, request }, withinMs);
			return waitFor(host, requestId, withinMs, signal);
		},
	};
}
