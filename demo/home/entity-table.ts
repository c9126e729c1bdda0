import { randomUUID } from 'node:crypto';
import type { Described } from './room/describe-button.ts';

export interface Context {
	readonly id: string;
	readonly parentId: string | null;
	readonly userId: string | null;
}

export interface Entry extends Described {
	readonly entityId: string;
	readonly context: Context;
	/** Epoch milliseconds. */
	readonly lastChangedAt: number;
	readonly lastUpdatedAt: number;
}

export interface EntryChange {
	readonly entityId: string;
	readonly before?: Entry;
	readonly after?: Entry;
}

/** What Home Assistant keeps per entity: the last report, when it changed, and which context changed it. */
export interface EntityTable {
	entries(): ReadonlyMap<string, Entry>;
	/** Stores a report; equal reports change nothing and are told to nobody. */
	put(entityId: string, described: Described, context: Context, now: number): void;
	remove(entityId: string): void;
	clear(): void;
	onChange(listener: (change: EntryChange) => void): () => void;
}

export function createContext(userId: string | null = null, parentId: string | null = null): Context {
	return { id: randomUUID().replaceAll('-', ''), parentId, userId };
}

export function createEntityTable(): EntityTable {
	const entries = new Map<string, Entry>();
	const listeners = new Set<(change: EntryChange) => void>();
	const tell = (change: EntryChange) => {
		for (const listener of [...listeners]) listener(change);
	};
	return {
		entries: () => entries,
		put(entityId, described, context, now) {
			const before = entries.get(entityId);
			const sameState = before?.state === described.state;
			if (before && sameState && isSame(before.attributes, described.attributes)) return;
			const after: Entry = {
				entityId,
				state: described.state,
				attributes: described.attributes,
				context,
				lastChangedAt: before && sameState ? before.lastChangedAt : now,
				lastUpdatedAt: now,
			};
			entries.set(entityId, after);
			tell({ entityId, ...(before && { before }), after });
		},
		remove(entityId) {
			const before = entries.get(entityId);
			if (!entries.delete(entityId) || !before) return;
			tell({ entityId, before });
		},
		clear() {
			entries.clear();
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

function isSame(a: Described['attributes'], b: Described['attributes']): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b);
}
