import type { Context, Entry, EntryChange } from './entity-table.ts';

type Json = Record<string, unknown>;

/** The short form of a whole state, as the first message of `subscribe_entities` carries it. */
export function compressEntry(entry: Entry): Json {
	const { context } = entry;
	const plain = context.parentId === null && context.userId === null;
	return {
		s: entry.state,
		a: entry.attributes,
		c: plain ? context.id : { id: context.id, parent_id: context.parentId, user_id: context.userId },
		lc: entry.lastChangedAt / 1_000,
		...(entry.lastUpdatedAt !== entry.lastChangedAt && { lu: entry.lastUpdatedAt / 1_000 }),
	};
}

/** The event a follower gets for one change: added, removed, or only the differences. */
export function compressChange({ entityId, before, after }: EntryChange): Json {
	if (!after) return { r: [entityId] };
	if (!before) return { a: { [entityId]: compressEntry(after) } };
	return { c: { [entityId]: difference(before, after) } };
}

function difference(before: Entry, after: Entry): Json {
	const plus: Json = {};
	if (before.state !== after.state) plus['s'] = after.state;
	if (before.lastChangedAt !== after.lastChangedAt) plus['lc'] = after.lastChangedAt / 1_000;
	else if (before.lastUpdatedAt !== after.lastUpdatedAt) plus['lu'] = after.lastUpdatedAt / 1_000;
	const context = contextDifference(before.context, after.context);
	if (context !== undefined) plus['c'] = context;
	const changed = Object.entries(after.attributes).filter(
		([key, value]) => JSON.stringify(before.attributes[key]) !== JSON.stringify(value),
	);
	if (changed.length > 0) plus['a'] = Object.fromEntries(changed);
	const removed = Object.keys(before.attributes).filter((key) => !(key in after.attributes));
	return { '+': plus, ...(removed.length > 0 && { '-': { a: removed } }) };
}

/** Only what differs: a bare id when the parent and the user stay the same. */
function contextDifference(before: Context, after: Context): unknown {
	const parts: Json = {};
	if (before.parentId !== after.parentId) parts['parent_id'] = after.parentId;
	if (before.userId !== after.userId) parts['user_id'] = after.userId;
	if (before.id === after.id) return Object.keys(parts).length > 0 ? parts : undefined;
	return Object.keys(parts).length > 0 ? { ...parts, id: after.id } : after.id;
}

/** The long form, as `get_states`, `state_changed` events and the REST interface give it. */
export function expandEntry(entry: Entry): Json {
	const iso = (at: number) => new Date(at).toISOString().replace('Z', '+00:00');
	return {
		entity_id: entry.entityId,
		state: entry.state,
		attributes: entry.attributes,
		last_changed: iso(entry.lastChangedAt),
		last_updated: iso(entry.lastUpdatedAt),
		context: { id: entry.context.id, parent_id: entry.context.parentId, user_id: entry.context.userId },
	};
}
