import { expect, test } from 'vitest';
import { COMMENTARY_SOURCE, commentaryState } from '../../../core/overseer/commentary.ts';
import { readPeople } from '../../../core/overseer/people.ts';
import { renderCommentaryMessages } from '../../../prompts/commentary/messages.ts';
import { line, settingsOf, T0, worldOf } from '../core/overseer/room-fixture.ts';
import { shippedPrompts } from './prompt-files.ts';

const settings = settingsOf({ name: 'Hal' });
const world = worldOf({
	rovers: [{ id: 'rover1', driving: true, driver: 'alex', docked: false, available: true }],
	lift: { position: 'up', busy: false, available: true },
	lights: [{ entityId: 'light.a', label: 'a', show: 'state', state: 'on', available: true, colorModes: [] }],
});
const window = [
	line(1, -20, 'alex', 'watch this'),
	{ ...line(2, -10, 'Hal', 'Watching.', { own: true }), source: COMMENTARY_SOURCE },
	line(3, -5, 'Hal', 'I lift.', { own: true }),
];

test('OVR-28 the commentator is shown rovers and talk, no tools, no lamps, no lift', () => {
	const state = commentaryState({
		now: T0,
		settings,
		decision: { trigger: 'world_event', addresses: [] },
		world,
		people: readPeople(window, world, T0, settings),
		eventTexts: ['rover1 left its dock'],
	});
	const prompt = renderCommentaryMessages({ texts: shippedPrompts(), settings, state, window });
	expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'user']);
	expect(prompt[0]?.content).toContain('You are Hal,');
	expect(prompt[2]?.content).toBe('Hal: Watching.');
	expect(prompt.at(-1)?.content).toBe(
		[
			'ROVERS',
			'time: 2026-05-03T02:00:00+00:00',
			'trigger: world_event',
			'- rover1: driving, driver=alex, docked=false',
			'people: active=alex, driving=alex:rover1, mood=steady',
			'just happened:',
			'- rover1 left its dock',
		].join('\n'),
	);
	expect(prompt.map(({ content }) => content).join('\n')).not.toMatch(/available_tools|lift_up|light/);
});
