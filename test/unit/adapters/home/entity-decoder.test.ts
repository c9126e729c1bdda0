import { expect, test } from 'vitest';
import { type DecodedEntity, decodeEntityEvent } from '../../../../adapters/home/entity-decoder.ts';

const first = {
	a: {
		'light.shelf': { s: 'on', a: { brightness: 10, effect: 'none' }, c: 'c1', lc: 100.5, lu: 101.25 },
		'light.bench': { s: 'unavailable', a: {}, c: { id: 'c2', parent_id: 'p', user_id: 'u' }, lc: 90 },
	},
};

function start(): ReadonlyMap<string, DecodedEntity> {
	return decodeEntityEvent(new Map(), first).entities;
}

test('OVR-3 whole entities: seconds become milliseconds, a missing update time equals the change time', () => {
	const entities = start();
	expect(entities.get('light.shelf')).toEqual({
		entityId: 'light.shelf',
		state: 'on',
		attributes: { brightness: 10, effect: 'none' },
		available: true,
		lastChangedAt: 100_500,
		lastUpdatedAt: 101_250,
		contextId: 'c1',
	});
	expect(entities.get('light.bench')).toMatchObject({
		available: false,
		lastChangedAt: 90_000,
		lastUpdatedAt: 90_000,
		contextId: 'c2',
		contextParentId: 'p',
		contextUserId: 'u',
	});
});

test('OVR-3 a colour-only change moves the update time and keeps the change time', () => {
	const { entities, touched } = decodeEntityEvent(start(), {
		c: { 'light.shelf': { '+': { a: { brightness: 20 }, lu: 200, c: 'c9' }, '-': { a: ['effect'] } } },
	});
	expect(touched).toEqual(['light.shelf']);
	expect(entities.get('light.shelf')).toMatchObject({
		state: 'on',
		attributes: { brightness: 20 },
		lastChangedAt: 100_500,
		lastUpdatedAt: 200_000,
		contextId: 'c9',
	});
	expect(entities.get('light.shelf')?.attributes).not.toHaveProperty('effect');
});

test('OVR-3 a context difference keeps the parts it does not name and clears those it names as null', () => {
	const idOnly = decodeEntityEvent(start(), { c: { 'light.bench': { '+': { c: 'c3', s: 'on', lc: 95 } } } });
	expect(idOnly.entities.get('light.bench')).toMatchObject({
		contextId: 'c3',
		contextParentId: 'p',
		contextUserId: 'u',
	});
	const parts = { id: 'c4', parent_id: null, user_id: null };
	const cleared = decodeEntityEvent(start(), { c: { 'light.bench': { '+': { c: parts } } } }).entities.get(
		'light.bench',
	);
	expect(cleared).not.toHaveProperty('contextParentId');
	expect(cleared).not.toHaveProperty('contextUserId');
	expect(cleared?.contextId).toBe('c4');
});

test('H05 a removed entity is gone, and decoding leaves the map it was given alone', () => {
	const before = start();
	const { entities, touched } = decodeEntityEvent(before, { r: ['light.shelf', 'light.never'] });
	expect([...entities.keys()]).toEqual(['light.bench']);
	expect(touched).toEqual(['light.shelf']);
	expect(before.has('light.shelf')).toBe(true);
});

test('H08 a trailing newline of a device is dropped', () => {
	const { entities } = decodeEntityEvent(new Map(), {
		a: { 'sensor.neato_ui_state': { s: 'UIMGR_STATE_IDLE\n', a: {}, lc: 1 } },
	});
	expect(entities.get('sensor.neato_ui_state')?.state).toBe('UIMGR_STATE_IDLE');
});

test.each([
	['nothing', undefined],
	['a number', 3],
	['an array', []],
	['a difference for an unknown entity', { c: { 'light.other': { '+': { s: 'on' } } } }],
	['removals that are no list', { r: 'light.shelf' }],
	['entities that are no object', { a: null, c: 7, r: [4] }],
])('malformed events are passed over: %s', (_what, event) => {
	const { entities, touched } = decodeEntityEvent(start(), event);
	expect(entities).toEqual(start());
	expect(touched).toEqual([]);
});

test('an entity named like an inherited property is an entity like any other', () => {
	const { entities } = decodeEntityEvent(new Map(), JSON.parse('{"a":{"__proto__":{"s":"on","a":{},"lc":1}}}'));
	expect(Object.prototype).not.toHaveProperty('s');
	expect([...entities.keys()]).toEqual(['__proto__']);
});
