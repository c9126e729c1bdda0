/** Who caused a change, as far as Home Assistant says. */
export interface Cause {
	readonly entityId: string;
	readonly contextId: string;
	readonly parentId?: string;
	readonly userId?: string;
}

/** `undecided`: a call is still unanswered, and its answer will tell. */
type Verdict = 'own' | 'foreign' | 'undecided';

export interface OwnCall {
	/** The answer came, however late: its context and user are ours. */
	answered(contextId: string, userId: string | undefined): void;
	/** Refused or certainly not done. */
	refused(): void;
	/** No answer is waited for any more; a change of the same entity by our user soon after is still counted as ours. */
	abandoned(): void;
}

/** Remembers the contexts of our own service calls, to tell our echoes from what others do. */
export interface OwnCalls {
	begin(entityId: string): OwnCall;
	judge(cause: Cause): Verdict;
	/** The best guess when waiting for an answer has taken too long. */
	guess(cause: Cause): boolean;
	/** Called whenever an unanswered call is answered, refused or abandoned. */
	onSettled(listener: () => void): () => void;
}

export interface OwnCallsOptions {
	/** Epoch milliseconds. */
	readonly now: () => number;
	/** How long a context stays ours. */
	readonly memoryMs?: number;
	/** How long an unanswered call is suspected behind changes of its entity after it was abandoned. */
	readonly suspicionMs?: number;
}

const maxRemembered = 1_000;

export function createOwnCalls({ now, memoryMs = 600_000, suspicionMs = 60_000 }: OwnCallsOptions): OwnCalls {
	const contexts = new Map<string, number>();
	const pending = new Map<symbol, string>();
	const suspects = new Map<string, number>();
	const listeners = new Set<() => void>();
	let ourUserId: string | undefined;

	const isRecent = (times: ReadonlyMap<string, number>, key: string | undefined, spanMs: number) => {
		const at = key === undefined ? undefined : times.get(key);
		return at !== undefined && now() - at <= spanMs;
	};
	const isOurs = ({ contextId, parentId }: Cause) =>
		isRecent(contexts, contextId, memoryMs) || isRecent(contexts, parentId, memoryMs);
	/** Every call of ours carries our user; a change without user or parent comes from a device. */
	const mayBeOurs = ({ userId, parentId }: Cause) =>
		parentId !== undefined || (userId !== undefined && (ourUserId === undefined || userId === ourUserId));

	function remember(contextId: string): void {
		contexts.set(contextId, now());
		const oldest = contexts.size > maxRemembered ? contexts.keys().next().value : undefined;
		if (oldest !== undefined) contexts.delete(oldest);
	}

	return {
		begin(entityId) {
			const key = Symbol(entityId);
			pending.set(key, entityId);
			const settle = () => {
				if (pending.delete(key)) for (const listener of [...listeners]) listener();
			};
			return {
				answered(contextId, userId) {
					remember(contextId);
					ourUserId = userId ?? ourUserId;
					settle();
				},
				refused: settle,
				abandoned() {
					suspects.set(entityId, now());
					settle();
				},
			};
		},
		judge(cause) {
			if (isOurs(cause)) return 'own';
			if (!mayBeOurs(cause)) return 'foreign';
			if (pending.size > 0) return 'undecided';
			return cause.userId !== undefined && isRecent(suspects, cause.entityId, suspicionMs) ? 'own' : 'foreign';
		},
		guess(cause) {
			if (isOurs(cause)) return true;
			const called = [...pending.values()].includes(cause.entityId);
			const suspected = called || isRecent(suspects, cause.entityId, suspicionMs);
			return suspected && cause.userId !== undefined && mayBeOurs(cause);
		},
		onSettled(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
