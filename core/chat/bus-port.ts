import type { ChatMessage } from './message.ts';

/** Somebody is writing in a room until `until` (epoch ms). */
export interface TypingSignal {
	readonly room: string;
	readonly source: string;
	readonly until: number;
}

/**
 * The one chat path. Anyone may publish; only the Discord relay posts. Publishing an id that is known is a no-op, so
 * redeliveries are harmless.
 */
export interface ChatBus {
	/** Rejects with a `RedisUnavailable` error when the bus cannot be reached in time; then nothing was published. */
	publish(message: ChatMessage): Promise<'published' | 'duplicate'>;
	typing(signal: TypingSignal): Promise<void>;
	/**
	 * Delivers each message to one member of the named group, in order, at least once: it is redelivered until `handle`
	 * resolves. At most one member of a group reads at a time. Returns the remover, which waits for the message in hand.
	 */
	consume(group: string, handle: (message: ChatMessage) => Promise<void>): () => Promise<void>;
	/** Hears everybody's typing signals, at most once each; returns the remover. */
	onTyping(listener: (signal: TypingSignal) => void): () => Promise<void>;
}
