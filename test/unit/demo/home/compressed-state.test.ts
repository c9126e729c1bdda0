import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecodedEntity, decodeEntityEvent } from '../../../../adapters/home/entity-decoder.ts';
import { compressChange } from '../../../../demo/home/compressed-state.ts';
import { createEntityTable } from '../../../../demo/home/entity-table.ts';

const text = fc.constantFrom('on', 'off', 'unavailable', 'opening');
const reports = fc.array(
	fc.record({
		entityId: fc.constantFrom('light.shelf', 'light.bench', 'cover.lift'),
		remove: fc.boolean(),
		state: text,
		attributes: fc.dictionary(
			fc.constantFrom('brightness', 'rgb_color', 'position'),
			fc.oneof(fc.integer(), fc.array(fc.integer()), fc.constant(null)),
		),
		context: fc.record({
			id: fc.constantFrom('a', 'b', 'c'),
			parentId: fc.constantFrom(null, 'p'),
			userId: fc.constantFrom(null, 'u', 'v'),
		}),
		afterMs: fc.integer({ min: 0, max: 5_000 }),
	}),
	{ maxLength: 30 },
);

test('OVR-3 what the loopback compresses, the adapter decodes to the same states, times and causes', () => {
	fc.assert(
		fc.property(reports, (list) => {
			const table = createEntityTable();
			let decoded: ReadonlyMap<string, DecodedEntity> = new Map();
			table.onChange((change) => {
				decoded = decodeEntityEvent(decoded, JSON.parse(JSON.stringify(compressChange(change)))).entities;
			});
			let now = 1_700_000_000_000;
			for (const { entityId, remove, state, attributes, context, afterMs } of list) {
				now += afterMs;
				if (remove) table.remove(entityId);
				else table.put(entityId, { state, attributes }, context, now);
			}
			const wanted = [...table.entries().values()].map(
				({ entityId, state, attributes, context, lastChangedAt, lastUpdatedAt }) => ({
					entityId,
					state,
					attributes,
					lastChangedAt,
					lastUpdatedAt,
					contextId: context.id,
					contextParentId: context.parentId ?? undefined,
					contextUserId: context.userId ?? undefined,
				}),
			);
			const got = [...decoded.values()].map(({ available: _a, contextParentId, contextUserId, ...rest }) => ({
				...rest,
				contextParentId,
				contextUserId,
			}));
			const byId = (a: { entityId: string }, b: { entityId: string }) => a.entityId.localeCompare(b.entityId);
			expect(got.sort(byId)).toEqual(wanted.sort(byId));
		}),
	);
});
