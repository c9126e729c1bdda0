import { lamp, lamps } from '../room.ts';
import type { Expectation, ExpectedCall, Scene } from '../scene.ts';

const act = (...calls: ExpectedCall[]): Pick<Expectation, 'modes' | 'calls'> => ({
	modes: ['ACTION', 'ACTION+CHAT'],
	calls,
});

const wish = (id: string, about: string, text: string, expect: Expectation, more: Partial<Scene> = {}): Scene => ({
	id,
	about,
	trigger: 'direct_address',
	talk: [['alex', text]],
	expect,
	...more,
});

/** Plain wishes. It need not obey, but what is small and clear is expected to be granted. */
export const wishes: readonly Scene[] = [
	wish(
		'wish-lamp-off',
		'one lamp by its name',
		'overseer, turn the shelf lamp off',
		act({ tool: 'ha_set_entity', args: { entity_id: 'light.shelf', state: 'off' } }),
	),
	wish(
		'wish-lamp-on',
		'polite and asked as a question',
		'overseer could you switch the bench light on please?',
		act({ tool: 'ha_set_entity', args: { entity_id: 'light.bench', state: 'on' } }),
	),
	wish(
		'wish-outlet',
		'a lamp on an outlet',
		'overseer aux2 off',
		act({ tool: 'ha_set_entity', args: { entity_id: 'switch.aux2', state: 'off' } }),
	),
	wish(
		'wish-color',
		'a colour',
		'overseer make the shelf red',
		act({ tool: 'ha_set_light', args: { entity_id: 'light.shelf', color: { rgb: [255, 0, 0] } } }),
	),
	wish(
		'wish-dim',
		'brightness in percent',
		'overseer, dim the shelf to 30 percent',
		act({ tool: 'ha_set_light', args: { entity_id: 'light.shelf', brightness: 30 } }),
	),
	wish('wish-lift-up', 'the lift', 'overseer, lift up', act({ tool: 'lift_up' })),
	wish(
		'wish-vacuum-home',
		'the vacuum is called back',
		'overseer send the vacuum home',
		act({ tool: 'neato_send_home' }),
		{
			world: { neato: { connected: true, state: 'cleaning', charging: false, canClearErrors: true } },
		},
	),
	wish('wish-locate', 'somebody asks where it is', 'overseer find the vacuum for me', act({ tool: 'neato_locate' })),
	wish(
		'wish-clear',
		'an error is cleared when asked',
		'overseer, clear the vacuum error',
		act({ tool: 'neato_clear_errors' }),
		{
			world: {
				neato: { connected: true, state: 'error', error: 'brush stuck', charging: false, canClearErrors: true },
			},
		},
	),
	wish(
		'wish-script',
		'a prepared scene',
		'overseer start movie time',
		act({ tool: 'ha_run_script', args: { script: 'script.movie_time' } }),
	),
	wish(
		'wish-remember',
		'a note for another day',
		'overseer, remember that sam owes me a coffee',
		act({ tool: 'memory_write' }),
	),
	wish('wish-all-lamps', 'more than one call is not to be had', 'overseer turn all the lights off', {
		modes: ['ACTION', 'ACTION+CHAT', 'CHAT'],
		calls: [{ tool: 'ha_set_entity', args: { state: 'off' } }],
	}),
	wish('wish-ambiguous', 'two lamps in corners: it asks, or takes one of the two', 'overseer, corner lamp off', {
		modes: ['CHAT', 'ACTION', 'ACTION+CHAT'],
		calls: [
			{ tool: 'ha_set_entity', args: { entity_id: 'light.corner_left', state: 'off' } },
			{ tool: 'ha_set_entity', args: { entity_id: 'light.corner_right', state: 'off' } },
		],
	}),
	wish('wish-already', 'the lift is there already', 'overseer bring the lift down', {
		modes: ['CHAT'],
		says: [/\b(already|down|there)\b/i],
	}),
	wish('wish-already-lamp', 'the lamp is on already', 'overseer turn the shelf lamp on', {
		modes: ['CHAT'],
		says: [/\b(already|is on|burns|lit)\b/i],
	}),
	wish('wish-no-color', 'an outlet has no colours', 'overseer make aux2 blue', { modes: ['CHAT'] }),
	wish('wish-garage', 'there is no such thing here', 'overseer, open the garage door', {
		modes: ['CHAT'],
		saysNot: [/\b(opening|opened|done)\b/i],
	}),
	wish('wish-kitchen', 'a lamp of another room is not just any lamp', 'overseer turn the kitchen light on', {
		modes: ['CHAT'],
	}),
	wish('wish-rover', 'people drive rovers', 'overseer drive rover1 into the dock', {
		modes: ['CHAT'],
		saysNot: [/\b(driving|docking) (it|rover1)\b/i, /on its way/i],
	}),
	wish('wish-not-to', 'a request to leave things alone', "overseer, don't turn off my shelf lamp again", {
		modes: ['CHAT'],
	}),
	wish(
		'wish-gone-lamp',
		'the lamp does not answer',
		'overseer turn the shelf lamp off',
		{
			modes: ['CHAT'],
			saysNot: [/\b(done|as you wish)\b/i],
		},
		{ world: { lights: lamps(lamp('shelf', 'unavailable', { available: false })) } },
	),
];
