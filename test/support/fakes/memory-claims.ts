import type { MessageClaims } from '../../../core/overseer/stores.ts';

/** Message claims in this process. `failWith` makes every call reject until it is taken back. */
export interface MemoryClaims extends MessageClaims {
	readonly held: ReadonlySet<string>;
	failWith(error: Error | undefined): void;
	/** Came back empty. */
	lose(): void;
}

export function createMemoryClaims(): MemoryClaims {
	const held = new Set<string>();
	const marks = new Map<string, string>();
	const firsts = new Map<string, string>();
	let failure: Error | undefined;
	const check = () => {
		if (failure !== undefined) throw failure;
	};
	return {
		held,
		failWith(error) {
			failure = error;
		},
		lose() {
			held.clear();
			marks.clear();
			firsts.clear();
		},
		async claim(id) {
			check();
			if (held.has(id)) return false;
			held.add(id);
			return true;
		},
		async release(id) {
			check();
			held.delete(id);
		},
		async lastHandled(channelId) {
			check();
			return marks.get(channelId);
		},
		async firstHandled(channelId) {
			check();
			return firsts.get(channelId);
		},
		async markHandled(channelId, messageId) {
			check();
			if (!firsts.has(channelId)) firsts.set(channelId, messageId);
			const mark = marks.get(channelId);
			if (mark === undefined || BigInt(messageId) > BigInt(mark)) marks.set(channelId, messageId);
		},
	};
}
