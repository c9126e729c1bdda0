import { type Client, Events } from 'discord.js';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { IntakeState } from '../../core/intake/session.ts';
import type { Log } from '../../core/ports.ts';
import type { CardKeeper } from './card-keeper.ts';
import type { IntakePorts } from './intake-ports.ts';
import type { SessionReader } from './session-reader.ts';
import type { ThreadIndex } from './thread-index.ts';
import { findThread, type ThreadPlace } from './thread-place.ts';

export interface ThreadWatchDeps {
	readonly client: () => Client | undefined;
	readonly ports: Pick<IntakePorts, 'desk' | 'store'>;
	readonly reader: SessionReader;
	readonly threads: ThreadIndex;
	readonly cards: CardKeeper;
	/** A person who must know that a session waits or ended, once per change. */
	readonly onLost: (sessionId: string, threadId: string, what: 'locked' | 'forbidden' | 'deleted') => void;
	readonly log: Log;
}

/** What happens to threads, as events of their sessions: locked and out of reach suspend, deleted cancels, open resumes. */
export interface ThreadWatch {
	attach(client: Client): void;
	/** Tells the session what its thread is like; harmless when it knows. */
	report(sessionId: string, threadId: string, what: 'locked' | 'forbidden' | 'deleted' | 'open'): Promise<void>;
	/** Looks at the thread of every living session, and gives the ids of those that are open. */
	checkAll(): Promise<readonly string[]>;
	/** Looks at suspended sessions only: rights may have come back without a word. */
	checkSuspended(): Promise<void>;
}

const LIVING: readonly IntakeState[] = [
	'IDLE',
	'INTENT_RECEIVED',
	'QUESTIONING',
	'RESPONSE_RECEIVED',
	'FINALIZING',
	'REVIEW',
	'HANDOVER',
	'SUSPENDED',
];

export function createThreadWatch(deps: ThreadWatchDeps): ThreadWatch {
	const { ports, reader, threads, cards, log } = deps;

	const eventOf = (threadId: string, what: 'locked' | 'forbidden' | 'deleted' | 'open'): IntakeEvent => {
		if (what === 'deleted') return { kind: 'cancel', id: `thread-${threadId}`, reason: 'thread_deleted' };
		if (what === 'open') return { kind: 'resume' };
		return { kind: 'suspend', reason: what === 'locked' ? 'thread_locked' : 'no_permission' };
	};

	const report: ThreadWatch['report'] = async (sessionId, threadId, what) => {
		const result = await ports.desk.submit(sessionId, eventOf(threadId, what), { waitMs: 0 });
		if (result.kind === 'unavailable' && !result.kept)
			throw new Error(`what happened to a thread could not be stored (${result.reason})`);
		if (result.kind === 'unknown') return;
		log.info({ sessionId, threadId, what }, 'an intake heard of its thread');
		if (what === 'open') cards.touchLater(sessionId, 1_000);
		else deps.onLost(sessionId, threadId, what);
		if (what === 'deleted') threads.forget(threadId);
	};

	const reportOf = async (threadId: string, what: 'locked' | 'deleted' | 'open') => {
		const sessionId = await threads.find(threadId);
		if (sessionId !== undefined) await report(sessionId, threadId, what);
	};

	const safely = (work: Promise<unknown>) =>
		void work.catch((error: unknown) => log.warn({ error }, 'what happened to a thread could not be told'));

	/** Whether the session's own idea of its thread fits; reports when it does not. */
	const compare = async (sessionId: string, place: ThreadPlace, threadId: string) => {
		const session = await reader.read(sessionId);
		if (typeof session === 'string') return;
		const reason = session.suspension?.reason;
		const isWaiting = reason === 'thread_locked' || reason === 'no_permission';
		if (place.kind === 'open') return isWaiting ? report(sessionId, threadId, 'open') : undefined;
		if (place.kind !== 'deleted' && isWaiting) return;
		await report(sessionId, threadId, place.kind);
	};

	const checkStates = async (states: readonly IntakeState[]): Promise<string[]> => {
		const client = deps.client();
		if (!client?.isReady()) return [];
		const open: string[] = [];
		for (const { id, threadId } of await ports.store.list({ states, limit: 1_000 })) {
			if (threadId === undefined) continue;
			threads.note(threadId, id);
			try {
				const place = await findThread(client, threadId);
				await compare(id, place, threadId);
				if (place.kind === 'open') open.push(threadId);
			} catch (error) {
				log.warn({ error, sessionId: id }, 'the thread of an intake could not be looked at');
			}
		}
		return open;
	};

	return {
		attach(client) {
			client.on(Events.ThreadUpdate, (before, after) => {
				if (after.ownerId !== client.user?.id || before.locked === after.locked) return;
				safely(reportOf(after.id, after.locked === true ? 'locked' : 'open'));
			});
			// The library tells only of threads that it happens to remember; an archived one may be deleted as well.
			client.ws.on('THREAD_DELETE' as Parameters<typeof client.ws.on>[0], (data: { id?: unknown }) => {
				if (typeof data.id === 'string') safely(reportOf(data.id, 'deleted'));
			});
			const rightsMayHaveChanged = () => safely(checkStates(['SUSPENDED']));
			client.on(Events.ChannelUpdate, rightsMayHaveChanged);
			client.on(Events.GuildRoleUpdate, rightsMayHaveChanged);
			client.on(Events.ChannelDelete, () => safely(checkStates(LIVING)));
			client.on(Events.GuildMemberUpdate, (_, after) => {
				if (after.id === client.user?.id) rightsMayHaveChanged();
			});
		},
		report,
		checkAll: () => checkStates(LIVING),
		checkSuspended: async () => void (await checkStates(['SUSPENDED'])),
	};
}
