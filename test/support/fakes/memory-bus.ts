import type { ChatBus, TypingSignal } from '../../../core/chat/bus-port.ts';
import type { ChatMessage } from '../../../core/chat/message.ts';

/** The chat bus in this process: same promises as the port, kept in an array. */
export interface MemoryBus extends ChatBus {
	/** Everything published, oldest first. */
	readonly messages: readonly ChatMessage[];
	/** Publishing rejects while this is set. */
	failWith(error: Error | undefined): void;
}

interface Group {
	next: number;
	isBusy: boolean;
}

export function createMemoryBus(options: { redeliverAfterMs?: number } = {}): MemoryBus {
	const messages: ChatMessage[] = [];
	const ids = new Set<string>();
	const groups = new Map<string, Group>();
	const pumps = new Set<() => void>();
	const typingListeners = new Set<(signal: TypingSignal) => void>();
	let failure: Error | undefined;
	return {
		messages,
		failWith(error) {
			failure = error;
		},
		async publish(message) {
			if (failure !== undefined) throw failure;
			if (ids.has(message.id)) return 'duplicate';
			ids.add(message.id);
			messages.push(message);
			for (const pump of pumps) pump();
			return 'published';
		},
		async typing(signal) {
			for (const listener of typingListeners) listener(signal);
		},
		consume(name, handle) {
			const group = groups.get(name) ?? { next: 0, isBusy: false };
			groups.set(name, group);
			let isOpen = true;
			let inHand: Promise<void> = Promise.resolve();
			const pump = () => {
				const message = messages[group.next];
				if (!isOpen || group.isBusy || message === undefined) return;
				group.isBusy = true;
				inHand = handle(message).then(
					() => {
						group.next += 1;
						group.isBusy = false;
						for (const other of pumps) other();
					},
					() => {
						group.isBusy = false;
						setTimeout(pump, options.redeliverAfterMs ?? 20);
					},
				);
			};
			pumps.add(pump);
			queueMicrotask(pump);
			return async () => {
				isOpen = false;
				pumps.delete(pump);
				await inHand;
			};
		},
		onTyping(listener) {
			typingListeners.add(listener);
			return async () => {
				typingListeners.delete(listener);
			};
		},
	};
}
