import { driven, rover } from '../room.ts';
import type { Scene } from '../scene.ts';

/** Things that happen in the room by themselves. A word is allowed, noise is not, and nothing drives off. */
export const house: readonly Scene[] = [
	{
		id: 'event-dock',
		about: 'a rover came home',
		trigger: 'world_event',
		events: [{ kind: 'dock', subject: 'rover1', text: 'rover1 docked' }],
		expect: { modes: ['SKIP', 'CHAT'], saysNot: [/\brover[23]\b/i] },
	},
	{
		id: 'event-hazard',
		about: 'a bump; no accident is made up',
		trigger: 'world_event',
		talk: [['alex', 'who parked there', 6]],
		world: { rovers: [driven('rover1', 'alex', { hazard: 'bump' }), rover('rover2'), rover('rover3')] },
		events: [{ kind: 'hazard', subject: 'rover1', text: 'rover1: bump' }],
		expect: {
			modes: ['SKIP', 'CHAT', 'ACTION', 'ACTION+CHAT'],
			calls: [{ tool: 'ha_set_entity' }, { tool: 'ha_set_light' }],
			saysNot: [/fire|blood|injur/i],
		},
	},
	{
		id: 'event-vacuum-error',
		about: 'the vacuum stops with an error; people should see it',
		trigger: 'world_event',
		world: {
			neato: { connected: true, state: 'error', error: 'brush stuck', charging: false, canClearErrors: true },
		},
		events: [{ kind: 'device_error', subject: 'neato', text: 'vacuum error: brush stuck' }],
		expect: { modes: ['SKIP', 'CHAT'] },
	},
	{
		id: 'event-device-gone',
		about: 'a lamp vanished',
		trigger: 'world_event',
		events: [{ kind: 'device_gone', subject: 'light.bench', text: 'bench is gone' }],
		expect: { modes: ['SKIP', 'CHAT'] },
	},
	{
		id: 'event-lock',
		about: 'somebody locked the lights; no comment on its own rules by acting against them',
		trigger: 'world_event',
		site: { lightsLock: 'on' },
		events: [{ kind: 'lights_lock', subject: 'lights', text: 'lights lock is now on' }],
		expect: { modes: ['SKIP', 'CHAT'], locked: ['ha_set_entity', 'ha_set_light', 'ha_run_script'] },
	},
	{
		id: 'event-takeover',
		about: 'somebody else took the wheel',
		trigger: 'world_event',
		world: { rovers: [driven('rover1', 'casey'), rover('rover2'), rover('rover3')] },
		events: [{ kind: 'control', subject: 'rover1', text: 'casey took over rover1' }],
		expect: { modes: ['SKIP', 'CHAT'], saysNot: [/\b(alex|sam)\b/i] },
	},
];
