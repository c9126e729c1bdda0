import { z } from 'zod';

const startRequest = z.object({
	name: z.string(),
	directory: z.string(),
	task: z.string().optional(),
	model: z.string().optional(),
	ownerId: z.string(),
	resumeFile: z.string().optional(),
	host: z.string().optional(),
});

const startResult = z.union([
	z.object({ kind: z.literal('started'), sessionId: z.string(), name: z.string() }),
	z.object({
		kind: z.enum(['refused', 'failed']),
		code: z.enum(['directory_not_allowed', 'name_taken', 'too_many', 'not_installed', 'not_ready', 'no_such_file']),
		why: z.string(),
	}),
]);

/** Something that only the process which holds a machine can do. */
export const hostAsk = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('start'), id: z.string(), request: startRequest }),
	z.object({ kind: z.literal('transcript'), id: z.string(), sessionId: z.string(), lines: z.number() }),
]);
export type HostAsk = z.infer<typeof hostAsk>;

export const hostAnswer = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('start'), result: startResult }),
	/** Without lines: it has none beyond what is stored. */
	z.object({ kind: z.literal('transcript'), lines: z.array(z.string()).optional() }),
]);
export type HostAnswer = z.infer<typeof hostAnswer>;

/**
 * `new`: to be done within `leftMs`. `late`: nobody waits for it any more, and it was not begun. `broken`: a process that held
 * the machine before began it and ended half-way.
 */
export interface TakenAsk {
	readonly state: 'new' | 'late' | 'broken';
	readonly ask: HostAsk;
	readonly leftMs: number;
}

/**
 * The way to the process that holds a machine, and back. Each ask is begun once. All methods reject with `RedisUnavailable`.
 */
export interface HostPost {
	/**
	 * Puts an ask there, to be begun within `withinMs`. An id that was put before changes nothing, also once it was answered.
	 * Gives the machine where it is.
	 */
	put(host: string, ask: HostAsk, withinMs: number): Promise<string>;
	/** Its answer; waits for one until `signal`, then undefined. */
	wait(askId: string, signal: AbortSignal): Promise<HostAnswer | undefined>;
	/** Takes an ask back; false when it was begun or answered. */
	withdraw(host: string, askId: string): Promise<boolean>;
	/** What waits for a machine and was not begun in this term. Every one of them has to be answered. */
	take(host: string, term: number): Promise<readonly TakenAsk[]>;
	answer(host: string, askId: string, answer: HostAnswer): Promise<void>;
	/** Says that something waits in the inbox of a session there. A call that is lost costs a look. */
	call(host: string, sessionId: string): Promise<void>;
	/**
	 * Hears such calls; undefined: an ask was put there. `afterGap`: whatever was called meanwhile was missed. Returns its
	 * remover.
	 */
	onCall(host: string, listener: (sessionId: string | undefined) => void, afterGap: () => void): () => Promise<void>;
}
