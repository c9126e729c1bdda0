import type { IntakeStore } from '../../core/intake/intake-store.ts';
import type { IntakeSession } from '../../core/intake/session.ts';

/** `gone`: deleted or never there. `corrupt`: nothing readable is left (E15). */
export type ReadSession = IntakeSession | 'gone' | 'corrupt';

/** The store did not answer within what an interaction can wait. */
export class StoreSlow extends Error {
	readonly code = 'redis_slow';
}

export interface SessionReader {
	/** The state as the store has it. Rejects with what the store rejects with. */
	read(sessionId: string): Promise<ReadSession>;
	/**
	 * For what must be answered at once, such as opening a form: the store's answer if it comes within the deadline, else
	 * what this process knows. Rejects with `StoreSlow` when it knows nothing.
	 */
	readNow(sessionId: string): Promise<ReadSession>;
	/** Takes over a newer state that came along with something else. */
	note(session: IntakeSession): void;
	forget(sessionId: string): void;
}

const KNOWN_MAX = 300;
/** Discord wants a first answer within three seconds; the answer itself needs some of them. */
const DEADLINE_MS = 1_500;

export function createSessionReader(
	store: Pick<IntakeStore, 'load'>,
	options: { readonly deadlineMs?: number } = {},
): SessionReader {
	const known = new Map<string, IntakeSession>();

	const note = (session: IntakeSession) => {
		const before = known.get(session.id);
		if (before !== undefined && before.revision > session.revision) return;
		known.delete(session.id);
		known.set(session.id, session);
		const oldest = known.keys().next().value;
		if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
	};

	const read = async (sessionId: string): Promise<ReadSession> => {
		const loaded = await store.load(sessionId);
		if (loaded.kind === 'found' || loaded.kind === 'recovered') {
			note(loaded.session);
			return loaded.session;
		}
		known.delete(sessionId);
		return loaded.kind === 'corrupt' ? 'corrupt' : 'gone';
	};

	return {
		read,
		async readNow(sessionId) {
			const deadline = new AbortController();
			const slow = new Promise<'slow'>((resolve) => {
				const timer = setTimeout(() => resolve('slow'), options.deadlineMs ?? DEADLINE_MS);
				deadline.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
			});
			const found = await Promise.race([read(sessionId).catch(() => 'slow' as const), slow]);
			deadline.abort();
			if (found !== 'slow') return found;
			const remembered = known.get(sessionId);
			if (remembered === undefined) throw new StoreSlow('the store did not answer in time');
			return remembered;
		},
		note,
		forget: (sessionId) => void known.delete(sessionId),
	};
}
