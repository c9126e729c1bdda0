import { describe, expect, test } from 'vitest';
import type { LiftView, NeatoView, WorldView } from '../../../../core/overseer/world.ts';
import { computeAvailability, guardCall, guardEntity, guardTool } from '../../../../core/tooling/availability.ts';
import type { ToolFacts } from '../../../../core/tooling/facts.ts';
import type { ToolName } from '../../../../core/tooling/tool-name.ts';
import { sampleRoom, sampleSettings } from '../../tools/support/house.ts';
import { calmWorld, factsOf, NOW } from './facts.ts';

const room = sampleRoom();
const reasons = (tool: ToolName, facts: Partial<ToolFacts>) => guardTool(tool, factsOf(facts), room, sampleSettings);
const codes = (tool: ToolName, facts: Partial<ToolFacts>) => reasons(tool, facts).map((reason) => reason.code);
const split = (facts: Partial<ToolFacts>) => computeAvailability(factsOf(facts), room, sampleSettings);
const world = (more: Partial<WorldView>): Partial<ToolFacts> => ({ world: { ...calmWorld, ...more } });
const site = (more: Partial<ToolFacts['site']>): Partial<ToolFacts> => ({
	site: { mode: 'open', lightsLock: 'none', paused: false, ...more },
});

describe('availability', () => {
	test('OVR-12 a cooling family goes to blocked_tools with what is left of it', () => {
		const { available, blocked } = split({ readyAt: { neato: NOW + 11_200 } });
		expect(available).not.toContain('neato_start');
		expect(blocked.map((item) => item.tool)).toEqual([
			'neato_start',
			'neato_send_home',
			'neato_locate',
			'neato_clear_errors',
		]);
		for (const item of blocked) expect(item.reasons[0]).toEqual({ code: 'cooldown', remainingMs: 11_200 });
	});

	test('OVR-12 a tool that the room has not is in neither list', () => {
		const bare = { ...room, lift: undefined, neato: undefined, scripts: [], lights: [], buttonBoxEntityIds: undefined };
		const facts = factsOf({ world: { ...calmWorld, lights: [], scripts: [] } });
		const { available, blocked } = computeAvailability(facts, bare, sampleSettings);
		expect([available, blocked]).toEqual([['chat_say', 'memory_read', 'memory_write'], []]);
	});

	test('OVR-17 the button box is not even listed unless it is switched on', () => {
		const off = { ...sampleSettings, buttonBox: { enabled: false, maxAmount: 5 } };
		expect(computeAvailability(factsOf(), room, sampleSettings).available).toContain('button_box_adjust');
		const { available, blocked } = computeAvailability(factsOf(), room, off);
		expect([...available, ...blocked.map((item) => item.tool)]).not.toContain('button_box_adjust');
	});

	test('OVR-22 an empty budget stops every physical tool and nothing else, with the longer of both waits', () => {
		const budget = { minuteUsed: 6, hourUsed: 60, minuteFreeAt: NOW + 4_000, hourFreeAt: NOW + 90_000 };
		const { available } = split({ budget });
		expect(available).toEqual(['chat_say', 'memory_read', 'memory_write']);
		expect(reasons('lift_up', { budget })).toEqual([{ code: 'rate_limit', remainingMs: 90_000 }]);
	});

	test('OVR-12 a family that is running is busy', () => {
		expect(reasons('ha_set_light', { running: ['light'] })).toEqual([{ code: 'busy', detail: 'running' }]);
	});

	test('OVR-12 OPS-15 words and notes are never busy: what a dead process left open silences nobody', () => {
		for (const tool of ['chat_say', 'memory_read', 'memory_write'] as const)
			expect(reasons(tool, { running: ['chat', 'memory'] })).toEqual([]);
	});

	test('OVR-22 a person who asks gets words without waiting', () => {
		const readyAt = { chat: NOW + 5_000 };
		expect(codes('chat_say', { readyAt })).toEqual(['cooldown']);
		expect(codes('chat_say', { readyAt, direct: true })).toEqual([]);
	});
});

describe('policy', () => {
	test.each(['admin', 'lockdown'] as const)('OVR-23 site mode %s blocks vacuum, lift and room tools', (mode) => {
		const code = `policy_lock:site_mode_${mode}`;
		const physical: ToolName[] = [
			'neato_start',
			'neato_locate',
			'lift_up',
			'ha_set_entity',
			'ha_set_light',
			'ha_run_script',
		];
		for (const tool of [...physical, 'button_box_adjust'] as const) {
			expect(codes(tool, site({ mode }))).toContain(code);
			expect(codes(tool, { ...site({ mode }), direct: true })).toContain(code);
		}
		expect(codes('memory_write', site({ mode }))).toEqual([]);
	});

	test.each(['on', 'off'] as const)(
		'OVR-23 lights locked %s block room tools in every mode, and only those',
		(lightsLock) => {
			for (const mode of ['open', 'admin', 'lockdown'] as const) {
				for (const tool of ['ha_set_entity', 'ha_set_light', 'ha_run_script'] as const) {
					expect(codes(tool, site({ mode, lightsLock }))).toContain(`policy_lock:lights_locked_${lightsLock}`);
				}
			}
			expect(codes('lift_up', site({ lightsLock }))).toEqual([]);
		},
	);

	test('OVR-23 lockdown stops speech that nobody asked for, and only that', () => {
		expect(codes('chat_say', site({ mode: 'lockdown' }))).toEqual(['policy_lock:site_mode_lockdown']);
		expect(codes('chat_say', { ...site({ mode: 'lockdown' }), direct: true })).toEqual([]);
		expect(codes('chat_say', site({ mode: 'admin' }))).toEqual([]);
	});

	test('OVR-27 off has nothing, observe offers all, chat offers words, notes and the locate sound', () => {
		expect(split({ stage: 'off' }).available).toEqual([]);
		expect(split({ stage: 'observe' })).toEqual(split({ stage: 'full' }));
		expect(split({ stage: 'chat' }).available).toEqual(['chat_say', 'neato_locate', 'memory_read', 'memory_write']);
	});

	test('OVR-30 voted quiet it does nothing of its own, and answers in words when asked', () => {
		expect(split({ votedQuiet: true }).available).toEqual([]);
		expect(split({ votedQuiet: true, direct: true }).available).toEqual(['chat_say', 'memory_read']);
	});

	test('OPS-18 paused, nothing is left, whoever asks', () => {
		expect(split({ ...site({ paused: true }), direct: true }).available).toEqual([]);
	});

	test('X03 all reasons are there, most weighty first', () => {
		const facts = {
			...site({ mode: 'lockdown', lightsLock: 'on' }),
			readyAt: { light: NOW + 1_000 },
			running: ['light' as const],
			budget: { minuteUsed: 6, hourUsed: 6, minuteFreeAt: NOW + 9_000 },
			...world({ homeReady: false, homePhase: 'auth_failed' }),
		};
		expect(codes('ha_set_entity', facts)).toEqual([
			'policy_lock:site_mode_lockdown',
			'policy_lock:lights_locked_on',
			'unavailable',
			'rate_limit',
			'cooldown',
			'busy',
		]);
		expect(reasons('ha_set_entity', facts)[2]).toEqual({ code: 'unavailable', detail: 'auth' });
	});
});

describe('vacuum', () => {
	const neato = (more: Partial<NeatoView>) => world({ neato: { ...calmWorld.neato!, ...more } });
	const table: [NeatoView['state'], string, string][] = [
		['docked', '', 'already'],
		['idle', '', ''],
		['cleaning', 'already', ''],
		['paused', '', ''],
		['returning', 'busy', 'already'],
		['error', 'unavailable', 'unavailable'],
		['unknown', 'unavailable', 'unavailable'],
	];

	test.each(table)('H08 %s: start %s, send home %s', (state, start, home) => {
		expect(codes('neato_start', neato({ state })).join()).toBe(start);
		expect(codes('neato_send_home', neato({ state })).join()).toBe(home);
		expect(codes('neato_locate', neato({ state }))).toEqual([]);
	});

	test('H08 errors can be cleared where there is one and a way to do it', () => {
		expect(codes('neato_clear_errors', neato({ state: 'error' }))).toEqual([]);
		expect(codes('neato_clear_errors', neato({ error: 'Brush stuck' }))).toEqual([]);
		expect(codes('neato_clear_errors', neato({}))).toEqual(['already']);
		expect(codes('neato_clear_errors', neato({ state: 'error', canClearErrors: false }))).toEqual(['unsupported']);
	});

	test('H08 an alert blocks nothing, idling on the base counts as home', () => {
		expect(codes('neato_start', neato({ alert: 'Please empty dust bin' }))).toEqual([]);
		expect(codes('neato_send_home', neato({ charging: true }))).toEqual(['already']);
	});

	test('H08 a vacuum that is gone blocks all four, and only those', () => {
		for (const facts of [neato({ connected: false }), world({ neato: undefined })]) {
			const { blocked } = split(facts);
			expect(blocked.map((item) => item.tool)).toEqual([
				'neato_start',
				'neato_send_home',
				'neato_locate',
				'neato_clear_errors',
			]);
			for (const item of blocked) expect(item.reasons[0]?.code).toBe('unavailable');
		}
	});
});

describe('lift', () => {
	const lift = (more: Partial<LiftView>) => world({ lift: { ...calmWorld.lift!, ...more } });

	test('H09 conflict blocks both ways, moving is busy', () => {
		for (const tool of ['lift_up', 'lift_down'] as const) {
			expect(reasons(tool, lift({ position: 'conflict' }))).toEqual([{ code: 'unavailable', detail: 'conflict' }]);
			expect(codes(tool, lift({ position: 'opening', busy: true }))).toEqual(['busy']);
			expect(codes(tool, lift({ position: 'stopped' }))).toEqual([]);
			expect(codes(tool, lift({ available: false }))).toEqual(['unavailable']);
		}
	});

	test('H09 stuck in a motion state it is moved only when a person asks', () => {
		const stuck = lift({ position: 'stopped', stale: true });
		expect(reasons('lift_up', stuck)).toEqual([{ code: 'unavailable', detail: 'stuck' }]);
		expect(codes('lift_up', { ...stuck, direct: true })).toEqual([]);
		expect(codes('lift_down', lift({ position: 'up', stale: true }))).toEqual([]);
	});

	test('OVR-9 H09 down it is offered to go down, and the call is blocked as already', () => {
		expect(split({}).available).toEqual(expect.arrayContaining(['lift_up', 'lift_down']));
		const call = { tool: 'lift_down', args: {} } as const;
		expect(guardCall(call, factsOf(), room, sampleSettings)).toEqual([{ code: 'already' }]);
		expect(guardCall({ tool: 'lift_up', args: {} }, factsOf(), room, sampleSettings)).toEqual([]);
	});
});

describe('lamps and scripts', () => {
	const lights = (state: 'missing' | 'unavailable') =>
		calmWorld.lights.map((light) => ({ ...light, state, available: false }));

	test('OVR-12 H05 one lamp that is gone blocks itself, all gone block the tool', () => {
		const [shelf, ...others] = calmWorld.lights;
		const one = world({ lights: [{ ...shelf!, state: 'missing', available: false }, ...others] });
		expect(codes('ha_set_entity', one)).toEqual([]);
		expect(codes('ha_set_light', one)).toEqual(['unavailable']);
		expect(guardEntity('light.shelf', { ...calmWorld, ...one.world })).toEqual([
			{ code: 'unavailable', detail: 'not_found' },
		]);
		expect(reasons('ha_set_entity', world({ lights: lights('unavailable') }))).toEqual([
			{ code: 'unavailable', detail: 'offline' },
		]);
		expect(reasons('ha_set_entity', world({ lights: lights('missing') }))).toEqual([
			{ code: 'unavailable', detail: 'not_found' },
		]);
	});

	test('OVR-17 a room of outlets has no ha_set_light', () => {
		const outlets = world({ lights: calmWorld.lights.slice(1) });
		const { available, blocked } = split(outlets);
		expect([...available, ...blocked.map((item) => item.tool)]).not.toContain('ha_set_light');
	});

	test('OVR-12 while the house is away everything physical is unavailable', () => {
		const { available, blocked } = split(world({ homeReady: false, homePhase: 'lost' }));
		expect(available).toEqual(['chat_say', 'memory_read', 'memory_write']);
		for (const item of blocked) expect(item.reasons[0]).toEqual({ code: 'unavailable', detail: 'offline' });
	});
});
