import type { Context, Env } from 'hono';
import { streamSSE } from 'hono/streaming';
import { anySignal } from '../../../core/any-signal.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Metrics } from '../../../core/ports.ts';
import type { Answer } from './answers.ts';

const LOOK_EVERY_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 3_600_000;

interface StreamOptions {
	readonly after: number;
	load(): Promise<IntakeSession | undefined>;
	answers(session: IntakeSession, after: number): Promise<readonly Answer[]>;
	wire(answer: Answer): unknown;
	/** Resolves when something happened, after `ms` at the latest. */
	next(ms: number, signal: AbortSignal): Promise<void>;
	readonly closing: AbortSignal;
	readonly metrics: Metrics;
}

/**
 * Sends what the session says as it says it: `id` is the number to go on from, `event` the packet's subject. Ends when the
 * session has ended and everything was sent; whoever is cut off comes back with Last-Event-ID.
 */
export function streamAnswers<E extends Env>(c: Context<E>, options: StreamOptions): Response {
	return streamSSE(c, async (stream) => {
		const gone = new AbortController();
		stream.onAbort(() => gone.abort());
		const signal = anySignal([gone.signal, options.closing, AbortSignal.timeout(LONGEST_MS)]);
		let after = options.after;
		let quietSince = performance.now();
		while (!signal.aborted) {
			const session = await options.load();
			if (!session) return;
			const answers = await options.answers(session, after);
			for (const answer of answers) {
				after = answer.seq;
				const event = answer.kind === 'packet' ? answer.packet.subject : answer.kind;
				await stream.writeSSE({ id: String(answer.seq), event, data: JSON.stringify(options.wire(answer)) });
				quietSince = performance.now();
			}
			const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
			if (isOver && answers.length === 0) {
				await stream.writeSSE({ event: 'end', data: JSON.stringify({ state: session.state }) });
				return;
			}
			if (performance.now() - quietSince > HEARTBEAT_MS) {
				await stream.write(': still here\n\n');
				quietSince = performance.now();
			}
			await options.next(isOver ? 10 : LOOK_EVERY_MS, signal);
		}
	});
}
