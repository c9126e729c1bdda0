import { type EntityState, isAvailable } from '../../core/home/entity.ts';

/** An entity together with the user behind its last change, which tells our own calls from those of others. */
export interface DecodedEntity extends EntityState {
	readonly contextUserId?: string;
}

export interface DecodedEvent {
	/** Entities after the event, by id. */
	readonly entities: ReadonlyMap<string, DecodedEntity>;
	/** Ids that the event named, each once, in order. */
	readonly touched: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Applies one message of `subscribe_entities` to the entities known so far. `a` adds whole entities, `c` carries
 * differences, `r` removals. Times arrive as epoch seconds; a context is an id or an object, and a difference carries only
 * those parts of it that changed. A difference for an entity never announced, and anything malformed, is passed over.
 */
export function decodeEntityEvent(known: ReadonlyMap<string, DecodedEntity>, event: unknown): DecodedEvent {
	const entities = new Map(known);
	const touched = new Set<string>();
	const { a, c, r } = asJson(event);
	for (const [entityId, added] of Object.entries(asJson(a))) {
		entities.set(entityId, decodeAdded(entityId, asJson(added)));
		touched.add(entityId);
	}
	for (const entityId of Array.isArray(r) ? r : []) {
		if (typeof entityId === 'string' && entities.delete(entityId)) touched.add(entityId);
	}
	for (const [entityId, difference] of Object.entries(asJson(c))) {
		const before = entities.get(entityId);
		if (!before) continue;
		entities.set(entityId, applyDifference(before, asJson(difference)));
		touched.add(entityId);
	}
	return { entities, touched: [...touched] };
}

function decodeAdded(entityId: string, added: Json): DecodedEntity {
	const changedAt = toEpochMs(added['lc']) ?? 0;
	const attributes = asJson(added['a']);
	const state = toText(added['s'], '');
	return {
		entityId,
		state,
		attributes,
		available: isAvailable(entityId, state, attributes),
		lastChangedAt: changedAt,
		lastUpdatedAt: toEpochMs(added['lu']) ?? changedAt,
		...mergeContext({ contextId: '' }, added['c']),
	};
}

function applyDifference(before: DecodedEntity, difference: Json): DecodedEntity {
	const plus = asJson(difference['+']);
	const removed = asJson(difference['-'])['a'];
	const attributes = mergeAttributes(before.attributes, asJson(plus['a']), Array.isArray(removed) ? removed : []);
	const state = toText(plus['s'], before.state);
	const changedAt = toEpochMs(plus['lc']);
	return {
		entityId: before.entityId,
		state,
		attributes,
		available: isAvailable(before.entityId, state, attributes),
		lastChangedAt: changedAt ?? before.lastChangedAt,
		lastUpdatedAt: changedAt ?? toEpochMs(plus['lu']) ?? before.lastUpdatedAt,
		...mergeContext(before, plus['c']),
	};
}

function mergeAttributes(before: Json, added: Json, removed: readonly unknown[]): Json {
	const merged = { ...before, ...added };
	for (const key of removed) if (typeof key === 'string') delete merged[key];
	return merged;
}

type ContextParts = Pick<DecodedEntity, 'contextId' | 'contextParentId' | 'contextUserId'>;

function mergeContext(before: ContextParts, context: unknown): ContextParts {
	const parts: Json = typeof context === 'string' ? { id: context } : asJson(context);
	const parentId = 'parent_id' in parts ? parts['parent_id'] : before.contextParentId;
	const userId = 'user_id' in parts ? parts['user_id'] : before.contextUserId;
	return {
		contextId: typeof parts['id'] === 'string' ? parts['id'] : before.contextId,
		...(typeof parentId === 'string' && { contextParentId: parentId }),
		...(typeof userId === 'string' && { contextUserId: userId }),
	};
}

/** Device texts may end in a newline; it means nothing. */
function toText(value: unknown, fallback: string): string {
	return typeof value === 'string' ? value.trimEnd() : fallback;
}

function toEpochMs(seconds: unknown): number | undefined {
	return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.round(seconds * 1_000) : undefined;
}

function asJson(value: unknown): Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
