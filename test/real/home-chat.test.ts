import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../support/household.ts';
import { type RealHome, startRealHome } from '../support/real-home.ts';
import { eventually } from '../support/redis.ts';

const dataDir = process.env['MAJORDOMO_DATA'] ?? '.data';
const started = await startRealHome({ dataDir: resolve(dataDir) });
const skipped = 'skipped' in started ? started.skipped : undefined;

describe.skipIf(skipped !== undefined)(`a real Home Assistant behind the chat${skipped ? ` (${skipped})` : ''}`, () => {
	const real = started as RealHome;
	let home: TestHousehold;
	let token: string;

	beforeAll(async () => {
		token = real.token;
		const { light, switch: plug, cover, vacuum, button, fickle } = real.entities;
		home = await openTestHousehold({
			secrets: () => ({ homeAssistantToken: token }),
			change: (settings) => {
				settings.home.url = real.url;
				settings.overseer.gate.heartbeatMs = 3_600_000;
				settings.overseer.cooldowns = {
					...settings.overseer.cooldowns,
					lightMs: 0,
					liftMs: 0,
					neatoMs: 0,
					chatMs: 0,
				};
				settings.overseer.budget = { perMinute: 1_000, perHour: 1_000 };
				const [room] = settings.rooms;
				if (!room) throw new Error('the rehearsal house has no room');
				room.lights = [
					{ entityId: light, label: 'shelf', show: 'state' },
					{ entityId: plug, label: 'heater', show: 'state' },
					{ entityId: fickle, label: 'fickle', show: 'state' },
				];
				room.lift = { driver: 'cover', entityId: cover, travelMs: 2_000 };
				room.neato = { driver: 'vacuum', entityId: vacuum, clearErrorsEntityId: button };
				room.rovers = [];
				room.scripts = [];
				room.presenceEntityIds = [];
				delete room.lightsLockButtonEntityId;
			},
		});
	});
	beforeEach(() => home.model.control.reset());
	afterAll(async () => {
		await home?.stop();
		await real.stop();
	});

	/** The model proposes one call; what becomes of it is the house's own state. */
	const ask = async (tool: string, args: object, chat = 'So be it.') => {
		home.model.control.queue({ kind: 'json', value: { mode: 'ACTION+CHAT', chat, calls: [{ tool, args }] } });
		const asked = await home.say('alex', `overseer, please do that thing with ${tool}`);
		return home.answer(asked, { timeoutMs: 60_000 });
	};
	const set = (entity: string, state: string) => ask('ha_set_entity', { entity_id: entity, state });
	const stateOf = async (entityId: string) => (await real.state(entityId))?.state;

	test('OVR-18 OVR-19 a sentence in the chat switches a light, as the house itself says', async () => {
		await set('shelf', 'off');
		expect(await stateOf(real.entities.light)).toBe('off');
		await set('shelf', 'on');
		expect(await stateOf(real.entities.light)).toBe('on');
	});

	test('OVR-18 a switch, a cover, a vacuum and a button answer to their tools', async () => {
		const before = await stateOf(real.entities.switch);
		await set('heater', before === 'on' ? 'off' : 'on');
		expect(await stateOf(real.entities.switch)).toBe(before === 'on' ? 'off' : 'on');
		await ask('lift_down', {});
		await eventually('the cover moves down', async () =>
			['closing', 'closed'].includes((await stateOf(real.entities.cover)) ?? ''),
		);
		await ask('neato_start', {});
		expect(await stateOf(real.entities.vacuum)).toBe('cleaning');
		await ask('neato_send_home', {});
		await eventually('the vacuum goes home', async () =>
			['returning', 'docked'].includes((await stateOf(real.entities.vacuum)) ?? ''),
		);
	});

	test('OVR-19 H05 what is unavailable is refused and nobody claims it was done', async () => {
		await real.owner.command({
			type: 'call_service',
			domain: 'input_boolean',
			service: 'turn_off',
			target: { entity_id: 'input_boolean.fickle_plugged' },
		});
		await eventually('it is gone', async () => (await stateOf(real.entities.fickle)) === 'unavailable');
		const answer = await ask('ha_set_entity', { entity_id: 'fickle', state: 'on' }, 'The fickle lamp is on.');
		expect(answer.text).not.toMatch(/is on/);
		await real.owner.command({
			type: 'call_service',
			domain: 'input_boolean',
			service: 'turn_on',
			target: { entity_id: 'input_boolean.fickle_plugged' },
		});
	});

	test('OPS-9 H01 a restart of the house takes nothing else down, and afterwards it switches again', {
		timeout: 240_000,
	}, async () => {
		await real.restart();
		await eventually(
			'the shelf switches again',
			async () => {
				await set('shelf', 'off');
				return (await stateOf(real.entities.light)) === 'off';
			},
			120_000,
		);
	});

	test('OPS-9 H02 a revoked token blocks the tools, the chat goes on', { timeout: 240_000 }, async () => {
		await real.revokeToken();
		const answer = await eventually(
			'the tools are blocked',
			async () => {
				const line = await ask('ha_set_entity', { entity_id: 'shelf', state: 'on' }, 'The shelf is on.');
				return /is on/.test(line.text) ? undefined : line;
			},
			60_000,
		);
		expect(answer.text).not.toBe('');
		const asked = await home.say('sam', 'overseer, do you still talk?');
		expect((await home.answer(asked)).text).not.toBe('');
	});
});
