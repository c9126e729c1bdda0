import { expect, test } from 'vitest';
import { domainOf, isAvailable } from '../../../../core/home/entity.ts';

test.each([
	['light.shelf', 'on', {}, true],
	['light.shelf', 'unavailable', {}, false],
	['light.shelf', 'unknown', {}, false],
	['button.lights_lock', 'unknown', {}, true],
	['scene.evening', 'unknown', {}, true],
	['script.movie_time', 'unknown', {}, true],
	['button.lights_lock', 'unavailable', {}, false],
	['cover.lift', 'unknown', { assumed_state: true }, true],
	['cover.lift', 'unavailable', { assumed_state: true }, false],
])('OVR-19 %s in state %s can be commanded: %s %s', (entityId, state, attributes, wanted) => {
	expect(isAvailable(entityId, state, attributes)).toBe(wanted);
});

test('the domain is what stands before the dot', () => {
	expect(domainOf('light.shelf')).toBe('light');
	expect(domainOf('all')).toBe('all');
});
