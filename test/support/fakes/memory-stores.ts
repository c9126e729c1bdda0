import type { DeployMemory, PanelMemory, PanelPlace } from '../../../bot/deps.ts';
import { OPEN_SITE, type SitePolicy } from '../../../core/overseer/site.ts';
import type {
	MemorySlots,
	MemoryStore,
	OverrideStore,
	Overrides,
	SiteStore,
	StatusStore,
	Vote,
	VoteStore,
} from '../../../core/overseer/stores.ts';
import type { Audit, AuditRow } from '../../../core/tooling/call.ts';

export function createMemorySite(initial: SitePolicy = OPEN_SITE): SiteStore {
	let policy = initial;
	const listeners = new Set<(policy: SitePolicy) => void>();
	const change = (part: Partial<SitePolicy>) => {
		policy = { ...policy, ...part };
		for (const listener of listeners) listener(policy);
	};
	return {
		read: async () => policy,
		setMode: async (mode) => change({ mode }),
		setLightsLock: async (lightsLock) => change({ lightsLock }),
		setPaused: async (paused) => change({ paused }),
		onChange(listener) {
			listeners.add(listener);
			return async () => void listeners.delete(listener);
		},
	};
}

export function createMemoryOverrides(): OverrideStore {
	const rooms = new Map<string, Overrides>();
	return {
		read: async (roomId) => rooms.get(roomId) ?? {},
		set: async (roomId, change) => void rooms.set(roomId, { ...rooms.get(roomId), ...change }),
	};
}

export function createMemorySlots(): MemoryStore {
	const rooms = new Map<string, MemorySlots>();
	const read = (roomId: string): MemorySlots => rooms.get(roomId) ?? ['', '', ''];
	return {
		read: async (roomId) => read(roomId),
		async write(roomId, slot, text) {
			const slots: [string, string, string] = [...read(roomId)];
			slots[slot - 1] = text;
			rooms.set(roomId, slots);
		},
		clear: async (roomId) => void rooms.delete(roomId),
	};
}

export function createMemoryVotes(): VoteStore {
	const rooms = new Map<string, Map<string, Vote>>();
	return {
		read: async (roomId) => Object.fromEntries(rooms.get(roomId) ?? []),
		async set(roomId, personId, vote) {
			const votes = rooms.get(roomId) ?? new Map<string, Vote>();
			rooms.set(roomId, votes);
			if (vote === undefined) votes.delete(personId);
			else votes.set(personId, vote);
		},
	};
}

export function createMemoryStatus<Status>(): StatusStore<Status> {
	const rooms = new Map<string, Status>();
	const listeners = new Set<(roomId: string) => void>();
	return {
		read: async (roomId) => rooms.get(roomId),
		async write(roomId, status) {
			rooms.set(roomId, status);
			for (const listener of listeners) listener(roomId);
		},
		onWrite(listener) {
			listeners.add(listener);
			return async () => void listeners.delete(listener);
		},
	};
}

export function createMemoryAudit(): Audit & { readonly rows: readonly AuditRow[] } {
	const rows: AuditRow[] = [];
	return {
		rows,
		append: async (row) => void rows.push(row),
		query: async ({ room, tool, step, before, limit }) =>
			rows
				.filter((row) => room === undefined || row.room === room)
				.filter((row) => tool === undefined || row.tool === tool)
				.filter((row) => step === undefined || row.step === step)
				.filter((row) => before === undefined || row.at < before)
				.reverse()
				.slice(0, limit),
	};
}

export function createMemoryDeploys(): DeployMemory {
	const hashes = new Map<string, string>();
	return { get: async (scope) => hashes.get(scope), set: async (scope, hash) => void hashes.set(scope, hash) };
}

export function createMemoryPanels(): PanelMemory & { readonly places: ReadonlyMap<string, PanelPlace> } {
	const places = new Map<string, PanelPlace>();
	return {
		places,
		get: async (roomId) => places.get(roomId),
		set: async (roomId, place) => void places.set(roomId, place),
	};
}
